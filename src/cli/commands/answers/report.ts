import { Argument, type Command, Option } from "commander";
import { isSingle, listWords, toFlag } from "../../../report/options/option-list.ts";
import type { TypedOptions } from "../../../report/options/parse-request.ts";
import type { ReportRequest } from "../../../report/options/request-options.ts";
import type { PublishedMart } from "../../../report/published/published-mart.ts";
import { isReportName, reportNames } from "../../../report/report-name.ts";
import type { Report, ReportValue } from "../../../report/result-types.ts";
import { countOf } from "../../../util/text/words.ts";
import type { VenueError } from "../../../util/venue-error.ts";
import { collect } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { exitImmediately } from "../../describe-failure.ts";
import { exitCodes } from "../../exit-code.ts";
import { chooseFormat, outputOptions, printReport, type ReportTarget } from "../../results/print-rows.ts";

interface ReportFlags
  extends Omit<TypedOptions, "report" | "format">,
    Omit<ReportTarget, "format" | "settings"> {
  format?: string;
  explain?: boolean;
  split?: string;
  date?: string;
}

let help: typeof import("../../help-topics.ts") | undefined;

/** Adds the parts that only help and completion need. They load slowly, because they read all reports' entries. */
export async function loadHelp(command: Command): Promise<void> {
  help = await import("../../help-topics.ts");
  const { describeOption } = await import("../../../report/options/describe-option.ts");
  for (const [word] of listWords()) {
    const option = command.options.find(({ long }) => long === toFlag(word));
    if (option) option.description = describeOption(word);
  }
}

export function define(command: Command, context: CliContext): void {
  command.addArgument(createNameArgument(context));
  for (const [word, { value }] of listWords()) {
    const option = new Option(`${toFlag(word)} <${value}>`);
    command.addOption(isSingle(word) ? option : option.argParser(collect));
  }
  command
    .option(
      "--explain",
      "explain the state of one campaign on one day in one zone; needs --campaign, --zone and --date (compliance)",
    )
    .option("--date <date>", "the local day to explain")
    .option(
      "--split <dimension>",
      "one file per group, location, city, zone, or attribute of zones or locations; --out must contain its placeholder, e.g. lists/{city}.xlsx",
    )
    .option("--raw", "XLSX with column names as headers and durations in seconds")
    .addHelpText("after", ({ command }) => help?.describeReports(command, context) ?? "")
    .action(async (report: string, { explain, date, split, ...flags }: ReportFlags) => {
      const { parseRequest } = await import("../../../report/options/parse-request.ts");
      const { ReportOptionError } = await import("../../../report/options/option-error.ts");
      const words = { ...flags, ...chooseFormat(context, flags.format) };
      const requested = await findReport(context, report);
      const { custom } = requested;
      const { withAvailabilityTarget } = await import("../../../report/options/request-options.ts");
      const options = withAvailabilityTarget(parseRequest(requested, words), context.settings);
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
        return await (custom
          ? printCustom(context, target, options)
          : printWithThreshold(context, target, options));
      if (!options.entry.isExplained) {
        throw new ReportOptionError(
          "--explain",
          `The ${report} report does not take --explain; compliance does.`,
        );
      }
      const other = listWords().find(
        ([word, { isOfCampaignDay = false }]) => !isOfCampaignDay && flags[word] !== undefined,
      );
      if (other !== undefined) {
        const flag = toFlag(other[0]);
        throw new ReportOptionError(
          flag,
          `--explain takes no ${flag}: it explains one day of one campaign in one zone. Remove one of the two.`,
        );
      }
      const { parseCampaignDay, resolveCampaignDay } = await import(
        "../../../report/findings/parse-campaign-day.ts"
      );
      const { explainCampaignDay } = await import("../../../report/findings/explain-campaign-day.ts");
      const cell = parseCampaignDay(options, date);
      await printReport(context, target, async (mart) =>
        explainCampaignDay(mart, await resolveCampaignDay(mart, cell)),
      );
    });
  for (const option of outputOptions()) command.addOption(option);
}

/**
 * Prints the report. With `--fail-under`, a row below the limit or without a value is a finding. An empty
 * report is a finding, too, unless `--only` removed all rows and the total reaches the limit. The rows of
 * `devices` have no ratio, so that report is tested as a whole.
 */
async function printWithThreshold(
  context: CliContext,
  target: ReportTarget,
  options: ReportRequest,
): Promise<void> {
  const { runReport } = await import("../../../report/run-report.ts");
  const { failUnder } = options;
  const { threshold, testsDevices } = options.entry;
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

/** Warns if the ratio of devices that are not down to devices with a known state is below the limit. */
async function testDevices(
  context: CliContext,
  mart: PublishedMart,
  options: ReportRequest,
  failUnder: number,
): Promise<void> {
  const { resolveChosen } = await import("../../../report/options/resolve-entities.ts");
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

/** Sets the choices only for help and completion; `parseReportOptions` rejects other names. */
function createNameArgument(context: CliContext): Argument {
  const argument = new Argument("<report>", "report name");
  // Evaluated on use, because flags that set the folder of custom reports may come after the name.
  Object.defineProperty(argument, "argChoices", {
    get: () => [...reportNames, ...(help?.listKnownCustom(context) ?? []).map(({ name }) => name)],
  });
  return argument;
}

/** @throws {ReportOptionError} if neither a built-in nor a custom report has the name */
async function findReport(
  { settings }: CliContext,
  name: string,
): Promise<Pick<ReportRequest, "report" | "entry" | "custom">> {
  if (isReportName(name)) {
    const { entryLoaders } = await import("../../../report/catalog/load-entry.ts");
    return { report: name, entry: await entryLoaders[name]() };
  }
  const { customFolderOf } = await import("../../../config/data-folder.ts");
  const { createCustomEntry } = await import("../../../report/custom/custom-entry.ts");
  const { getCustomReport } = await import("../../../report/custom/list-custom-reports.ts");
  const custom = getCustomReport(customFolderOf(settings), name);
  return { report: "own", custom, entry: createCustomEntry(custom) };
}

/** Prints a custom report, within the time and memory limits of custom files. */
async function printCustom(context: CliContext, target: ReportTarget, options: ReportRequest): Promise<void> {
  const { runReport } = await import("../../../report/run-report.ts");
  const { customLimitsOf } = await import("../../../config/data-folder.ts");
  const { limitCustom } = await import("../../../mart/custom/custom-file.ts");
  const end = (error: VenueError) => exitImmediately(error, context);
  const bounds = limitCustom({ path: options.custom?.path ?? "" }, customLimitsOf(context.settings), end);
  try {
    await printReport(context, { ...target, limit: bounds.signal }, (mart) =>
      runReport(mart, options, context.clock().now()),
    );
  } finally {
    bounds.stop();
  }
}
