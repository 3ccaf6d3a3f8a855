import type { Address } from "../address/address.ts";
import type { EqualNames } from "../findings/equal-names.ts";
import type { ReportOptions } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period, ReportValue } from "../report.ts";
import type { ReportName } from "../report-name.ts";

export type Row = Readonly<Record<string, ReportValue>>;

/** From best to worst. */
export const statuses = ["good", "not known yet", "look at it", "bad"] as const;
export type Status = (typeof statuses)[number];

/** Above this share of unknown devices, days or time, nothing is called good. */
export const toleratedUnknown = 0.5;

/** One question that people ask every morning, and how it stands. */
export interface Verdict {
  question: string;
  status: Status;
  /** The answer, in a sentence. */
  answer: string;
  /** When it is which status. */
  rule: string;
  /** What says more. */
  address: Address;
  /** What to look at, worst first. */
  worst: readonly Finding[];
}

/** One thing to look at. */
export interface Finding {
  text: string;
  address: Address;
}

/** What a verdict is made from. */
export interface OverviewSources {
  mart: PublishedMart;
  now: Date;
  /** What tells zones and campaigns apart that are called alike. */
  names: EqualNames;
  /** Rows of a report, by column name. */
  read(report: ReportName, changes?: Partial<ReportOptions>): Promise<Row[]>;
  /** What a report covers where no dates are asked for. */
  periodOf(report: ReportName): Promise<Period>;
  /** Age of the oldest data that a report reads; `null` when unknown. */
  asOf(report: ReportName): Promise<string | null>;
}
