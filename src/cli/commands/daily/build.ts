import type { Command } from "commander";
import { acceptLossOption, folderOrS3Url } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { lakeNotNamedError, nothingToAcceptError } from "../../engine-errors.ts";
import { buildExitCode, describeBuild, describeTrinoBuild } from "../../results/describe-load.ts";
import { withNotified } from "../../results/describe-notified.ts";
import { runRecorded } from "../../run-recorded.ts";

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
        await runRecorded(context, words, async (workspace) => {
          const outcome = describeTrinoBuild(await buildOnTrino(workspace, { lake: target, isFull: full }));
          return withNotified(outcome, await notify(workspace));
        });
        return;
      }
      const { build } = await import("../../../pipeline/build.ts");
      await runRecorded(context, words, async (workspace) => {
        const result = await build(workspace, { lake: target, isFull: full, acceptLoss });
        const outcome = { ...describeBuild(result), exitCode: buildExitCode(result) };
        return withNotified(outcome, await notify(workspace));
      });
    });
}
