import type { AttributeSubject } from "../../mart/attribute.ts";
import type { Definition } from "../../mart/column-definition.ts";
import type { CatalogReport } from "./aggregate-report.ts";
import type { ListReport } from "./list-report.ts";

/** Rows that SQL files select: the sections of `quality`, or the select of a user. */
interface SelectRows {
  name: string;
  /** @default known only once it runs */
  columns?: Readonly<Record<string, Definition>>;
  /** Figures that the report's page derives from the rows. */
  facts?: Readonly<Record<string, Definition>>;
  /** Words that filter rows: the files apply them. */
  filters: Readonly<Record<string, object>>;
  attributes: readonly AttributeSubject[];
  isTimeless?: boolean;
}

export type ReportRows = CatalogReport | ListReport | SelectRows;

/** Returns true if the rows are declared, and so the compiler selects them. */
export function isCompiled(rows: ReportRows): rows is CatalogReport | ListReport {
  return "dimensions" in rows || "rows" in rows;
}

/** Data collected from the service. */
export type CollectedSource = "history" | "campaigns" | "devices";

/** What users can request of a report, and how it is presented. The other options follow from its rows. */
interface Presentation {
  /** One line, for `--help`. */
  summary: string;
  /** @default its name */
  title?: string;
  /** Rows by `--by` words that need other sources, keyed by word. */
  variants?: Readonly<Record<string, CatalogReport>>;
  /** The report by attributes of campaigns, if its rows have none. @default attributes of campaigns are not accepted */
  byCampaignAttributes?: ReportEntry;
  /** Sums of a list's rows, for requests with `--by`. @default `--by` is not accepted */
  grouped?: CatalogReport;
  /** `--by` words used if none are given. @default a total */
  defaultBy?: readonly string[];
  /** How `--top` selects rows, e.g. the `largest`. @default `--top` is not accepted */
  top?: string;
  /** Column that sorts rows on a page, largest first, unless rows are over time. @default the order of rows */
  pageOrder?: string;
  /** States that `--only` takes. @default none */
  states?: readonly string[];
  /**
   * True if `--only` decides what is counted. Otherwise, it decides which rows are shown, so links, totals and
   * summaries are without it. @default false
   */
  isCountedByState?: boolean;
  /** Describes rows in the requested states, which replace the dots. */
  statesTitle?: string;
  /** Column that `--fail-under` tests. */
  threshold?: string;
  /** True if `--fail-under` tests the share of devices that are not down, because rows have no share. */
  testsDevices?: boolean;
  /** True if it can be limited to one campaign, zone and day, whose state `--explain` explains. */
  isExplained?: boolean;
  /** Measure that `--compare` summarizes; empty for all. @default `--compare` is not accepted */
  compared?: string;
  /** Count of days that are not settled yet, if a comparison notes that it differs. */
  unsettled?: string;
  /** True if the first day with data is only partly known. */
  isFirstDayPartial?: boolean;
  /** True if it covers coming days rather than past ones. */
  isAhead?: boolean;
  /** True if it is about signage and messaging, not music. */
  isOfContent?: boolean;
  /** Sources that it counts from: if one is missing, a zero only means that data is missing. */
  collected: readonly CollectedSource[];
  /** Sources whose data determines its age and its days. @default all history */
  dataOf?: readonly (CollectedSource | "notices")[];
  /** Notes above its rows, in order; `rows/report-notes.ts` has them. @default none */
  notes?: readonly string[];
  /** True if its rows link to campaigns, whatever their dimensions. @default false */
  leadsToCampaigns?: boolean;
  /** Drill-down order: the next step is the first dimension whose value is not known yet. */
  steps?: readonly string[];
}

/** A report that users can request. */
export type ReportEntry = ReportRows & Presentation;

/** Returns the rows of a report by these words. */
export function chooseRows(entry: ReportEntry, by: readonly string[]): ReportRows {
  const word = findVariant(entry, by);
  if (word !== undefined) return entry.variants?.[word] ?? entry;
  return (by.length > 0 && entry.grouped) || entry;
}

/** Returns the `--by` word that has rows of its own, which decide what the word can be combined with. */
export function findVariant({ variants = {} }: ReportEntry, by: readonly string[]): string | undefined {
  return Object.keys(variants).find((word) => by.includes(word));
}

/**
 * Returns true if a report by these words can also be by attributes of campaigns, which divide all plays. A customer
 * has only the plays of some campaigns.
 */
export function takesCampaignAttributes(
  entry: ReportEntry,
  by: readonly string[],
  isShared = false,
): boolean {
  return !isShared && entry.byCampaignAttributes !== undefined && findVariant(entry, by) === undefined;
}

/** Returns all rows of a report, its own first. */
export function listVariants(entry: ReportEntry): ReportRows[] {
  const { variants = {}, grouped, byCampaignAttributes } = entry;
  const others = [grouped, byCampaignAttributes].filter((rows) => rows !== undefined);
  return [entry, ...others, ...Object.values(variants)];
}

/** Returns the `--by` words that can be combined with these, in column order. */
export function listGroupings(entry: ReportEntry, by: readonly string[]): string[] {
  return wordsOf(chooseRows(entry, by));
}

/** Returns all `--by` words that a report takes. */
export function listByWords(entry: ReportEntry): string[] {
  return [...new Set(listVariants(entry).flatMap(wordsOf))];
}

function wordsOf(rows: ReportRows): string[] {
  return "dimensions" in rows ? Object.keys(rows.dimensions) : [];
}

/** Returns true if comparisons are of counts, which depend on how many days are compared, unlike shares. */
export function comparesCounts(entry: ReportEntry): boolean {
  const { compared } = entry;
  if (compared === undefined || !("measures" in entry)) return false;
  return entry.measures[compared]?.unit !== "share";
}

export function takesFilter(entry: ReportEntry, word: string, by: readonly string[]): boolean {
  return Object.hasOwn(chooseRows(entry, by).filters, word);
}

export function takesPeriod({ isTimeless = false }: ReportEntry): boolean {
  return !isTimeless;
}
