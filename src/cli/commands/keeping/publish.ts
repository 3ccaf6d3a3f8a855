import { type Command, Option } from "commander";
import { countOf } from "../../../util/text/words.ts";
import { acceptLossOption, folderOrS3Url, oneOf } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes, findingIf } from "../../exit-code.ts";
import { runRecorded } from "../../run-recorded.ts";

interface PublishFlags {
  to: string;
  layer: "mart" | "core";
  source?: string;
  acceptLoss: boolean;
}

export function define(command: Command, context: CliContext): void {
  command
    .requiredOption(
      "--to <target>",
      "folder, with the layout of published/ or, with --layer core, of a lake; or s3://bucket/prefix",
      folderOrS3Url,
    )
    .addOption(
      new Option(
        "--layer <layer>",
        "mart: the published version; core: loaded data, into a lake shared by several machines",
      )
        .argParser(oneOf("mart", "core"))
        .default("mart"),
    )
    .option("--source <name>", "name of this machine in the lake (with --layer core)")
    .addOption(acceptLossOption())
    .addHelpText(
      "after",
      `
Only files that changed are transferred. A version that is newer, or from
another warehouse, is replaced only with --accept-loss.

--layer core writes only changes since the last time: changed months of plays,
and other changed tables as a whole. Readers see all changes at once. Several
machines can publish at the same time, each under its own name.

Examples:
  $ venue publish --to /mnt/share/venue
  $ venue publish --to s3://bucket/venue
  $ venue publish --layer core --source east --to /mnt/lake
  $ venue publish --layer core --source east --to s3://bucket/lake
`,
    )
    .action(async ({ layer, source, to, acceptLoss }: PublishFlags) => {
      const target = context.resolveTarget(to);
      const words = `publish --to ${to} --layer ${layer}`;
      if (layer === "mart") {
        if (source !== undefined) command.error("error: --source is for --layer core");
        await publishMart(context, words, target, acceptLoss);
      } else {
        if (source === undefined)
          command.error("error: --layer core needs --source, the name of this machine in the lake");
        await publishCore(context, `${words} --source ${source}`, {
          lake: target,
          machine: source,
          acceptLoss,
        });
      }
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
    const note = `${to} now shows ${version}.`;
    return { exitCode: exitCodes.done, note, text: note, summary: { layer: "mart", to, version } };
  });
}

async function publishCore(
  context: CliContext,
  words: string,
  target: { lake: string; machine: string; acceptLoss: boolean },
): Promise<void> {
  const { publishIntoLake } = await import("../../../pipeline/publish.ts");
  await runRecorded(context, words, async (workspace) => {
    const {
      manifest,
      files,
      written,
      rows,
      referenceProblems: problems,
    } = await publishIntoLake(workspace, target);
    const { lake: to, machine: source } = target;
    const note = `${to} now holds ${countOf(rows, "row")} of ${source} in ${countOf(files, "file")}, ${written} of them written now.`;
    const { published_at, data_as_of } = manifest;
    const summary = { layer: "core", to, source, files, written, rows, published_at, data_as_of };
    return { exitCode: findingIf(problems.length > 0), note, text: note, problems, summary };
  });
}
