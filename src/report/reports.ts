import type { AttributeSubject } from "../mart/attribute.ts";
import { listAttributeSubjects, listGroupings } from "./columns/report-columns.ts";
import { complianceStates } from "./compliance-states.ts";
import type { ReportOptions } from "./options/report-options.ts";
import { isOfPeriod, isOfPlaces } from "./own/own-report.ts";
import type { Report } from "./report.ts";
import { chooseReportFile, isByCampaign, listByWords } from "./report-file.ts";
import type { ReportName, reportNames } from "./report-name.ts";
import type { RequestContext } from "./request-context.ts";
import { deviceStates, type RowState, targetStates } from "./row-states.ts";

/** Filters that only some reports take. */
export const extraFilterWords = ["item", "artist", "device", "load"] as const;
type ExtraFilter = (typeof extraFilterWords)[number];

export interface ReportDefinition {
  /** One line, for `--help`. */
  summary: string;
  /** Its entry in the catalog. Absent for an own report. */
  file?: string;
  takesTop: boolean;
  /** `--by` words used if none are given. @default a total */
  defaultBy?: readonly string[];
  /** @default true */
  takesPeriod?: boolean;
  /** True if it takes `--kind`. @default true */
  isOfKinds?: boolean;
  /** True if it accepts `--campaign` and `--explain`. */
  isOfCampaigns?: boolean;
  /** True if it accepts `--campaign` but not `--explain`. */
  takesCampaign?: boolean;
  /** True if it takes `--zone`, `--location` and `--group`. @default true */
  takesPlaces?: boolean;
  /** Further filters: `--item`, `--artist`, `--device`, `--load`. @default none */
  extraFilters?: readonly ExtraFilter[];
  /** States that `--only` accepts. @default none */
  states?: readonly RowState[];
  /** Column that `--fail-under` tests. */
  threshold?: string;
  /** True if `--fail-under` tests the share of devices that are not down, because rows have no share. */
  testsDevices?: boolean;
  /** Column that sorts rows on a page, largest first, unless rows are days, weeks, months or hours. */
  ranking?: string;
  load(): Promise<BuildReport>;
}

type BuildReport = (context: RequestContext) => Promise<Report>;

/** All reports. To add one, add an entry, its SQL, and the file that it loads. */
export const reports: Readonly<
  Record<ReportName, ReportDefinition> & Record<(typeof reportNames)[number], { file: string }>
> = {
  plays: {
    file: "plays",
    summary: "what played, and how often",
    takesTop: true,
    ranking: "plays",
    load: async () => (await import("./rows/grouped-reports.ts")).buildPlaysReport,
  },
  compliance: {
    file: "compliance",
    summary: "whether campaigns ran where and when they were scheduled",
    takesTop: false,
    isOfCampaigns: true,
    states: complianceStates,
    threshold: "compliance",
    load: async () => (await import("./rows/grouped-reports.ts")).buildComplianceReport,
  },
  schedule: {
    file: "schedule",
    summary: "which campaigns run next, end soon, or are not ready",
    takesTop: false,
    takesCampaign: true,
    ranking: "not_ready",
    defaultBy: ["campaign", "zone"],
    load: async () => (await import("./rows/grouped-reports.ts")).buildScheduleReport,
  },
  delivery: {
    file: "delivery",
    summary: "booked plays of campaigns against delivered ones",
    takesTop: false,
    takesPeriod: false,
    takesCampaign: true,
    states: targetStates,
    defaultBy: ["campaign"],
    load: async () => (await import("./rows/delivery-report.ts")).buildDeliveryReport,
  },
  uptime: {
    file: "uptime",
    summary: "how long devices were up and down",
    takesTop: false,
    isOfKinds: false,
    extraFilters: ["device"],
    threshold: "availability",
    load: async () => (await import("./rows/grouped-reports.ts")).buildUptimeReport,
  },
  outages: {
    file: "outages",
    summary: "when devices were down for 15 minutes or more",
    takesTop: true,
    ranking: "down_seconds",
    isOfKinds: false,
    extraFilters: ["device"],
    load: async () => (await import("./rows/list-reports.ts")).buildOutagesReport,
  },
  devices: {
    file: "devices",
    summary: "devices as of their last check, most urgent first",
    takesTop: true,
    takesPeriod: false,
    isOfKinds: false,
    extraFilters: ["device"],
    states: deviceStates,
    testsDevices: true,
    load: async () => (await import("./rows/list-reports.ts")).buildDevicesReport,
  },
  quality: {
    file: "quality",
    summary: "whether the figures can be trusted: freshness, rejected lines, restated days",
    takesTop: false,
    load: async () => (await import("./rows/quality-report.ts")).buildQualityReport,
  },
  silences: {
    file: "silences",
    summary: "when zones were open but silent for over 10 minutes",
    takesTop: true,
    ranking: "silent_seconds",
    isOfKinds: false,
    load: async () => (await import("./rows/list-reports.ts")).buildSilencesReport,
  },
  "single-plays": {
    file: "single_plays",
    summary: "individual plays, with their times",
    takesTop: false,
    takesCampaign: true,
    extraFilters: ["item", "artist"],
    load: loadList({ file: "single_plays", title: "Single plays", isOfPeriod: true }),
  },
  loads: {
    file: "loads",
    summary: "lines of each load by outcome, newest first",
    takesTop: false,
    takesPeriod: false,
    extraFilters: ["load"],
    load: loadList({ file: "loads", title: "Loads", isOfPeriod: false }),
  },
  rejects: {
    file: "rejects",
    summary: "rejected lines, with the reason",
    takesTop: false,
    takesPeriod: false,
    extraFilters: ["load"],
    load: loadList({ file: "rejects", title: "Rejected lines", isOfPeriod: false }),
  },
  own: {
    summary: "a report of your own",
    takesTop: false,
    load: async () => (await import("./own/build-own-report.ts")).buildOwnReport,
  },
};

/** Returns the SQL file of a report's rows; those by some words are in others, see `chooseReportFile`. */
export function getReportFile(report: ReportName): string {
  const { file } = reports[report];
  if (file === undefined) throw new Error("an own report has no file of ours");
  return file;
}

/** Returns the definition of a requested report. An own report takes the options whose relations it reads. */
export function definitionOf({ report, own }: Pick<ReportOptions, "report" | "own">): ReportDefinition {
  if (own === undefined) return reports[report];
  const { summary, reads } = own;
  return {
    ...reports.own,
    summary,
    takesPeriod: isOfPeriod(own),
    takesPlaces: isOfPlaces(own),
    takesCampaign: reads.includes("chosen_campaign"),
    isOfKinds: reads.includes("chosen_campaign"),
  };
}

/** Returns true if a requested report takes `--campaign`, which plays take only by campaign. */
export function takesCampaigns(asked: Pick<ReportOptions, "report" | "own" | "by">): boolean {
  const { isOfCampaigns, takesCampaign, file } = definitionOf(asked);
  return (
    isOfCampaigns === true || takesCampaign === true || (file !== undefined && isByCampaign(file, asked.by))
  );
}

/** Returns all words of `--by` that a requested report takes; an own report takes none. */
export function listByWordsOf({ report, own }: Pick<ReportOptions, "report" | "own">): string[] {
  return own === undefined ? listByWords(getReportFile(report)) : [];
}

/** Returns the words of `--by` that can be combined in a requested report. */
export function listGroupingsOf({ report, own, by }: Pick<ReportOptions, "report" | "own" | "by">): string[] {
  return own === undefined ? listGroupings(chooseReportFile(getReportFile(report), by)) : [];
}

/** Returns the subjects whose attributes a requested report takes, in the order in which a name is looked up. */
export function listSubjectsOf(
  asked: Pick<ReportOptions, "report" | "own" | "by">,
): readonly AttributeSubject[] {
  if (asked.own === undefined)
    return listAttributeSubjects(chooseReportFile(getReportFile(asked.report), asked.by));
  const { takesPlaces, takesCampaign } = definitionOf(asked);
  return [...(takesPlaces ? ["zone" as const] : []), ...(takesCampaign ? ["campaign" as const] : [])];
}

function loadList(list: { file: string; title: string; isOfPeriod: boolean }): ReportDefinition["load"] {
  return async () => {
    const { buildListReport } = await import("./rows/list-reports.ts");
    return (context) => buildListReport(list, context);
  };
}
