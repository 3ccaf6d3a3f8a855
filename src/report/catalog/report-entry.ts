import type { AttributeEntity } from "../../mart/attribute.ts";
import type { Definition } from "../../mart/column-definition.ts";
import type { CatalogReport } from "./aggregate-report.ts";
import type { ListReport } from "./list-report.ts";

/** Rows that SQL files select: the sections of `quality`, or a custom report. */
interface SelectRows {
  name: string;
  /** @default known only when the report runs */
  columns?: Readonly<Record<string, Definition>>;
  /** Key numbers that the report's page derives from the rows. */
  facts?: Readonly<Record<string, Definition>>;
  /** Flags that filter rows. The files apply them. */
  filters: Readonly<Record<string, object>>;
  attributes: readonly AttributeEntity[];
  isTimeless?: boolean;
}

export type ReportRows = CatalogReport | ListReport | SelectRows;

/** Returns true if the catalog declares the rows, so that the compiler selects them. */
export function isCompiled(rows: ReportRows): rows is CatalogReport | ListReport {
  return "dimensions" in rows || "rows" in rows;
}

/** Data collected from the service. */
export type CollectedSource = "history" | "campaigns" | "devices";

/** Options and presentation of a report. Its other options follow from its rows. */
interface Presentation {
  /** One line, for `--help`. */
  summary: string;
  /** @default its name */
  title?: string;
  /** Rows for dimensions that need other sources, keyed by dimension. */
  variants?: Readonly<Record<string, CatalogReport>>;
  /** Report used for campaign attributes, if its rows have none. @default campaign attributes are not accepted */
  byCampaignAttributes?: ReportEntry;
  /** Sums of a list's rows, for requests with `--by`. @default `--by` is not accepted */
  grouped?: CatalogReport;
  /** Dimensions used without `--by`. @default a total */
  defaultBy?: readonly string[];
  /** Rows that `--top` selects, e.g. the `largest`. @default `--top` is not accepted */
  top?: string;
  /** Column that sorts rows on a page, largest first. Rows over time are not sorted. @default the order of rows */
  pageOrder?: string;
  /** States that `--only` accepts. @default none */
  states?: readonly string[];
  /**
   * True if `--only` limits what is counted. Otherwise, it limits the rows, and links, totals and summaries ignore it.
   * @default false
   */
  isCountedByState?: boolean;
  /** Phrase for rows in the requested states, with dots in place of the states. */
  statesTitle?: string;
  /** Column that `--fail-under` tests. */
  threshold?: string;
  /** True if `--fail-under` tests the ratio of devices that are not down, because rows contain no ratio. */
  testsDevices?: boolean;
  /** True if `--explain` can explain the state of one campaign day. */
  isExplained?: boolean;
  /** Measure that `--compare` summarizes; empty for all. @default `--compare` is not accepted */
  compared?: string;
  /** Measure that counts days not settled yet; a comparison notes if it differs. */
  unsettled?: string;
  /** True if the first day with data is only partly known. */
  isFirstDayPartial?: boolean;
  /** True if it covers coming days rather than past ones. */
  isAhead?: boolean;
  /** True if it is about signage and messaging, not music. */
  isOfContent?: boolean;
  /** Sources of its measures. If one is missing, a zero only means that data is missing. */
  collected: readonly CollectedSource[];
  /** Sources that determine how old its data is and which days it covers. @default all history */
  dataOf?: readonly (CollectedSource | "notices")[];
  /** Notes above its rows, in order; see `rows/report-notes.ts`. @default none */
  notes?: readonly string[];
  /** True if its rows link to campaigns, whatever their dimensions. @default false */
  leadsToCampaigns?: boolean;
  /** Drill-down order: the next step is the first dimension whose value is not known yet. */
  steps?: readonly string[];
}

/** A report that users can request. */
export type ReportEntry = ReportRows & Presentation;

/** Returns the rows of a report by these dimensions. */
export function chooseRows(entry: ReportEntry, by: readonly string[]): ReportRows {
  const word = findVariant(entry, by);
  if (word !== undefined) return entry.variants?.[word] ?? entry;
  return (by.length > 0 && entry.grouped) || entry;
}

/** Returns the dimension that has separate rows, if any. They determine what the dimension can be combined with. */
export function findVariant({ variants = {} }: ReportEntry, by: readonly string[]): string | undefined {
  return Object.keys(variants).find((word) => by.includes(word));
}

/**
 * Returns true if a report by these dimensions also accepts campaign attributes. They divide all plays, so they are not
 * accepted for customer tokens, whose data contains the plays of only some campaigns.
 */
export function takesCampaignAttributes(
  entry: ReportEntry,
  by: readonly string[],
  isShared = false,
): boolean {
  return !isShared && entry.byCampaignAttributes !== undefined && findVariant(entry, by) === undefined;
}

/** Returns all rows of a report, the main ones first. */
export function listVariants(entry: ReportEntry): ReportRows[] {
  const { variants = {}, grouped, byCampaignAttributes } = entry;
  const others = [grouped, byCampaignAttributes].filter((rows) => rows !== undefined);
  return [entry, ...others, ...Object.values(variants)];
}

/** Returns the dimensions that can be combined with these, in column order. */
export function listGroupings(entry: ReportEntry, by: readonly string[]): string[] {
  return wordsOf(chooseRows(entry, by));
}

/** Returns all dimensions that a report accepts. */
export function listDimensions(entry: ReportEntry): string[] {
  return [...new Set(listVariants(entry).flatMap(wordsOf))];
}

function wordsOf(rows: ReportRows): string[] {
  return "dimensions" in rows ? Object.keys(rows.dimensions) : [];
}

/** Returns true if a report compares counts, which, unlike ratios, depend on the number of days. */
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
