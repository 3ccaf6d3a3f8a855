import { formatCompare } from "../options/compare-option.ts";
import type { ReportWords } from "../options/parse-report-options.ts";
import type { AttributeFilter, ReportRequest } from "../options/report-options.ts";
import type { Period } from "../report.ts";
import { viewOf } from "../report-name.ts";

/** A view and its flags (without dashes), as in a URL or after `venue report`. Lists are comma-separated. */
export interface Address {
  /** A report, or a view of `venue serve`. */
  view: string;
  words: Readonly<Record<string, string>>;
}

/** Returns the URL of an address; `undefined` if no page shows it. */
export type Link = (address: Address) => string | undefined;

/** Report flags that are part of an address, in the order in which URLs and command lines list them. */
export const reportWords = [
  "by",
  "from",
  "to",
  "compare",
  "group",
  "location",
  "zone",
  "kind",
  "campaign",
  "where",
  "item",
  "artist",
  "device",
  "load",
  "only",
  "top",
  "per",
  "sort",
  "search",
] as const satisfies readonly (keyof ReportWords)[];

/** Returns a report's address with the dates in `period` or, without it, the requested dates. */
export function toAddress(options: ReportRequest, period?: Period): Address {
  const { by, chosen, kinds: kind, onlyStates: only = [] } = options;
  const { itemIds: item = [], artistIds: artist = [], deviceIds: device = [], loadIds: load = [] } = options;
  const { per = [] } = options;
  const lists = { by, ...chosen, kind, item, artist, device, load, only, per };
  const words: Record<string, string> = {};
  for (const [word, values] of Object.entries(lists)) if (values.length > 0) words[word] = values.join(",");
  const { where = [] } = options;
  if (where.length > 0) words.where = formatWhere(where);
  const { from, to } = period ?? options;
  if (from !== undefined) words.from = from;
  if (to !== undefined) words.to = to;
  if (options.compare !== undefined) words.compare = formatCompare(options.compare);
  if (options.top !== undefined) words.top = String(options.top);
  if (options.sort) words.sort = `${options.sort.isDown ? "-" : ""}${options.sort.column}`;
  if (options.search !== undefined) words.search = options.search;
  return { view: viewOf(options), words };
}

/** E.g. `region=North,South;brand=Bar`. */
export function formatWhere(filters: readonly AttributeFilter[]): string {
  return filters.map(({ name, text }) => `${name}=${text}`).join(";");
}

/** Formats an address as canonical text, e.g. `compliance?by=zone&campaign=7`. */
export function formatAddress({ view, words }: Address): string {
  const rank = (word: string) => {
    const place = (reportWords as readonly string[]).indexOf(word);
    return place < 0 ? reportWords.length : place;
  };
  const query = Object.entries(words)
    .filter(([, value]) => value !== "")
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map(([word, value]) => `${word}=${encodeValue(word, value)}`)
    .join("&");
  return query === "" ? view : `${view}?${query}`;
}

/** Returns the URL of a page. @param root of `venue serve`, e.g. from `VENUE_PUBLIC_URL`, with or without a final slash */
export function toPageUrl(root: URL, address: string): string {
  return new URL(address, root.href.replace(/\/?$/, "/")).href;
}

/** Keeps punctuation readable that has no meaning within a value. */
function encodeValue(word: string, value: string): string {
  const text = encodeURIComponent(value).replaceAll("%2C", ",");
  return word === "where" ? text.replaceAll("%3D", "=").replaceAll("%3B", ";") : text;
}
