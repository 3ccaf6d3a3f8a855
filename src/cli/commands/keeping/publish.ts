import { type Command, Option } from "commander";
import { countOf } from "../../../util/text/words.ts";
import { acceptLossOption, folderOrS3Url, oneOf } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes, findingIf } from "../../exit-code.ts";
import { runRecorded } from "../../run-recorded.ts";

interface PublishFlags {
  to: string;
  layer: "mart" | "core";
  acceptLoss: boolean;
}

export function define(command: Command, context: CliContext): void {
  command
    .requiredOption(
      "--to <target>",
      "folder with the layout of published/, or s3://bucket/prefix",
      folderOrS3Url,
    )
    .addOption(
      new Option(
        "--layer <layer>",
        "mart: the published version; core: loaded data, from which a Trino cluster builds",
      )
        .argParser(oneOf("mart", "core"))
        .default("mart"),
    )
    .addOption(acceptLossOption())
    .addHelpText(
      "after",
      `
Only files that changed are transferred, and readers see all changes at once. A
version that is newer, or from another warehouse, is replaced only with
--accept-loss. Use a separate folder or prefix for each layer.

Examples:
  $ venue publish --to /mnt/share/venue
  $ venue publish --to s3://bucket/venue
  $ venue publish --layer core --to s3://bucket/core
`,
    )
    .action(async ({ layer, to, acceptLoss }: PublishFlags) => {
      const target = context.resolveTarget(to);
      const words = `publish --to ${to} --layer ${layer}`;
      if (layer === "mart") await publishMart(context, words, target, acceptLoss);
      else await publishCore(context, words, target, acceptLoss);
    });
}

async function publishMart(
  context: CliContext,
  words: string,
  to: string,
  acceptLoss: boolean,
): Promise<void> {
  const { publishBuilt } = await import("../../../pipeline/publish.ts");
  await runRecorded(context, words, async (workspace) => {
    const { version } = (await publishBuilt(workspace, to, acceptLoss)).manifest;
    const note = `Published ${version} to ${to}.`;
    return { exitCode: exitCodes.done, note, text: note, summary: { layer: "mart", to, version } };
  });
}

async function publishCore(
  context: CliContext,
  words: string,
  to: string,
  acceptLoss: boolean,
): Promise<void> {
  const recipes = await import("../../../pipeline/publish-core.ts");
  await runRecorded(context, words, async (workspace) => {
    const { manifest, files, rows, uploadedFiles, referenceProblems } = await recipes.publishCore(workspace, {
      to,
      acceptLoss,
    });
    const { version } = manifest;
    const note = `Published ${version} of core to ${to}: ${countOf(rows, "row")} in ${countOf(files, "file")}, ${uploadedFiles} of them new.`;
    return {
      exitCode: findingIf(referenceProblems.length > 0),
      note,
      text: note,
      problems: referenceProblems,
      summary: { layer: "core", to, version, files, written: uploadedFiles, rows },
    };
  });
}
