/**
 * Server that a fault strikes, unless its setting names an endpoint. On the status API, only the faults of
 * any endpoint apply, and only with an endpoint such as `/status/api/`.
 */
export type FaultOrigin = "main" | "download";

interface FaultDefinition {
  origin: FaultOrigin;
  does: string;
  /** Meaning of the setting's `value`, and its default (bytes: half of the response). */
  value?: { means: string; default?: number };
}

/** All faults. The code that implements a fault requests it by name. */
export const faultTable = {
  "rate-limit-burst": {
    origin: "main",
    does: "answers 429, whatever the rate was",
    value: { means: "seconds of Retry-After; negative ones and a year too", default: 1 },
  },
  "rate-limit-dated": {
    origin: "main",
    does: "answers 429, with a Retry-After that is a date",
    value: { means: "seconds from now on", default: 2 },
  },
  "rate-limit-bare": { origin: "main", does: "answers 429 without Retry-After" },
  "server-error": {
    origin: "main",
    does: "answers with an error of the server",
    value: { means: "status: 500, 502, 503 or 504", default: 503 },
  },
  slow: { origin: "main", does: "waits before it goes on", value: { means: "milliseconds", default: 1000 } },
  reset: { origin: "main", does: "resets the connection before anything was carried out" },
  "reset-after": { origin: "main", does: "carries the request out, then resets the connection" },
  "html-200": { origin: "main", does: "answers with an HTML page and status 200" },
  "token-refused": { origin: "main", does: "revokes the request's token and answers 401" },
  "truncated-body": {
    origin: "main",
    does: "ends a JSON answer early, with the length of what is sent",
    value: { means: "bytes sent" },
  },
  "truncated-body-cut": {
    origin: "main",
    does: "gives a JSON answer's length, but cuts the connection before it is reached",
    value: { means: "bytes sent" },
  },
  nulls: { origin: "main", does: "puts null into fields of a JSON answer that nothing hangs on" },
  "unknown-fields": { origin: "main", does: "adds fields to all objects of a JSON answer" },
  "numeric-as-text": { origin: "main", does: "writes all numbers of a JSON answer as text" },
  "text-as-numeric": { origin: "main", does: "writes numeric text of a JSON answer as numbers" },
  "group-forbidden": {
    origin: "main",
    does: "answers 403 to what is about a group",
    value: { means: "the group; without it, any" },
  },
  "zone-gone": {
    origin: "main",
    does: "answers 404 to what is about a zone, though listings of its group go on naming it",
    value: { means: "the zone; without it, any" },
  },
  "clamped-limit": {
    origin: "main",
    does: "gives fewer records of history than the limit asks",
    value: { means: "records per page", default: 10 },
  },
  "wrong-total": {
    origin: "main",
    does: "tells a wrong total_count of history",
    value: { means: "records too many; negative: too few", default: 7 },
  },
  "repeated-record": {
    origin: "main",
    does: "begins a page of history with the last record of the page before, so that it ends one record early",
  },
  "inserted-record": {
    origin: "main",
    does:
      "hides the newest records of a zone's history at first (of an unsorted one those that come first), and shows " +
      "some more of them before each of the first three pages that do not begin at offset 0; `times` and " +
      "`probability` do not apply",
    value: { means: "records per page that come up", default: 1 },
  },
  "reordered-page": { origin: "main", does: "lists the records of a page of history in reverse order" },
  "bad-records": {
    origin: "main",
    does: "makes some records of history pages tell of no play, the same ones each time",
    value: { means: "share of records, up to 1", default: 0.01 },
  },
  "empty-page": { origin: "main", does: "answers a page of history without records, total_count unchanged" },
  "odd-job-id": {
    origin: "main",
    does: "names an export that is created with slashes, blanks and letters of all kinds",
  },
  "job-fails": { origin: "main", does: "lets an export that is created end as failed" },
  "job-stuck": { origin: "main", does: "lets an export that is created stay in processing for ever" },
  "job-unknown": { origin: "main", does: "answers a poll of an export with 404" },
  "lying-expires-at": {
    origin: "main",
    does: "hands out a link that ends earlier than its expires_at says",
    value: { means: "seconds that it lasts", default: 0 },
  },
  "bad-lines": {
    origin: "main",
    does: "puts further bad lines into an export that is created",
    value: { means: "bad lines per play, up to 1", default: 0.01 },
  },
  "expired-link": { origin: "download", does: "refuses a link (403) before its time" },
  redirect: { origin: "download", does: "redirects to a third origin, which has the file" },
  truncate: {
    origin: "download",
    does: "gives the length, but cuts the connection before it is reached",
    value: { means: "bytes sent" },
  },
  "truncate-silently": {
    origin: "download",
    does: "gives no length, and ends early as if that were all",
    value: { means: "bytes sent" },
  },
  "truncate-at-line": {
    origin: "download",
    does: "the same, after a whole line",
    value: { means: "at most so many bytes sent" },
  },
  stall: {
    origin: "download",
    does: "stops sending, and keeps the connection open",
    value: { means: "bytes sent before" },
  },
  "ignore-range": { origin: "download", does: "answers a range with the whole file and status 200" },
  gzip: { origin: "download", does: "compresses, though it was not asked to" },
} as const satisfies Record<string, FaultDefinition>;

export type FaultName = keyof typeof faultTable;

export const faultNames = Object.keys(faultTable).filter(isFaultName);

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(faultTable, name);
}

export function defaultFaultValue(name: FaultName): number | undefined {
  const definition: FaultDefinition = faultTable[name];
  return definition.value?.default;
}
