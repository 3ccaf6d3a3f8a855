/** Which of the emulator's servers a fault strikes, unless its setting names an endpoint. */
export type FaultOrigin = "main" | "download";

interface FaultDefinition {
  origin: FaultOrigin;
  does: string;
  /** What the setting's `value` means, and what it is where none is given (bytes: half of the answer). */
  value?: { means: string; default?: number };
}

/** Each fault that can be switched on. The code that brings one about asks for it by its name. */
export const faultTable = {
  "rate-limit-burst": {
    origin: "main",
    does: "answers 429, whatever the rate was",
    value: { means: "seconds of Retry-After", default: 1 },
  },
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
  "job-fails": { origin: "main", does: "lets an export that is created end as failed" },
  "job-stuck": { origin: "main", does: "lets an export that is created stay in processing for ever" },
  "job-unknown": { origin: "main", does: "answers a poll of an export with 404" },
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

/** The value that the table gives a fault whose setting gives none. */
export function defaultFaultValue(name: FaultName): number | undefined {
  const definition: FaultDefinition = faultTable[name];
  return definition.value?.default;
}
