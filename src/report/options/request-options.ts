import type { Settings } from "../../config/settings.ts";
import type { AttributeEntity } from "../../mart/attribute.ts";
import type { Kind } from "../../util/kind.ts";
import type { ReportEntry } from "../catalog/report-entry.ts";
import type { CustomReport } from "../custom/custom-report.ts";
import type { FormatName } from "../formats.ts";
import type { ReportName } from "../report-name.ts";
import type { Period } from "../result-types.ts";
import type { RowState } from "../row-states.ts";

export const subjects = ["group", "zone", "location", "campaign"] as const;
export type Subject = (typeof subjects)[number];

/** Filters as typed, each a list of ids or names that may contain commas. An absent filter includes all. */
type ChosenWords = Readonly<Partial<Record<Subject, readonly string[]>>>;

/** Periods to compare with: the same number of days just before, or the same weekdays four weeks earlier. */
export const compareWords = ["before", "4-weeks-ago"] as const;
/** A period's dates may be words, as in `--from`. */
export type Compare = (typeof compareWords)[number] | Period;

/** An attribute's name, and its values as typed: one value, or several separated by commas. */
export interface AttributeFilter {
  name: string;
  text: string;
}

/** A published attribute that groups or filters rows. */
export interface ChosenAttribute {
  subject: AttributeEntity;
  name: string;
  /** As published; empty means all. */
  values: readonly string[];
}

/** A report as requested, before names are resolved. */
export interface ReportRequest {
  report: ReportName;
  /** The declaration of the report. */
  entry: ReportEntry;
  /** The custom report, if `report` is `own`. */
  custom?: CustomReport;
  /** Attributes, then dimensions of the report in the order of its columns. */
  by: readonly string[];
  chosen: ChosenWords;
  /** An empty list means all. */
  kinds: readonly Kind[];
  /** Local dates, inclusive; or words for periods such as `last-week`, and for `from` a number of days such as `7d`. */
  from?: string;
  to?: string;
  /** @default no comparison */
  compare?: Compare | undefined;
  /** Only rows with one of these values of an attribute. @default all */
  where?: readonly AttributeFilter[];
  /** True for a part of a report split by an attribute: notes that count zones of all parts are omitted. */
  isPart?: boolean;
  /** Only these items, artists, devices, loads. @default all */
  itemIds?: readonly number[];
  artistIds?: readonly number[];
  deviceIds?: readonly number[];
  loadIds?: readonly number[];
  /** Maximum minutes between a play and its repeat. @default 60 */
  within?: number;
  /** Only rows with days, or devices, in one of these states. @default all */
  onlyStates?: readonly RowState[];
  /** Minimum ratio of each row, or of devices that are not down, 0 to 1. A missing ratio is treated as below it. */
  failUnder?: number;
  /** Availability target of pages without `failUnder`, 0 to 1. */
  availabilityTarget?: number;
  /** Maximum rows, largest first. */
  top?: number;
  /** Dimensions of `by`: `top` limits the rows for each of their values. @default limits all rows together */
  per?: readonly string[];
  /** Column to sort by; `isDown` puts the largest or last first. @default the report's order */
  sort?: { column: string; isDown: boolean };
  /** Only rows that contain this text in a column. @default all */
  search?: string;
  /**
   * Adds columns that only a page's sentences need: counts that can only be 1, and hidden columns for notes.
   * @default false
   */
  forSentences?: boolean;
  /** Measures that the caller needs; the others are not read. @default all that are shown */
  measures?: readonly string[];
  /** Number of first rows that the caller reads; the others need not be sorted. @default all */
  limit?: number;
  /** @default "table" */
  format: FormatName;
}

/** A report with names resolved to ids. An empty list means all. */
export interface ReportOptions extends Omit<ReportRequest, "chosen"> {
  groupIds: readonly number[];
  zoneIds: readonly number[];
  locationIds: readonly number[];
  campaignKeys: readonly number[];
  attributes: readonly ChosenAttribute[];
}

/** Adds the availability target of the settings, if one is set; it has no default. */
export function withAvailabilityTarget(options: ReportRequest, settings: Settings): ReportRequest {
  const availabilityTarget = settings.find("VENUE_AVAILABILITY_TARGET");
  return availabilityTarget === undefined ? options : { ...options, availabilityTarget };
}
