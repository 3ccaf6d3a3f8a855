import { existsSync } from "node:fs";
import type { Command } from "commander";
import { DataFolder } from "../../../config/data-folder.ts";
import { syncTopics } from "../../../extract/sync-topic.ts";
import type { ReportRequest } from "../../../report/options/request-options.ts";
import type { Workspace } from "../../../workspace/workspace.ts";
import { acceptLossOption, collect, keepLandingOption } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { engineError } from "../../engine-errors.ts";
import { exitCodes, getExitCode } from "../../exit-code.ts";
import { describeRun, runExitCode } from "../../results/describe-run.ts";
import { openInBrowser } from "../../results/open-in-browser.ts";
import { runNotifying } from "../../run-notifying.ts";

interface RunFlags {
  keepLanding: number;
  acceptLoss: boolean;
  from?: string[];
  to?: string;
  group?: string[];
  open?: boolean;
}

export function define(command: Command, context: CliContext): void {
  command
    .option(
      "--from <date|store>",
      "first local date of the reports (default: the last 28 days with complete data); or a landing store, s3://… or a path with a /, to load from instead of collecting [VENUE_LANDINGS]",
      collect,
    )
    .option("--to <date>", "last local date of the reports, inclusive")
    .option("--group <ids>", "report only on these groups: ids or names, comma-separated", collect)
    .option("--open", "open the reports in the browser")
    .addOption(keepLandingOption())
    .addOption(acceptLossOption())
    .addHelpText(
      "after",
      "\nExample, for cron:\n  15 5 * * *  cd /srv/venue && venue run >> run.log 2>&1 || tail -n 30 run.log\n",
    )
    .action(async ({ keepLanding, acceptLoss, open = false, from = [], ...others }: RunFlags) => {
      if (context.settings.get("VENUE_ENGINE") === "trino") throw engineError();
      const { run } = await import("../../../pipeline/run.ts");
      const { notify } = await import("../../../pipeline/notify/notify.ts");
      const { parseReportOptions } = await import("../../../report/options/parse-report-options.ts");
      const store = context.findLandingStore(from.find(isStore));
      const date = from.find((word) => !isStore(word));
      const reports = { ...(date !== undefined && { from: date }), ...others };
      // Rejects an unknown group before hours of collecting, not after.
      await assertGroupsExist(context, parseReportOptions({ report: "plays", ...reports }));
      const recipe = async (workspace: Workspace) => {
        const collection = { topics: syncTopics, keepLandingDays: keepLanding };
        const result = await run(workspace, { ...collection, reports, acceptLoss, from: store });
        if (open && result.reports) openInBrowser(context, result.reports.index);
        return { ...describeRun(result), exitCode: runExitCode(result) };
      };
      await withHeartbeat(context, () =>
        runNotifying(context, acceptLoss ? "run --accept-loss" : "run", recipe, notify),
      );
    });
}

/** Returns true if the word is a landing store's location. Unlike a date, it contains a slash. */
function isStore(word: string): boolean {
  return word.includes("/") || word.includes("\\");
}

/** Reports a run's start and end to a monitor. Omits the end if the run was interrupted or found a running one. */
async function withHeartbeat(context: CliContext, body: () => Promise<void>): Promise<void> {
  const { startHeartbeat } = await import("../../../pipeline/heartbeat.ts");
  const heartbeat = startHeartbeat(context.settings, context.logger);
  try {
    await body();
  } catch (error) {
    if (!context.signal.aborted && getExitCode(error) !== exitCodes.busy) await heartbeat.end(false);
    throw error;
  }
  await heartbeat.end(context.exitCode === exitCodes.done);
}

/**
 * Checks that the requested groups exist. Groups collected here need not be published yet, but others must
 * be.
 * @throws {ReportOptionError} if a group is unknown
 */
async function assertGroupsExist({ settings, signal }: CliContext, request: ReportRequest): Promise<void> {
  const collected = new Set(settings.find("VENUE_GROUP_IDS")?.map(String));
  const others = request.chosen.group?.filter((words) =>
    words.split(",").some((word) => !collected.has(word.trim())),
  );
  const folder = new DataFolder(settings.get("VENUE_DATA_DIR"));
  if (others === undefined || others.length === 0 || !existsSync(folder.published)) return;
  const { withPublished } = await import("../../../report/published/with-published.ts");
  const { resolveChosen } = await import("../../../report/options/resolve-entities.ts");
  await withPublished(settings, signal, (mart) =>
    resolveChosen(mart, { ...request, chosen: { group: others } }),
  );
}
