import type { Settings } from "../../config/settings.ts";
import type { Kind } from "../../util/kind.ts";
import type { ComplianceState } from "../compliance-states.ts";
import type { FormatName } from "../formats.ts";
import type { Period } from "../report.ts";
import type { ReportName } from "../report-name.ts";

/** What a report can be narrowed to, by id or by name. */
export const subjects = ["group", "zone", "location", "campaign"] as const;
export type Subject = (typeof subjects)[number];

/** What was typed of each, several at once with commas between. Nothing means all. */
export type ChosenWords = Readonly<Partial<Record<Subject, readonly string[]>>>;

/** What the days of a period are compared with: as many just before them, or the same weekdays four weeks earlier. */
export const compareWords = ["before", "4-weeks-ago"] as const;
/** Or any other period. */
export type Compare = (typeof compareWords)[number] | Period;

/** A report as it was asked for: whether what it names exists is not known yet. */
export interface AskedReport {
  report: ReportName;
  /** In the order of the report's columns. */
  by: readonly string[];
  chosen: ChosenWords;
  /** An empty list means all. */
  kinds: readonly Kind[];
  /** Local dates, inclusive. */
  from?: string;
  to?: string;
  /** @default nothing */
  compare?: Compare | undefined;
  /** Only these items, artists, devices, loads. @default all */
  itemIds?: readonly number[];
  artistIds?: readonly number[];
  deviceIds?: readonly number[];
  loadIds?: readonly number[];
  /** Only rows with days in one of these states. @default all */
  onlyStates?: readonly ComplianceState[];
  /** Least share that a row must reach, 0 to 1; a row without one fails. */
  failUnder?: number;
  /** Share that pages compare availability with where `failUnder` names none, 0 to 1. */
  availabilityTarget?: number;
  /** Only so many of the largest rows. */
  top?: number;
  /** A column of the report; the largest, or last, first. @default the report's own order */
  sort?: { column: string; isDown: boolean };
  /** Only rows with this text in one of their columns. @default all */
  search?: string;
  /**
   * Whether rows are read for a page's sentences: they then hold the columns that are kept for notes as well, and counts
   * that can only be 1 because one zone or device was chosen. @default false
   */
  forSentences?: boolean;
  /** @default "table" */
  format: FormatName;
}

/** A report to make: what the words stand for is known. An empty list means all. */
export interface ReportOptions extends Omit<AskedReport, "chosen"> {
  groupIds: readonly number[];
  zoneIds: readonly number[];
  locationIds: readonly number[];
  campaignKeys: readonly number[];
}

/** With the target that the settings name, if they do: nobody is held to one that nobody set. */
export function withAvailabilityTarget(options: AskedReport, settings: Settings): AskedReport {
  const availabilityTarget = settings.find("VENUE_AVAILABILITY_TARGET");
  return availabilityTarget === undefined ? options : { ...options, availabilityTarget };
}
