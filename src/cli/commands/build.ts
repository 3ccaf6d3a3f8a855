import { Command } from "commander";
import { acceptLossOption } from "../arguments.ts";
import type { CliContext } from "../cli-context.ts";
import { buildExitCode, describeBuild } from "../describe-build.ts";
import { recordedRun } from "../recorded-run.ts";

export function buildCommand(context: CliContext): Command {
  return new Command("build")
    .description("rebuild what changed, check it, and publish it")
    .option("--full", "rebuild everything", false)
    .addOption(acceptLossOption())
    .addHelpText("after", "\nExample:\n  $ venue build\n")
    .action(async ({ full, acceptLoss }: { full: boolean; acceptLoss: boolean }) => {
      const { build } = await import("../../pipeline/build.ts");
      const command = `build${full ? " --full" : ""}${acceptLoss ? " --accept-loss" : ""}`;
      await recordedRun(context, command, async (workspace) => {
        const result = await build(workspace, { isFull: full, acceptLoss });
        return { ...describeBuild(result), exitCode: buildExitCode(result) };
      });
    });
}
