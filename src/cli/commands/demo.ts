import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { DataFolder } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import type { Emulator } from "../../emulator/emulator.ts";
import { syncTopics } from "../../extract/sync-topic.ts";
import type { ReportWords } from "../../report/options/parse-report-options.ts";
import { defaultKeepLandingDays } from "../arguments.ts";
import type { CliContext } from "../cli-context.ts";
import { openWorkspace } from "../open-workspace.ts";
import { recordedRun } from "../recorded-run.ts";
import { describeRun, runExitCode } from "../results/describe-run.ts";
import { printReport } from "../results/print-report.ts";

/** Fixed, so that the demo gives the same figures whenever it is run. */
const demoNow = "2026-11-21T12:00:00Z";
/** A device is known between the first and the last look at it: a first demo looks every so often, from so long before. */
const lookEveryHours = 6;
const firstLookHours = 99;
const grantedRate = 20;
/** Emulator and client share one process: what was sent in time may be seen late. */
const usedRate = 18;
const shownReports: ReportWords[] = [
  { report: "plays", by: ["zone", "kind"] },
  { report: "compliance", by: ["campaign"] },
  { report: "uptime", by: ["zone"] },
  { report: "quality" },
];

export function define(command: Command, context: CliContext): void {
  command.addHelpText("after", "\nExample:\n  $ venue demo\n").action(async () => {
    const { startEmulator } = await import("../../emulator/emulator.ts");
    const { parseReportOptions } = await import("../../report/options/parse-report-options.ts");
    const { runReport } = await import("../../report/run-report.ts");
    const { run } = await import("../../pipeline/run.ts");
    const emulator = await startEmulator({
      now: new Date(demoNow),
      ratePerSecond: grantedRate,
      // Its days pass within seconds.
      listingMaxAgeSeconds: 0,
    });
    try {
      const folder = join(context.settings.get("VENUE_DATA_DIR"), "demo");
      const settings = context.settings.with({
        VENUE_BASE_URL: emulator.baseUrl,
        VENUE_STATUS_URL: emulator.statusUrl,
        VENUE_CLIENT_ID: emulator.clientId,
        VENUE_CLIENT_SECRET: emulator.clientSecret,
        VENUE_GROUP_IDS: emulator.world.groupIds.join(","),
        VENUE_RATE_PER_SECOND: String(usedRate),
        VENUE_HOME: join(folder, "home"),
        VENUE_DATA_DIR: folder,
        VENUE_NOW: demoNow,
        VENUE_SERVICE_TIME_ZONE: "UTC",
        VENUE_ASSET_DURATION_UNIT: "seconds",
      });
      await lookAtDevices(context, settings, emulator);
      await recordedRun(
        context,
        "demo",
        async (workspace) => {
          const result = await run(workspace, {
            topics: syncTopics,
            keepLandingDays: defaultKeepLandingDays,
            reports: {},
          });
          return { ...describeRun(result), exitCode: runExitCode(result) };
        },
        settings,
      );
      if (context.options.json) return;
      for (const words of shownReports) {
        context.print("");
        const options = parseReportOptions(words);
        const target = { format: options.format, settings };
        await printReport(context, target, (mart) => runReport(mart, options, new Date(demoNow)));
      }
      context.print(`\nEverything lies in ${folder}: published/current for BI tools, reports/ for people.`);
    } finally {
      await emulator.close();
    }
  });
}

/** Lists devices as they were in the days before, unless an earlier demo has done so. */
async function lookAtDevices(context: CliContext, settings: Settings, emulator: Emulator): Promise<void> {
  const { sync } = await import("../../pipeline/sync.ts");
  if (existsSync(join(new DataFolder(settings.get("VENUE_DATA_DIR")).published, "current"))) return;
  const end = new Date(demoNow).getTime();
  for (let hours = firstLookHours; hours > 0; hours -= lookEveryHours) {
    const now = new Date(end - hours * 3_600_000);
    emulator.setNow(now);
    const workspace = await openWorkspace(context, settings.with({ VENUE_NOW: now.toISOString() }));
    try {
      await sync(workspace, { topics: ["devices"], keepLandingDays: defaultKeepLandingDays });
    } finally {
      workspace.progress.clear();
      workspace.state.close();
    }
  }
  emulator.setNow(new Date(demoNow));
}
