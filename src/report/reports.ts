import type { ReportOptions } from "./options/report-options.ts";
import type { PublishedMart } from "./published/published-mart.ts";
import type { Report } from "./report.ts";
import type { ReportName } from "./report-name.ts";

/** Filters that only some reports take. */
export const alsoOfWords = ["item", "artist", "device", "load"] as const;
type AlsoOf = (typeof alsoOfWords)[number];

/** What is known of a report without loading what makes it. */
export interface ReportDefinition {
  /** One line, for `--help`. */
  summary: string;
  /** Of its SQL, below `sql/reports/` and without its ending: the header says which columns it has, and what `--by` takes. */
  file: string;
  /** Whether `--top` says how many of the largest rows to show. */
  takesTop: boolean;
  /** Whether `--from` and `--to` say what it covers. @default true */
  takesPeriod?: boolean;
  /** Whether `--kind` is about it. @default true */
  isOfKinds?: boolean;
  /** Whether `--campaign`, `--only` and `--explain` are about it. */
  isOfCampaigns?: boolean;
  /** What else it can be narrowed to: `--item`, `--artist`, `--device`, `--load`. @default nothing */
  alsoOf?: readonly AlsoOf[];
  /** The column that `--fail-under` tests. */
  threshold?: string;
  /** The column by which its rows stand on a page, the largest first, where they don't go on over time. */
  ranking?: string;
  load(): Promise<BuildReport>;
}

/** @param now what "the last complete day" and ages are counted from */
type BuildReport = (mart: PublishedMart, options: ReportOptions, now: Date) => Promise<Report>;

/** Every report; a new one is an entry here, its SQL, and the file that it loads. */
export const reports: Readonly<Record<ReportName, ReportDefinition>> = {
  plays: {
    file: "plays",
    summary: "what played, and how often",
    takesTop: true,
    ranking: "plays",
    load: async () => (await import("./rows/grouped-reports.ts")).buildPlaysReport,
  },
  compliance: {
    file: "compliance",
    summary: "did campaigns run where and when they were scheduled",
    takesTop: false,
    isOfCampaigns: true,
    threshold: "compliance",
    load: async () => (await import("./rows/grouped-reports.ts")).buildComplianceReport,
  },
  uptime: {
    file: "uptime",
    summary: "how long devices were up and down",
    takesTop: false,
    isOfKinds: false,
    alsoOf: ["device"],
    threshold: "availability",
    load: async () => (await import("./rows/grouped-reports.ts")).buildUptimeReport,
  },
  outages: {
    file: "outages",
    summary: "when devices were down for 15 minutes or more",
    takesTop: true,
    ranking: "down_seconds",
    isOfKinds: false,
    alsoOf: ["device"],
    load: async () => (await import("./rows/list-reports.ts")).buildOutagesReport,
  },
  devices: {
    file: "devices",
    summary: "devices as they were seen last, those that need a look first",
    takesTop: true,
    takesPeriod: false,
    isOfKinds: false,
    alsoOf: ["device"],
    load: async () => (await import("./rows/list-reports.ts")).buildDevicesReport,
  },
  quality: {
    // The first of several that all have these columns.
    file: "quality/10_published",
    summary: "how far the figures can be trusted: freshness, rejected lines, restated days",
    takesTop: false,
    load: async () => (await import("./rows/quality-report.ts")).buildQualityReport,
  },
  "single-plays": {
    file: "single_plays",
    summary: "each play by itself, with its time",
    takesTop: false,
    alsoOf: ["item", "artist"],
    load: loadList({ file: "single_plays", title: "Single plays", isOfPeriod: true }),
  },
  loads: {
    file: "loads",
    summary: "what became of the lines of each load, newest first",
    takesTop: false,
    takesPeriod: false,
    alsoOf: ["load"],
    load: loadList({ file: "loads", title: "Loads", isOfPeriod: false }),
  },
  rejects: {
    file: "rejects",
    summary: "lines that could not become a play, with the reason",
    takesTop: false,
    takesPeriod: false,
    alsoOf: ["load"],
    load: loadList({ file: "rejects", title: "Rejected lines", isOfPeriod: false }),
  },
};

function loadList(list: { file: string; title: string; isOfPeriod: boolean }): ReportDefinition["load"] {
  return async () => {
    const { buildListReport } = await import("./rows/list-reports.ts");
    return (mart, options, now) => buildListReport(list, mart, options, now);
  };
}
