/**
 * Server that a fault strikes, unless its setting names an endpoint. On the status API, only the faults that
 * any endpoint can have apply, and only if the setting names an endpoint such as `/status/api/`.
 */
export type FaultOrigin = "main" | "download";

interface FaultDefinition {
  origin: FaultOrigin;
  does: string;
  /** Meaning of the setting's `value`, and its default (for bytes: half of the response). */
  value?: { means: string; default?: number };
}

/** All faults. The code that implements a fault looks it up by name. */
export const faultTable = {
  "rate-limit-burst": {
    origin: "main",
    does: "returns 429, regardless of the rate",
    value: { means: "seconds in Retry-After; may be negative or as long as a year", default: 1 },
  },
  "rate-limit-dated": {
    origin: "main",
    does: "returns 429, with a Retry-After that is a date",
    value: { means: "seconds from now", default: 2 },
  },
  "rate-limit-bare": { origin: "main", does: "returns 429 without Retry-After" },
  "server-error": {
    origin: "main",
    does: "returns a server error",
    value: { means: "status: 500, 502, 503 or 504", default: 503 },
  },
  slow: { origin: "main", does: "delays the response", value: { means: "milliseconds", default: 1000 } },
  reset: { origin: "main", does: "resets the connection before carrying out the request" },
  "reset-after": { origin: "main", does: "carries the request out, then resets the connection" },
  "html-200": { origin: "main", does: "returns an HTML page with status 200" },
  "token-refused": { origin: "main", does: "revokes the request's token and returns 401" },
  "truncated-body": {
    origin: "main",
    does: "truncates a JSON response, with a matching length",
    value: { means: "bytes sent" },
  },
  "truncated-body-cut": {
    origin: "main",
    does: "declares a JSON response's full length, but cuts the connection early",
    value: { means: "bytes sent" },
  },
  nulls: { origin: "main", does: "puts null into optional fields of a JSON response" },
  "unknown-fields": { origin: "main", does: "adds fields to all objects of a JSON response" },
  "numeric-as-text": { origin: "main", does: "writes all numbers of a JSON response as text" },
  "text-as-numeric": { origin: "main", does: "writes numeric text of a JSON response as numbers" },
  "group-forbidden": {
    origin: "main",
    does: "returns 403 for requests about a group",
    value: { means: "the group; without it, any" },
  },
  "zone-gone": {
    origin: "main",
    does: "returns 404 for requests about a zone that its group's listings still contain",
    value: { means: "the zone; without it, any" },
  },
  "clamped-limit": {
    origin: "main",
    does: "returns fewer history records than the limit",
    value: { means: "records per page", default: 10 },
  },
  "wrong-total": {
    origin: "main",
    does: "returns a wrong total_count of history",
    value: { means: "extra records; negative: missing records", default: 7 },
  },
  "repeated-record": {
    origin: "main",
    does: "begins a history page with the last record of the previous page, so that it ends one record early",
  },
  "inserted-record": {
    origin: "main",
    does:
      "hides the newest records of a zone's history at first (the first ones if it is unsorted), and shows " +
      "some more of them before each of the first three pages that do not begin at offset 0; `times` and " +
      "`probability` do not apply",
    value: { means: "records shown per page", default: 1 },
  },
  "reordered-page": { origin: "main", does: "lists the records of a history page in reverse order" },
  "bad-records": {
    origin: "main",
    does: "makes some records of history pages invalid plays, the same ones each time",
    value: { means: "share of records, up to 1", default: 0.01 },
  },
  "empty-page": {
    origin: "main",
    does: "returns a history page without records and an unchanged total_count",
  },
  "odd-job-id": {
    origin: "main",
    does: "gives a new export a job id with slashes, spaces and non-ASCII letters",
  },
  "job-fails": { origin: "main", does: "makes a new export end as failed" },
  "job-stuck": { origin: "main", does: "keeps a new export in processing forever" },
  "job-unknown": { origin: "main", does: "returns 404 when an export is polled" },
  "lying-expires-at": {
    origin: "main",
    does: "returns a link that expires before its expires_at",
    value: { means: "seconds until it expires", default: 0 },
  },
  "bad-lines": {
    origin: "main",
    does: "adds more bad lines to a new export",
    value: { means: "bad lines per play, up to 1", default: 0.01 },
  },
  "expired-link": { origin: "download", does: "refuses a link (403) before it expires" },
  redirect: { origin: "download", does: "redirects to a third origin, which has the file" },
  truncate: {
    origin: "download",
    does: "declares the full length, but cuts the connection early",
    value: { means: "bytes sent" },
  },
  "truncate-silently": {
    origin: "download",
    does: "declares no length, and ends early without an error",
    value: { means: "bytes sent" },
  },
  "truncate-at-line": {
    origin: "download",
    does: "the same, after a whole line",
    value: { means: "maximum bytes sent" },
  },
  stall: {
    origin: "download",
    does: "stops sending but keeps the connection open",
    value: { means: "bytes sent first" },
  },
  "ignore-range": { origin: "download", does: "returns the whole file and status 200 for a range request" },
  gzip: { origin: "download", does: "compresses the file although not requested" },
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
