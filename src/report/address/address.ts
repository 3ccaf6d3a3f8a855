import { compareText } from "../options/compare-option.ts";
import type { ReportWords } from "../options/parse-report-options.ts";
import type { AskedReport } from "../options/report-options.ts";
import type { Period } from "../report.ts";

/**
 * A view by what it shows: what stands in a page's address, and after `venue report` on a command line. Words bear the
 * names of flags, without their dashes; lists have commas between.
 */
export interface Address {
  /** A report, or a view of `venue serve`. */
  view: string;
  words: Readonly<Record<string, string>>;
}

/** Where an address lies, as a link names it; `undefined` where there is no page of it. */
export type Link = (address: Address) => string | undefined;

/** Flags of a report that are part of what it shows, in the order in which addresses and command lines name them. */
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
  "item",
  "artist",
  "device",
  "load",
  "only",
  "top",
  "sort",
  "search",
] as const satisfies readonly (keyof ReportWords)[];

/** The address of a report, with the dates that it covers where these were asked for, or are given here. */
export function addressOf(options: AskedReport, period?: Period): Address {
  const { report, by, chosen, kinds: kind, onlyStates: only = [] } = options;
  const { itemIds: item = [], artistIds: artist = [], deviceIds: device = [], loadIds: load = [] } = options;
  const lists = { by, ...chosen, kind, item, artist, device, load, only };
  const words: Record<string, string> = {};
  for (const [word, values] of Object.entries(lists)) if (values.length > 0) words[word] = values.join(",");
  const { from, to } = period ?? options;
  if (from !== undefined) words.from = from;
  if (to !== undefined) words.to = to;
  if (options.compare !== undefined) words.compare = compareText(options.compare);
  if (options.top !== undefined) words.top = String(options.top);
  if (options.sort) words.sort = `${options.sort.isDown ? "-" : ""}${options.sort.column}`;
  if (options.search !== undefined) words.search = options.search;
  return { view: report, words };
}

/** An address as text, the same for the same view: `compliance?by=zone&campaign=7`. */
export function addressText({ view, words }: Address): string {
  const rank = (word: string) => {
    const place = (reportWords as readonly string[]).indexOf(word);
    return place < 0 ? reportWords.length : place;
  };
  const query = Object.entries(words)
    .filter(([, value]) => value !== "")
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map(([word, value]) => `${word}=${encodeURIComponent(value).replaceAll("%2C", ",")}`)
    .join("&");
  return query === "" ? view : `${view}?${query}`;
}
