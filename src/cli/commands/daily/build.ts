import type { Command } from "commander";
import type { Workspace } from "../../../workspace/workspace.ts";
import { acceptLossOption, folderOrS3Url } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { lakeNotNamedError, nothingToAcceptError } from "../../engine-errors.ts";
import { buildExitCode, describeBuild, describeTrinoBuild } from "../../results/describe-load.ts";
import { runNotifying } from "../../run-notifying.ts";

interface BuildCommandFlags {
  full: boolean;
  lake?: string;
  acceptLoss: boolean;
}

export function define(command: Command, context: CliContext): void {
  command
    .option("--full", "rebuild everything", false)
    .option(
      "--lake <lake>",
      "build the data in a shared lake (a folder or s3://bucket/prefix) instead of data loaded here; needs its own data folder",
      folderOrS3Url,
    )
    .addOption(acceptLossOption())
    .addHelpText(
      "after",
      "\nExamples:\n  $ venue build\n  $ venue build --lake /mnt/lake\n" +
        "  $ venue build --engine trino --lake /mnt/lake --trino-url https://trino.example:8443 --nessie-url https://nessie.example\n",
    )
    .action(async ({ full, lake, acceptLoss }: BuildCommandFlags) => {
      const words = [
        "build",
        ...(full ? ["--full"] : []),
        ...(lake === undefined ? [] : ["--lake", lake]),
        ...(acceptLoss ? ["--accept-loss"] : []),
      ].join(" ");
      const target = lake === undefined ? undefined : context.resolveTarget(lake);
      const { notify } = await import("../../../pipeline/notify/notify.ts");
      if (context.settings.get("VENUE_ENGINE") === "trino") {
        if (target === undefined) throw lakeNotNamedError();
        if (acceptLoss) throw nothingToAcceptError();
        const { buildOnTrino } = await import("../../../pipeline/build-on-trino.ts");
        const recipe = async (workspace: Workspace) =>
          describeTrinoBuild(await buildOnTrino(workspace, { lake: target, isFull: full }));
        await runNotifying(context, words, recipe, notify);
        return;
      }
      const { build } = await import("../../../pipeline/build.ts");
      const recipe = async (workspace: Workspace) => {
        const result = await build(workspace, { lake: target, isFull: full, acceptLoss });
        return { ...describeBuild(result), exitCode: buildExitCode(result) };
      };
      await runNotifying(context, words, recipe, notify);
    });
}
