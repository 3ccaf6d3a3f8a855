import type { PublishedMart } from "./published-mart.ts";
import type { Report } from "./report.ts";
import type { ReportName } from "./report-name.ts";
import type { ReportOptions } from "./report-options.ts";

/** What is known of a report without loading what makes it. */
export interface ReportDefinition {
  /** One line, for `--help`. */
  summary: string;
  /** What `--by` accepts, in the order of the columns; none where a report has no `--by`. */
  byWords: readonly string[];
  /** Whether `--top` says how many of the largest rows to show. */
  takesTop: boolean;
  load(): Promise<BuildReport>;
}

/** @param now what "the last complete day" and ages are counted from */
type BuildReport = (mart: PublishedMart, options: ReportOptions, now: Date) => Promise<Report>;

/** Every report; a new one is an entry here, its SQL, and the file that it loads. */
export const reports: Readonly<Record<ReportName, ReportDefinition>> = {
  plays: {
    summary: "what played, and how often",
    byWords: ["kind", "group", "location", "zone", "item", "artist", "date", "week", "month", "hour"],
    takesTop: true,
    load: async () => (await import("./plays-report.ts")).buildPlaysReport,
  },
  quality: {
    summary: "how far the figures can be trusted: freshness, rejected lines, restated days",
    byWords: [],
    takesTop: false,
    load: async () => (await import("./quality-report.ts")).buildQualityReport,
  },
};
