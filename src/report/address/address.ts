import { listWords, reportWords } from "../options/option-list.ts";
import type { ReportRequest } from "../options/request-options.ts";
import { viewOf } from "../report-name.ts";
import type { Period } from "../result-types.ts";

/** A page and its arguments: the query of a URL, or the flags of `venue report`. Lists are comma-separated. */
export interface Address {
  /** A report, or another page of `venue serve`. */
  view: string;
  words: Readonly<Record<string, string>>;
}

/** Returns the URL of an address; `undefined` if no page shows it. */
export type Link = (address: Address) => string | undefined;

/** Returns the address of a report over `period` or, without it, over the requested dates. */
export function toAddress(options: ReportRequest, period?: Period): Address {
  const request = { ...options, ...period };
  const words = listWords().flatMap(([word, { format }]) => {
    const text = [format?.(request) ?? ""].flat().join(",");
    return text === "" ? [] : [[word, text] as const];
  });
  return { view: viewOf(options), words: Object.fromEntries(words) };
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

/** Returns the URL of a page. @param root URL of `venue serve`, e.g. `VENUE_PUBLIC_URL`; a final slash is optional */
export function toPageUrl(root: URL, address: string): string {
  return new URL(address, root.href.replace(/\/?$/, "/")).href;
}

/** Encodes a value, but keeps punctuation readable where it has no special meaning. */
function encodeValue(word: string, value: string): string {
  const text = encodeURIComponent(value).replaceAll("%2C", ",");
  return word === "where" ? text.replaceAll("%3D", "=").replaceAll("%3B", ";") : text;
}
