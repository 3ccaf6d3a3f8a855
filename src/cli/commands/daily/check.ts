import type { Command } from "commander";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";
import { describeChecks, summarizeChecks } from "../../results/describe-load.ts";
import { runRecorded } from "../../run-recorded.ts";

export function define(command: Command, context: CliContext): void {
  command.addHelpText("after", "\nExample:\n  $ venue check\n").action(async () => {
    const { check } = await import("../../../pipeline/build.ts");
    const { isError } = await import("../../../build/run-checks.ts");
    const isOnTrino = context.settings.get("VENUE_ENGINE") === "trino";
    const runChecks = isOnTrino ? (await import("../../../pipeline/build-on-trino.ts")).checkOnTrino : check;
    await runRecorded(context, "check", async (workspace) => {
      const checks = await runChecks(workspace);
      const failed = checks.filter(isError).length;
      return {
        exitCode: failed > 0 ? exitCodes.finding : exitCodes.done,
        note: `${checks.length} checks, ${failed} failed`,
        text: describeChecks(checks),
        summary: { checks: summarizeChecks(checks) },
      };
    });
  });
}
