import { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { buildExitCode, describeBuild } from "../describe-build.ts";
import { recordedRun } from "../recorded-run.ts";

export function buildCommand(context: CliContext): Command {
  return new Command("build")
    .description("rebuild what changed, check it, and publish it")
    .option("--full", "rebuild everything", false)
    .addHelpText("after", "\nExample:\n  $ venue build\n")
    .action(async ({ full }: { full: boolean }) => {
      const { build } = await import("../../pipeline/build.ts");
      await recordedRun(context, full ? "build --full" : "build", async (workspace) => {
        const result = await build(workspace, { isFull: full });
        return { ...describeBuild(result), exitCode: buildExitCode(result) };
      });
    });
}
