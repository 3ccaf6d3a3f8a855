import type { Command } from "commander";
import type { Workspace } from "../../../workspace/workspace.ts";
import { acceptLossOption, folderOrS3Url } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { coreNotNamedError, nothingToAcceptError } from "../../engine-errors.ts";
import { buildExitCode, describeBuild, describeTrinoBuild } from "../../results/describe-load.ts";
import { runNotifying } from "../../run-notifying.ts";

interface BuildCommandFlags {
  full: boolean;
  from?: string;
  acceptLoss: boolean;
}

export function define(command: Command, context: CliContext): void {
  command
    .option("--full", "rebuild everything", false)
    .option(
      "--from <store>",
      "with --engine trino: folder or s3://bucket/prefix that venue publish --layer core published to",
      folderOrS3Url,
    )
    .addOption(acceptLossOption())
    .addHelpText(
      "after",
      "\nExamples:\n  $ venue build\n" +
        "  $ venue build --engine trino --from s3://bucket/core --trino-url https://trino.example:8443 --nessie-url https://nessie.example\n",
    )
    .action(async ({ full, from, acceptLoss }: BuildCommandFlags) => {
      const words = [
        "build",
        ...(full ? ["--full"] : []),
        ...(from === undefined ? [] : ["--from", from]),
        ...(acceptLoss ? ["--accept-loss"] : []),
      ].join(" ");
      const { notify } = await import("../../../pipeline/notify/notify.ts");
      if (context.settings.get("VENUE_ENGINE") === "trino") {
        if (from === undefined) throw coreNotNamedError();
        if (acceptLoss) throw nothingToAcceptError();
        const store = context.resolveTarget(from);
        const { buildOnTrino } = await import("../../../pipeline/build-on-trino.ts");
        const recipe = async (workspace: Workspace) =>
          describeTrinoBuild(await buildOnTrino(workspace, { from: store, isFull: full }));
        await runNotifying(context, words, recipe, notify);
        return;
      }
      if (from !== undefined)
        command.error("error: --from is for --engine trino: DuckDB builds what is loaded here");
      const { build } = await import("../../../pipeline/build.ts");
      const recipe = async (workspace: Workspace) => {
        const result = await build(workspace, { isFull: full, acceptLoss });
        return { ...describeBuild(result), exitCode: buildExitCode(result) };
      };
      await runNotifying(context, words, recipe, notify);
    });
}
