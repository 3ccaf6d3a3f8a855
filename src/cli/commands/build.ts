import type { Command } from "commander";
import { acceptLossOption } from "../arguments.ts";
import type { CliContext } from "../cli-context.ts";
import { recordedRun } from "../recorded-run.ts";
import { buildExitCode, describeBuild } from "../results/describe-build.ts";

export function define(command: Command, context: CliContext): void {
  command
    .option("--full", "rebuild everything", false)
    .addOption(acceptLossOption())
    .addHelpText("after", "\nExample:\n  $ venue build\n")
    .action(async ({ full, acceptLoss }: { full: boolean; acceptLoss: boolean }) => {
      const { build } = await import("../../pipeline/build.ts");
      const words = `build${full ? " --full" : ""}${acceptLoss ? " --accept-loss" : ""}`;
      await recordedRun(context, words, async (workspace) => {
        const result = await build(workspace, { isFull: full, acceptLoss });
        return { ...describeBuild(result), exitCode: buildExitCode(result) };
      });
    });
}
