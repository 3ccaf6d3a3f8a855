import { countDaysBetween } from "../../util/local-date.ts";
import { catalog } from "../catalog/catalog.ts";
import { findVariant, listDimensions, type ReportEntry } from "../catalog/report-entry.ts";
import { isRelative } from "../options/period-option.ts";
import type { AttributeFilter, ReportRequest } from "../options/request-options.ts";
import { isReportName } from "../report-name.ts";
import type { Period, ReportColumn, ReportValue } from "../result-types.ts";
import { findStep } from "../text/spans.ts";
import { type Address, toAddress } from "./address.ts";
import { parseCalendarPeriod } from "./calendar-period.ts";
import { findCustomDrillDown, findListDrillDown } from "./list-drill-down.ts";

type Row = Readonly<Record<string, ReportValue>>;

/** Columns that identify a value of each dimension. Hours are omitted, because no report filters by hour. */
const dimensions: Readonly<Record<string, readonly string[]>> = {
  kind: ["kind"],
  group: ["group_name", "group_id"],
  location: ["location_name", "location_id"],
  city: ["city"],
  zone: ["zone_name", "zone_id"],
  device: ["device_id"],
  item: ["item_name"],
  artist: ["artist_name"],
  campaign: ["campaign_name", "campaign_id"],
  date: ["date"],
  week: ["week"],
  month: ["month"],
  quarter: ["quarter"],
};

/**
 * Returns the drill-down for a name in a column: the same report for that value alone, grouped by the next step. The
 * row's values in earlier columns remain selected. For example, in a row per campaign and zone, the campaign links to
 * its zones, and the zone links to the campaign's days in that zone.
 */
export function findNameDrillDown(
  { name }: Pick<ReportColumn, "name">,
  row: Row,
  options: ReportRequest,
  period: Period | undefined,
): Address | undefined {
  const listed =
    findCustomDrillDown(options, name, row, period) ?? findListDrillDown(options.report, name, row, period);
  if (listed) return listed;
  const { steps } = options.entry;
  const own = options.by.find(
    (word) =>
      (dimensions[word]?.includes(name) || (word === name && isAttribute(options, word))) &&
      row[name] != null,
  );
  if (!steps || own === undefined || !period) return undefined;
  const before = options.by.slice(0, options.by.indexOf(own) + 1);
  return before.every((word) => isSelectable(word, before, row))
    ? createDrillDown(options, period, before, row)
    : undefined;
}

function isAttribute(request: ReportRequest, word: string): boolean {
  return !listDimensions(request.entry).includes(word);
}

/**
 * Returns false if no flag can select the row's value, such as plays without an artist, or a city: `--location` accepts
 * a city, but prefers a location of that name. If the zone is selected, its group, location and city are not needed. A
 * missing column means that the page has only one value.
 */
function isSelectable(word: string, before: readonly string[], row: Row): boolean {
  const names = (dimensions[word] ?? []).filter((name) => row[name] !== undefined);
  const isPlace = word === "group" || word === "location" || word === "city";
  if (isPlace && before.includes("zone")) return true;
  return word !== "city" && (names.length === 0 || names.some((name) => row[name] !== null));
}

/** Returns the drill-down for a whole row. It filters by the row's dimensions and groups by the next step. */
export function createDrillDown(
  options: ReportRequest,
  period: Period,
  dimensionsOfRow: readonly string[],
  row: Row,
): Address {
  const where = selectFilterValues(options, dimensionsOfRow, row);
  const onlyStates = options.entry.isCountedByState ? (options.onlyStates ?? []) : [];
  const { words } = toAddress({ ...options, by: [], onlyStates, where }, period);
  const { top: _top, per: _per, sort: _sort, search: _search, ...kept } = words;
  const known: Record<string, string> = { ...kept };
  for (const word of dimensionsOfRow) Object.assign(known, selectFilters(word, row, known));
  const { from, to } = known;
  const isOfItems = dimensionsOfRow.some((word) => word === "item" || word === "artist");
  const next = isOfItems ? undefined : findNextGrouping(options.entry, known, options.by);
  const { compare, ...uncompared } = known;
  if (next === undefined) return createDetailAddress(options, uncompared, period);
  // The comparison applies to the whole period, so a drill-down to fewer days omits it.
  const isComparable = from === period.from && to === period.to && canPair(options, period, next);
  return { view: options.report, words: { ...(isComparable ? known : uncompared), by: next } };
}

/** Returns the report's filters and the row's attribute values, which replace filters on the same attributes. */
function selectFilterValues(
  options: ReportRequest,
  dimensionsOfRow: readonly string[],
  row: Row,
): AttributeFilter[] {
  const own = dimensionsOfRow.filter((word) => isAttribute(options, word) && row[word] != null);
  const kept = options.where?.filter(({ name }) => !own.includes(name)) ?? [];
  return [...kept, ...own.map((name) => ({ name, text: String(row[name]) }))];
}

/**
 * Adds the next drill-down step to an address without `by`.
 * @param byBefore dimensions of the page that links to the address. @default none
 */
export function withDefaultGrouping({ view, words }: Address, byBefore: readonly string[] = []): Address {
  const by = words.by ?? (isReportName(view) ? findNextGrouping(catalog[view], words, byBefore) : undefined);
  return by === undefined ? { view, words } : { view, words: { ...words, by } };
}

/** Returns the next grouping. Rows by campaign or campaign attribute stay by campaign, so that filters are accepted. */
function findNextGrouping(
  entry: ReportEntry,
  known: Address["words"],
  byBefore: readonly string[],
): string | undefined {
  const isKnown = (word: string) =>
    word === "date"
      ? known.from !== undefined && known.from === known.to
      : known[word] !== undefined && !known[word].includes(",");
  const isByCampaign = entry.leadsToCampaigns || findVariant(entry, byBefore) === "campaign";
  const kept = isByCampaign ? ["campaign"] : [];
  const steps = [...kept, ...(entry.steps ?? [])];
  const next = steps.find((word) => !isKnown(word));
  return next && [...new Set([...kept, next])].join(",");
}

/** Returns true if the compared periods can be paired: rows by date need periods of equal length. */
function canPair({ compare, entry }: ReportRequest, { from, to }: Period, by: string): boolean {
  if (entry.leadsToCampaigns) return false;
  if (typeof compare !== "object" || by !== "date") return true;
  if (isRelative(compare.from)) return false;
  return countDaysBetween(from, to) === countDaysBetween(compare.from, compare.to);
}

/** Returns the page to show once all dimensions are filtered. Its breadcrumb leads back to `period`. */
function createDetailAddress(
  request: ReportRequest,
  { device: _device, only: _only, within: _within, ...words }: Address["words"],
  period: Period,
): Address {
  const { entry } = request;
  if (entry.isAhead) return createPastAddress(words);
  if (!entry.isExplained) {
    const { where: _where, ...others } = words;
    // Single plays have no campaign attributes, and campaign, zone and date already imply their values.
    const isByCampaign = findVariant(entry, request.by) === "campaign";
    return { view: "single-plays", words: isByCampaign ? others : words };
  }
  return { view: "cell", words: { ...words, ...period, date: words.from ?? "" } };
}

/** Returns the address of a scheduled campaign's past days, because future days have no plays yet. */
function createPastAddress({ from: _from, to: _to, ...words }: Address["words"]): Address {
  return { view: "compliance", words: { ...words, by: "date" } };
}

/** Returns the flags that select a row's value in one dimension, limited to the dates in `known`. */
function selectFilters(
  word: string,
  row: Row,
  known: Readonly<Record<string, string>>,
): Record<string, string> {
  const value = (column: string): string | undefined =>
    row[column] == null ? undefined : String(row[column]);
  if (findStep([word]) !== undefined) {
    const span = parseCalendarPeriod(value(word) ?? "");
    if (!span) return {};
    // A week can extend beyond the period or the selected month, so its dates are clipped.
    const [, from = span.from] = [span.from, known.from ?? span.from].sort();
    const [to = span.to] = [span.to, known.to ?? span.to].sort();
    return { from, to };
  }
  const id = value(word === "kind" ? "kind" : `${word}_id`);
  if (id === undefined) return {};
  // Campaign and item ids are unique only within a kind.
  const kind = word === "campaign" || word === "item" ? value("kind") : undefined;
  return { [word]: id, ...(kind !== undefined && { kind }) };
}
