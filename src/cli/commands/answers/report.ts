import { Argument, type Command } from "commander";
import { ownFolderOf, ownLimitsOf } from "../../../config/data-folder.ts";
import { limitOwn } from "../../../mart/own/own-file.ts";
import { listColumns } from "../../../report/columns/report-columns.ts";
import type { ReportWords } from "../../../report/options/parse-report-options.ts";
import { requireWord } from "../../../report/options/report-option-error.ts";
import { compareWords, type ReportRequest } from "../../../report/options/report-options.ts";
import { listOwnReports } from "../../../report/own/list-own-reports.ts";
import type { OwnReport } from "../../../report/own/own-report.ts";
import type { PublishedMart } from "../../../report/published/published-mart.ts";
import type { Report, ReportValue } from "../../../report/report.ts";
import { listByWords } from "../../../report/report-file.ts";
import { isReportName, reportNames } from "../../../report/report-name.ts";
import { reports } from "../../../report/reports.ts";
import { countOf } from "../../../util/text/words.ts";
import type { VenueError } from "../../../util/venue-error.ts";
import { collect } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitCodes } from "../../exit-code.ts";
import { listKnownOwn } from "../../known-own.ts";
import { exitImmediately } from "../../report-failure.ts";
import { chooseFormat, outputOptions, printReport, type ReportTarget } from "../../results/print-report.ts";

interface ReportFlags
  extends Omit<ReportWords, "report" | "format">,
    Omit<ReportTarget, "format" | "settings"> {
  format?: string;
  explain?: boolean;
  split?: string;
  date?: string;
}

/** Flags that can't be combined with `--explain`, which explains a single cell. */
const ofManyRows = [
  ["from", "--from"],
  ["to", "--to"],
  ["compare", "--compare"],
  ["by", "--by"],
  ["where", "--where"],
  ["only", "--only"],
  ["failUnder", "--fail-under"],
  ["top", "--top"],
  ["per", "--per"],
  ["sort", "--sort"],
  ["search", "--search"],
] as const;

export function define(command: Command, context: CliContext): void {
  const byWords = [...new Set(reportNames.flatMap((name) => listByWords(reports[name].file)))];
  command
    .addArgument(createNameArgument(context))
    .option(
      "--from <date>",
      "first local date, inclusive, or yesterday, 7d, 2026-W47, 2026-10, 2026-Q4 (default: the last 28 days with complete data; schedule: the next 7 days)",
    )
    .option("--to <date>", "last local date, inclusive, or yesterday, 2026-W47, 2026-10, 2026-Q4")
    .option(
      "--compare <period>",
      `compare with another period: ${compareWords.join(", ")}, or FROM..TO (plays, compliance, uptime)`,
    )
    .option("--by <words>", `group rows by: ${byWords.join(", ")}, or attributes; comma-separated`, collect)
    .option("--group <ids>", "only these groups: ids or names, comma-separated", collect)
    .option("--zone <ids>", "only these zones: ids or names, comma-separated", collect)
    .option("--location <ids>", "only these locations: ids, names or cities, comma-separated", collect)
    .option("--kind <kinds>", "only these kinds: music (not compliance), signage, messaging", collect)
    .option(
      "--campaign <ids>",
      "only these campaigns: ids or names (compliance, schedule, delivery, single-plays, plays --by campaign)",
      collect,
    )
    .option(
      "--where <name=values>",
      "only rows with these values of an attribute, e.g. region=North,South",
      collect,
    )
    .option("--item <ids>", "only these items (single-plays)", collect)
    .option("--artist <ids>", "only these artists (single-plays)", collect)
    .option("--device <ids>", "only these devices (uptime, outages, devices)", collect)
    .option("--load <ids>", "only these loads (loads, rejects)", collect)
    .option(
      "--only <states>",
      "only rows in these states: with such days, e.g. missed,missed_offline (compliance), devices, e.g. down,silent (devices), or lines, e.g. running (delivery)",
      collect,
    )
    .option(
      "--fail-under <share>",
      "exit with code 1 if a row is below this share, e.g. 0.95 (compliance, uptime), or the share of devices that are not down (devices)",
    )
    .option(
      "--explain",
      "explain the state of one campaign on one day in one zone; needs --campaign, --zone and --date (compliance)",
    )
    .option("--date <date>", "the local day to explain")
    .option("--top <n>", "only the n largest rows")
    .option(
      "--per <words>",
      "with --top: the n largest for each value of these words of --by (plays)",
      collect,
    )
    .option("--sort <column>", "sort by this column; with a leading -, in descending order")
    .option("--search <text>", "only rows with this text in a column")
    .option(
      "--split <word>",
      "one file per group, location, city, zone, or attribute of zones or locations; --out has its placeholder, e.g. lists/{city}.xlsx",
    )
    .option("--raw", "XLSX with column names as headers and durations in seconds")
    .addHelpText("after", ({ command }) => reportHelp(command, listKnownOwn(context)))
    .action(async (report: string, { explain, date, split, ...flags }: ReportFlags) => {
      const { parseReportOptions } = await import("../../../report/options/parse-report-options.ts");
      const { ReportOptionError } = await import("../../../report/options/report-option-error.ts");
      const own = isReportName(report) ? undefined : findOwn(context, report);
      const words = { ...flags, ...chooseFormat(context, flags.format), ...(own && { own }) };
      const { withAvailabilityTarget } = await import("../../../report/options/report-options.ts");
      const options = withAvailabilityTarget(parseReportOptions({ report, ...words }), context.settings);
      const target: ReportTarget = { ...words, format: options.format };
      if (date !== undefined && !explain) {
        throw new ReportOptionError(
          "--date",
          `--date (${date}) goes with --explain. Name a period with --from and --to.`,
        );
      }
      if (split !== undefined) {
        const { writeParts } = await import("../../results/write-parts.ts");
        const other = explain ? "--explain" : options.failUnder === undefined ? undefined : "--fail-under";
        if (other === undefined) return await writeParts(context, target, options, split);
        throw new ReportOptionError(
          "--split",
          `--split can't be combined with ${other}. Remove one of them.`,
        );
      }
      if (!explain)
        return await (own
          ? printOwn(context, target, options)
          : printWithThreshold(context, target, options));
      if (!reports[options.report].isOfCampaigns) {
        throw new ReportOptionError(
          "--explain",
          `The ${report} report does not take --explain; compliance does.`,
        );
      }
      for (const [flag, option] of ofManyRows) {
        if (flags[flag] === undefined) continue;
        throw new ReportOptionError(
          option,
          `--explain takes no ${option}: it explains one day of one campaign in one zone. Remove one of the two.`,
        );
      }
      const { parseCell, resolveCell } = await import("../../../report/findings/parse-cell.ts");
      const { explainCell } = await import("../../../report/findings/explain-cell.ts");
      const cell = parseCell(options, date);
      await printReport(context, target, async (mart) => explainCell(mart, await resolveCell(mart, cell)));
    });
  for (const option of outputOptions()) command.addOption(option);
}

/** Builds the help only when it is shown, because reading the headers of all reports takes a while. */
function reportHelp(command: Command, own: readonly OwnReport[]): string {
  const helper = command.createHelp();
  const entries = reportNames.map((name) => [name, reports[name]] as const);
  const formatLine = (name: string, text: string) =>
    `  ${name.padEnd(12)} ${helper.boxWrap(text, 65).replaceAll("\n", `\n${" ".repeat(15)}`)}`;
  const summaries = entries.map(([name, { summary }]) => formatLine(name, summary));
  const ownLines = own.map(({ name, summary, path, problem }) =>
    formatLine(name, problem?.message ?? `${summary} (${path})`),
  );
  const columns = entries.map(([name, { file }]) =>
    formatLine(
      name,
      listColumns(file)
        .map((column) => column.name)
        .join(", "),
    ),
  );
  return (
    `\nReports:\n${summaries.join("\n")}\n${ownLines.length > 0 ? `\nYour own reports:\n${ownLines.join("\n")}\n` : ""}\nColumns, after those of --by:\n${columns.join("\n")}\n` +
    "\nDefinitions of columns: venue help COLUMN, or the report's page (--format html).\n" +
    "\nExamples:\n  $ venue report plays --by item --top 20 --kind music\n" +
    "  $ venue report plays --by item,city --top 20 --per city\n" +
    "  $ venue report compliance --by campaign,zone --only missed,missed_offline\n" +
    "  $ venue report compliance --by zone --fail-under 0.95\n" +
    "  $ venue report devices --only down --fail-under 0.95\n" +
    "  $ venue report plays --by zone --compare before\n" +
    "  $ venue report uptime --by zone --split city --out lists/{city}.xlsx\n" +
    "  $ venue report compliance --explain --campaign 7 --zone 12 --date 2026-11-03\n"
  );
}

/**
 * Prints the report. With `--fail-under`, a row below the limit or without a value is a finding. So is an
 * empty report, unless `--only` left no rows and the total reaches the limit. The rows of `devices` have no
 * share, so that report is tested as a whole.
 */
async function printWithThreshold(
  context: CliContext,
  target: ReportTarget,
  options: ReportRequest,
): Promise<void> {
  const { runReport } = await import("../../../report/run-report.ts");
  const { failUnder } = options;
  const { threshold, testsDevices } = reports[options.report];
  await printReport(context, target, async (mart) => {
    const now = context.clock().now();
    if (failUnder !== undefined && testsDevices) await testDevices(context, mart, options, failUnder);
    if (failUnder === undefined || threshold === undefined) return await runReport(mart, options, now);
    const { checkThreshold } = await import("../../../report/findings/compliance-notes.ts");
    const { onlyStates, sort: _sort, ...whole } = options;
    const isWholeFine =
      onlyStates !== undefined &&
      whole.search === undefined &&
      (await isReached(await runReport(mart, { ...whole, by: [] }, now), threshold, failUnder));
    const report = await runReport(mart, options, now);
    return checkThreshold(report, threshold, failUnder, ({ rows, below }) => {
      if (rows > 0 ? below === 0 : isWholeFine) return;
      context.logger.warn(
        rows === 0
          ? `No row has a ${threshold} to compare with ${failUnder}.`
          : `${below} of ${countOf(rows, "row")} ${below === 1 ? "is" : "are"} below ${failUnder} or ${below === 1 ? "has" : "have"} no ${threshold}.`,
      );
      context.exitCode = exitCodes.finding;
    });
  });
}

/** Warns if, among devices with a known state, the share that is not down is below the limit. */
async function testDevices(
  context: CliContext,
  mart: PublishedMart,
  options: ReportRequest,
  failUnder: number,
): Promise<void> {
  const { resolveChosen } = await import("../../../report/options/find-chosen.ts");
  const { withOutdatedErrors } = await import("../../../report/published/run-state.ts");
  const { explainTooFewUp, findDeviceStates } = await import("../../../report/findings/device-states.ts");
  const known = withOutdatedErrors(mart);
  const problem = explainTooFewUp(
    await findDeviceStates(known, await resolveChosen(known, options)),
    failUnder,
  );
  if (problem === undefined) return;
  context.logger.warn(problem);
  context.exitCode = exitCodes.finding;
}

/** Returns true if a report's only row, the total, reaches the limit. */
async function isReached({ columns, rows }: Report, threshold: string, failUnder: number): Promise<boolean> {
  const position = columns.findIndex(({ name }) => name === threshold);
  let share: ReportValue = null;
  for await (const row of rows) share = row[position] ?? null;
  return share !== null && Number(share) >= failUnder;
}

/** Sets the choices only for help and completion; `parseReportOptions` rejects other words. */
function createNameArgument(context: CliContext): Argument {
  const argument = new Argument("<report>", "report name");
  // Read on use: the flags that say where own reports are may follow.
  Object.defineProperty(argument, "argChoices", {
    get: () => [...reportNames, ...listKnownOwn(context).map(({ name }) => name)],
  });
  return argument;
}

/** @throws {ReportOptionError} if neither our reports nor own ones have the name */
function findOwn({ settings }: CliContext, name: string): OwnReport {
  const own = listOwnReports(ownFolderOf(settings));
  const names = [...reportNames, ...own.map((one) => one.name)];
  const known = requireWord("venue report", name, names);
  return own.find((one) => one.name === known) as OwnReport;
}

/** Prints an own report within the limits of time and memory of own files. */
async function printOwn(context: CliContext, target: ReportTarget, options: ReportRequest): Promise<void> {
  const { runReport } = await import("../../../report/run-report.ts");
  const end = (error: VenueError) => exitImmediately(error, context);
  const bounds = limitOwn({ path: options.own?.path ?? "" }, ownLimitsOf(context.settings), end);
  try {
    await printReport(context, { ...target, limit: bounds.signal }, (mart) =>
      runReport(mart, options, context.clock().now()),
    );
  } finally {
    bounds.stop();
  }
}
