import { largestId } from "../../config/parsers.ts";
import { kinds } from "../../util/kind.ts";
import { byWordsOf } from "../columns/report-columns.ts";
import { type FormatName, formatNames } from "../formats.ts";
import { type ReportName, reportNames } from "../report-name.ts";
import { reports } from "../reports.ts";
import { isLocalDate } from "../text/local-date.ts";
import { ReportOptionError, requireWord } from "./report-option-error.ts";
import { complianceStates, type ReportOptions } from "./report-options.ts";

/** What was typed. Lists may be given several times, and hold several values with commas between. */
export interface ReportWords {
  report: string;
  by?: readonly string[];
  group?: readonly string[];
  zone?: readonly string[];
  location?: readonly string[];
  kind?: readonly string[];
  from?: string;
  to?: string;
  campaign?: readonly string[];
  only?: readonly string[];
  failUnder?: string;
  top?: string;
  format?: string;
}

/** @throws {ReportOptionError} naming the option, the value and what is accepted */
export function parseReportOptions(words: ReportWords): ReportOptions {
  const report = requireWord("report", words.report, reportNames);
  const {
    takesTop,
    takesPeriod = true,
    isOfKinds = true,
    isOfCampaigns = false,
    threshold,
  } = reports[report];
  const by = parseBy(report, byWordsOf(reports[report].file), splitList("--by", words.by));
  if (words.top !== undefined && !takesTop) {
    throw new ReportOptionError("--top", words.top, `nothing: the ${report} report is no ranking.`);
  }
  refuseUnless(takesPeriod, report, "--from", words.from);
  refuseUnless(takesPeriod, report, "--to", words.to);
  refuseUnless(isOfKinds, report, "--kind", words.kind?.join());
  refuseUnless(isOfCampaigns, report, "--campaign", words.campaign?.join());
  refuseUnless(isOfCampaigns, report, "--only", words.only?.join());
  refuseUnless(threshold !== undefined, report, "--fail-under", words.failUnder);
  const from = parseDate("--from", words.from);
  const to = parseDate("--to", words.to);
  if (from !== undefined && to !== undefined && from > to) {
    throw new ReportOptionError("--from", from, `a date up to --to, which is ${to}.`);
  }
  return {
    report,
    by,
    groupIds: parseIds("--group", words.group),
    zoneIds: parseIds("--zone", words.zone),
    locationIds: parseIds("--location", words.location),
    kinds: splitList("--kind", words.kind).map((kind) => requireWord("--kind", kind, kinds)),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(words.campaign === undefined ? {} : { campaignIds: parseIds("--campaign", words.campaign) }),
    ...(words.only === undefined
      ? {}
      : {
          onlyStates: splitList("--only", words.only).map((state) =>
            requireWord("--only", state, complianceStates),
          ),
        }),
    ...(words.failUnder === undefined ? {} : { failUnder: parseShare("--fail-under", words.failUnder) }),
    ...(words.top === undefined ? {} : { top: parseTop(words.top) }),
    format: parseFormat(words.format),
  };
}

/** @throws {ReportOptionError} */
export function parseFormat(format = "table"): FormatName {
  return requireWord("--format", format, formatNames);
}

function parseBy(report: ReportName, byWords: readonly string[], asked: readonly string[]): string[] {
  const [first] = asked;
  if (first !== undefined && byWords.length === 0) {
    throw new ReportOptionError("--by", first, `nothing: the ${report} report has rows of its own.`);
  }
  const chosen = new Set(asked.map((word) => requireWord("--by", word, byWords)));
  return byWords.filter((word) => chosen.has(word));
}

function splitList(option: string, values: readonly string[] = []): string[] {
  const parts = values.flatMap((value) => value.split(",")).map((part) => part.trim());
  if (parts.includes(""))
    throw new ReportOptionError(option, values.join(","), "values with commas between.");
  return [...new Set(parts)];
}

/** @throws {ReportOptionError} */
export function parseIds(option: string, values: readonly string[] | undefined): number[] {
  return splitList(option, values).map((text) => {
    const id = Number(text);
    if (!/^\d+$/.test(text) || id > largestId) {
      throw new ReportOptionError(option, text, `whole numbers from 0 to ${largestId}, commas between.`);
    }
    return id;
  });
}

/** @throws {ReportOptionError} */
export function parseDate(option: string, text: string | undefined): string | undefined {
  if (text === undefined || isLocalDate(text)) return text;
  throw new ReportOptionError(option, text, "a date that exists, as YYYY-MM-DD.");
}

function refuseUnless(isTaken: boolean, report: ReportName, option: string, value: string | undefined): void {
  if (value === undefined || isTaken) return;
  throw new ReportOptionError(option, value, `nothing: the ${report} report has no such thing.`);
}

function parseShare(option: string, text: string): number {
  const share = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || share > 1) {
    throw new ReportOptionError(option, text, "a number from 0 to 1, such as 0.95.");
  }
  return share;
}

function parseTop(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0) {
    throw new ReportOptionError("--top", text, "a whole number from 1.");
  }
  return Number(text);
}
