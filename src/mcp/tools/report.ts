import { z } from "zod";
import { ownFolderOf } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { type reportWords, toAddress } from "../../report/address/address.ts";
import { describePage } from "../../report/html/describe-page.ts";
import { chooseColumns } from "../../report/options/output-format.ts";
import { parseReportOptions } from "../../report/options/parse-report-options.ts";
import { requireWord } from "../../report/options/report-option-error.ts";
import {
  compareWords,
  type ReportRequest,
  withAvailabilityTarget,
} from "../../report/options/report-options.ts";
import { listOwnReports } from "../../report/own/list-own-reports.ts";
import type { OwnReport } from "../../report/own/own-report.ts";
import type { Report } from "../../report/report.ts";
import { isReportName, reportNames } from "../../report/report-name.ts";
import { runReport } from "../../report/run-report.ts";
import { createBasis, describeDataDays } from "../answers/basis.ts";
import { readRowPage, rowPageInput, wholeNumber } from "../answers/row-page.ts";
import { answerWithTable, tableOutput } from "../answers/table.ts";
import { defineTool } from "../define-tool.ts";

const one = z.union([z.string(), z.number()]);
const oneOrMore = z.union([one, z.array(one)]);
const list = (text: string) => oneOrMore.optional().describe(text);
const word = (text: string) => z.string().optional().describe(text);

/** The parameter names are those of page addresses and, with dashes, the flags of `venue report`. */
const words = {
  by: list("what rows are grouped by; list_reports has the words of each report and the attributes"),
  from: word("first local date, inclusive: 2026-11-01, yesterday, 7d, 2026-W47, 2026-10 or 2026-Q4"),
  to: word("last local date, inclusive, in the same forms except 7d"),
  compare: word(`period to compare with: ${compareWords.join(", ")}, or FROM..TO`),
  group: list("only these groups: ids or names"),
  location: list("only these locations: ids, names or cities"),
  zone: list("only these zones: ids or names"),
  kind: list("only these kinds: music, signage, messaging"),
  campaign: list("only these campaigns: ids or names"),
  where: list("only these values of attributes, e.g. region=North,South"),
  item: list("only these items: ids"),
  artist: list("only these artists: ids"),
  device: list("only these devices: ids"),
  load: list("only these loads: ids"),
  only: list("only rows in these states, e.g. missed,missed_offline for compliance or down for devices"),
  top: wholeNumber(1).optional().describe("maximum number of rows, largest first"),
  per: list("with top: the largest rows for each value of these words of by"),
  sort: word("column to sort by; with a leading -, the largest first"),
  search: word("only rows with this text in a column"),
} satisfies Record<(typeof reportWords)[number], z.ZodType>;

const single = ["from", "to", "compare", "sort", "search"] as const;
const lists = [
  ...(["by", "group", "location", "zone", "kind", "campaign", "where"] as const),
  ...(["item", "artist", "device", "load", "only", "per"] as const),
];

/** Equivalent to `venue report`. */
export const reportTool = defineTool({
  name: "report",
  title: "Report",
  description:
    "Runs a report and returns its rows, the answer in a sentence, the main figures, and definitions: " +
    "plays (what played, how often), compliance (whether campaigns ran, and why not), schedule (what runs next, what is not ready), " +
    "uptime and outages, devices (their state now), silences, quality (how far to trust the figures), single-plays, loads, rejects, or a report of the user's own.",
  input: {
    report: z.string().describe(`${reportNames.join(", ")}, or one of the user's own from list_reports`),
    ...words,
    columns: list("only these columns, in this order"),
    ...rowPageInput,
  },
  output: tableOutput,
  findOwn: ({ report }, settings) => (isReportName(report) ? undefined : findOwn(settings, report)),
  async answer({ report: name, limit, offset, columns, ...given }, context) {
    const { mart, now, settings } = context;
    const own = isReportName(name) ? undefined : findOwn(settings, name);
    const typed: Record<string, string | readonly string[]> = {};
    for (const key of lists) if (given[key] !== undefined) typed[key] = toList(given[key]);
    for (const key of single) if (given[key] !== undefined) typed[key] = given[key];
    if (given.top !== undefined) typed.top = String(given.top);
    const parsed = parseReportOptions({ report: name, ...typed, format: "json", ...(own && { own }) });
    const options = withAvailabilityTarget(withTotalOrder(parsed), settings);
    const whole = await runReport(mart, options, now);
    const report = columns === undefined ? whole : chooseColumns(whole, toList(columns));
    const page = await readRowPage(report.rows, { limit, offset });
    const described = await describePage(whole);
    return await answerWithTable({
      report,
      page,
      described,
      basis: createBasis(context, {
        dataAsOf: report.dataAsOf,
        coverage: describeCoverage(report, described?.coverage),
        address: toAddress(options, report.comparison?.requested ?? report.period),
      }),
      narrow: "choose fewer rows with filters, top, or other words of by",
    });
  },
});

/** Pages of rows need the same order in each call. Single plays have none of their own. */
function withTotalOrder(request: ReportRequest): ReportRequest {
  return request.report === "single-plays" && request.sort === undefined
    ? { ...request, sort: { column: "played_at_local", isDown: false } }
    : request;
}

function toList(given: z.infer<typeof oneOrMore>): string[] {
  return [given].flat().map(String);
}

/** @throws {ReportOptionError} if no report has this name, built-in or own */
function findOwn(settings: Settings, name: string): OwnReport {
  const own = listOwnReports(ownFolderOf(settings));
  const known = requireWord("venue report", name, [...reportNames, ...own.map((one) => one.name)]);
  return own.find((one) => one.name === known) as OwnReport;
}

function describeCoverage({ dataDays }: Report, ofPage: string | undefined): string {
  return [...(ofPage === undefined ? [] : [ofPage]), describeDataDays(dataDays)].join("; ");
}
