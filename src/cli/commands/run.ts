import type { Command } from "commander";
import { syncTopics } from "../../extract/sync-topic.ts";
import { acceptLossOption, collect, keepLandingOption } from "../arguments.ts";
import type { CliContext } from "../cli-context.ts";
import { EngineError } from "../engine-errors.ts";
import { recordedRun } from "../recorded-run.ts";
import { describeRun, runExitCode } from "../results/describe-run.ts";
import { openInBrowser } from "../results/open-in-browser.ts";

interface RunFlags {
  keepLanding: number;
  acceptLoss: boolean;
  from?: string;
  to?: string;
  group?: string[];
  open?: boolean;
}

export function define(command: Command, context: CliContext): void {
  command
    .option(
      "--from <date>",
      "first local date of the reports (default: the last 28 that the data covers whole)",
    )
    .option("--to <date>", "last local date of the reports, inclusive")
    .option("--group <ids>", "reports of these groups only", collect)
    .option("--open", "show the reports in the browser when they are written")
    .addOption(keepLandingOption())
    .addOption(acceptLossOption())
    .addHelpText(
      "after",
      "\nExample, for cron:\n  15 5 * * *  cd /srv/venue && venue run >> run.log 2>&1 || tail -n 30 run.log\n",
    )
    .action(async ({ keepLanding, acceptLoss, open = false, ...reports }: RunFlags) => {
      if (context.settings.get("VENUE_ENGINE") === "trino") throw new EngineError("run");
      const { run } = await import("../../pipeline/run.ts");
      const { parseReportOptions } = await import("../../report/options/parse-report-options.ts");
      // Before hours of collecting, not after.
      parseReportOptions({ report: "plays", ...reports });
      await recordedRun(context, acceptLoss ? "run --accept-loss" : "run", async (workspace) => {
        const collection = { topics: syncTopics, keepLandingDays: keepLanding };
        const result = await run(workspace, { ...collection, reports, acceptLoss });
        if (open && result.reports) openInBrowser(context, result.reports.index);
        return { ...describeRun(result), exitCode: runExitCode(result) };
      });
    });
}
