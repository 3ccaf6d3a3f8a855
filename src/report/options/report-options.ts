import type { Kind } from "../../util/kind.ts";
import type { FormatName } from "../formats.ts";
import type { ReportName } from "../report-name.ts";

/** What a campaign's day in a zone can be: of the table of states the first that holds, in its order. */
export const complianceStates = [
  "unscheduled",
  "pending",
  "compliant",
  "closed",
  "not_measurable",
  "missed_offline",
  "missed",
] as const;
export type ComplianceState = (typeof complianceStates)[number];

/** A report to make. An empty list of ids or kinds means all. */
export interface ReportOptions {
  report: ReportName;
  /** In the order of the report's columns. */
  by: readonly string[];
  groupIds: readonly number[];
  zoneIds: readonly number[];
  locationIds: readonly number[];
  kinds: readonly Kind[];
  /** Local dates, inclusive. */
  from?: string;
  to?: string;
  /** Only these campaigns. @default all */
  campaignIds?: readonly number[];
  /** Only rows with days in one of these states. @default all */
  onlyStates?: readonly ComplianceState[];
  /** Least share that a row must reach, 0 to 1; a row without one fails. */
  failUnder?: number;
  /** Only so many of the largest rows. */
  top?: number;
  /** @default "table" */
  format: FormatName;
}
