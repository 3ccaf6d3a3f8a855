import { Random } from "../../world/random.ts";

interface FaultTarget {
  /** Method and path of the requests that the fault strikes, unless its setting specifies an endpoint. */
  at: RegExp;
  /** Default of the setting's `value`. */
  value?: number;
}

function at(path: string): (value?: number) => FaultTarget {
  const pattern = new RegExp(`^\\w+ /${path}`);
  return (value) => ({ at: pattern, ...(value !== undefined && { value }) });
}

const main = at("v5/");
const history = at("v5/ext/data/\\w+/history$");
const create = at("v5/ext/data/\\w+/history/export$");
const poll = at("v5/ext/data/history/exports/");
const download = at("exports/");

/** All faults. They strike the status API only if a setting specifies an endpoint such as `/status/api/`. */
const faultTable = {
  "rate-limit-burst": main(1), // 429 at any rate; value: seconds in Retry-After, even negative or a year
  "rate-limit-dated": main(2), // 429 with a Retry-After that is a date; value: seconds from now
  "rate-limit-bare": main(), // 429 without Retry-After
  "server-error": main(503), // value: status, 500 to 504
  slow: main(1000), // value: milliseconds
  reset: main(), // resets the connection before the request is carried out
  "reset-after": main(), // the same, afterwards
  "html-200": main(), // an HTML page with status 200
  "token-refused": at("v5/ext/")(), // revokes the request's token
  "truncated-body": main(), // truncates a JSON response, with a matching length; value: bytes
  "truncated-body-cut": main(), // declares the whole length, but cuts the connection; value: bytes
  nulls: main(), // null in optional fields of a JSON response
  "unknown-fields": main(), // more fields in all objects
  "numeric-as-text": main(), // numbers as text
  "text-as-numeric": main(), // numeric text as numbers
  "group-forbidden": main(), // 403 for a group; value: which, otherwise any
  "zone-gone": main(), // 404 for a zone that listings still contain; value: which, otherwise any
  "clamped-limit": history(10), // fewer records than the limit; value: how many
  "wrong-total": history(7), // a wrong total_count; value: extra records, negative if some are missing
  "repeated-record": history(), // a page begins with the last record of the previous one
  "inserted-record": history(1), // hides the newest records, and shows some before each of three later pages
  "reordered-page": history(), // reverses a page
  "bad-records": history(0.01), // the same invalid plays each time; value: ratio of records
  "empty-page": history(), // no records, with an unchanged total_count
  "odd-job-id": create(), // a job id with slashes, spaces and non-ASCII letters
  "job-fails": create(), // a new export ends as failed
  "job-stuck": create(), // a new export stays in processing
  "bad-lines": create(0.01), // more bad lines in a new export; value: bad lines per play
  "job-unknown": poll(), // 404 for an export
  "lying-expires-at": poll(0), // a link that expires before its expires_at; value: after how many seconds
  "expired-link": download(), // 403 for a link that is valid
  redirect: download(), // to a third origin, which has the file
  truncate: download(), // declares the whole length, but cuts the connection; value: bytes
  "truncate-silently": download(), // declares no length, and ends early; value: bytes
  "truncate-at-line": download(), // the same, after a whole line; value: maximum bytes
  stall: download(), // stops sending, but keeps the connection open; value: bytes
  "ignore-range": download(), // the whole file for a range request
  gzip: download(), // the whole file, compressed although not requested
} as const satisfies Record<string, FaultTarget>;

export type FaultName = keyof typeof faultTable;

export const faultNames = Object.keys(faultTable) as FaultName[];

export interface FaultSetting {
  name: FaultName;
  /** Number of times that the fault strikes. @default unlimited */
  times?: number | undefined;
  /** Probability of striking, from 0 to 1, drawn with the world's seed. @default 1 */
  probability?: number | undefined;
  /** Limits the fault to requests whose method and path contain this text, e.g. `GET /exports/`. */
  endpoint?: string | undefined;
  /** Value for the fault. The fault table documents its meaning and default. */
  value?: number | undefined;
}

export class FaultSwitchboard {
  readonly #random: Random;
  /** Number of pages that revealed records hidden by `inserted-record`, keyed by kind and zone. */
  readonly revealingPages = new Map<string, number>();
  #settings: { setting: FaultSetting; timesLeft: number }[] = [];

  constructor(seed: number, settings: readonly FaultSetting[]) {
    this.#random = new Random(seed, "faults");
    this.set(settings);
  }

  /** Replaces all settings. */
  set(settings: readonly FaultSetting[]): void {
    this.revealingPages.clear();
    const unlimited = Number.POSITIVE_INFINITY;
    this.#settings = settings.map((setting) => ({ setting, timesLeft: setting.times ?? unlimited }));
  }

  /**
   * Returns the fault's value if it strikes. Each strike uses up one of its `times`.
   * @param endpoint method and path
   * @param subject id in the request, for faults whose value is an id
   */
  strike(name: FaultName, endpoint: string, subject?: number): { value: number | undefined } | undefined {
    for (const entry of this.#settings) {
      const { setting } = entry;
      if (setting.name !== name || !isAimed(setting, endpoint) || entry.timesLeft < 1) continue;
      if (subject !== undefined && setting.value !== undefined && setting.value !== subject) continue;
      if (!this.#random.chance(setting.probability ?? 1)) continue;
      entry.timesLeft -= 1;
      return { value: setting.value ?? getTarget(name).value };
    }
    return undefined;
  }
}

function isAimed({ name, endpoint: text }: FaultSetting, endpoint: string): boolean {
  return text ? endpoint.includes(text) : getTarget(name).at.test(endpoint);
}

function getTarget(name: FaultName): FaultTarget {
  return faultTable[name];
}
