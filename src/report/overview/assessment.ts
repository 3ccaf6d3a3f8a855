import type { Address } from "../address/address.ts";
import type { EqualNames } from "../findings/names.ts";
import type { ReportedDays } from "../findings/reported-days.ts";
import type { ReportOptions } from "../options/request-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { ReportName } from "../report-name.ts";
import type { ReportValue } from "../result-types.ts";

export type Row = Readonly<Record<string, ReportValue>>;

/** Best to worst. */
export const statuses = ["good", "not known yet", "needs attention", "bad"] as const;
export type Status = (typeof statuses)[number];

/** Maximum ratio of devices, days or time in an unknown state for a good status. */
export const toleratedUnknown = 0.5;

export interface Assessment {
  question: string;
  status: Status;
  answer: string;
  /** Criteria for each status. */
  rule: string;
  address: Address;
  /** Absent if fewer than two days are known. */
  trend?: Trend | undefined;
  /** Findings, worst first. */
  worst: readonly Finding[];
}

export interface Finding {
  text: string;
  address: Address;
}

/** A measure per day, up to the last complete day. */
export interface Trend {
  /** E.g. `Plays per day`. */
  title: string;
  isShare: boolean;
  /** `null` if the day has no data or only partial data, or the value is unknown. */
  days: readonly { date: string; value: number | null }[];
}

export interface OverviewSources {
  mart: PublishedMart;
  now: Date;
  names: EqualNames;
  read(report: ReportName, changes?: Partial<ReportOptions>): Promise<Row[]>;
  /** Returns a report's default period, and the extent of its data. */
  daysOf(report: ReportName): Promise<ReportedDays>;
  /** Returns a report's data as of; `null` if unknown. */
  asOf(report: ReportName): Promise<string | null>;
  /** Compliance and its coverage by date, used by two questions. */
  complianceDays: readonly Row[];
}
