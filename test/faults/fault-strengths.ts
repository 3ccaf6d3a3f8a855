import type { FaultSetting } from "../../src/emulator/server/faults/fault-table.ts";
import { type FaultName, faultNames } from "../../src/emulator/server/faults/fault-table.ts";
import type { Random } from "../../src/emulator/world/random.ts";

type Strength = Omit<FaultSetting, "name">;

/**
 * Strength of each of the emulator's faults, so that a sync certainly meets it but does not wait for minutes.
 * The type requires a row per fault.
 */
const strengths: Record<FaultName, readonly [Strength, ...Strength[]]> = {
  "rate-limit-burst": [
    { times: 2, value: 1 },
    { times: 3, value: -5 },
    { times: 1, value: 3, endpoint: "POST" },
  ],
  "rate-limit-dated": [{ times: 1, value: 1 }],
  "rate-limit-bare": [{ times: 2 }],
  "server-error": [
    { probability: 0.1 },
    { times: 3, value: 500 },
    { times: 2, value: 502, endpoint: "POST" },
    { value: 504, endpoint: "GET /v5/ext/data" },
    { times: 4, value: 500, endpoint: "GET /exports/" },
  ],
  slow: [{ value: 30 }],
  reset: [{ probability: 0.1 }, { times: 2, endpoint: "POST" }],
  "reset-after": [{ probability: 0.1 }, { times: 2, endpoint: "POST" }],
  "html-200": [{ probability: 0.1 }, { times: 2, endpoint: "POST" }, {}],
  "token-refused": [{ probability: 0.1 }, {}],
  "truncated-body": [{ probability: 0.1 }, { times: 2, value: 30, endpoint: "POST" }],
  "truncated-body-cut": [{ probability: 0.1 }, { times: 2, endpoint: "POST" }],
  nulls: [{}],
  "unknown-fields": [{}],
  "numeric-as-text": [{}, { probability: 0.5 }],
  "text-as-numeric": [{}, { probability: 0.5 }],
  "group-forbidden": [{ value: 58429 }, {}, { times: 2 }],
  "zone-gone": [{ value: 81001 }, {}, { times: 1 }],
  "clamped-limit": [{ value: 37 }, { value: 1, times: 3 }],
  "wrong-total": [{ value: 7 }, { value: -7 }, { value: 5, probability: 0.3 }],
  "repeated-record": [{}, { times: 1 }],
  "inserted-record": [{ value: 1 }, { value: 20 }],
  "reordered-page": [{ probability: 0.5 }, {}],
  "bad-records": [{ value: 0.05 }],
  "empty-page": [{ times: 2 }, { probability: 0.3 }],
  "odd-job-id": [{}],
  "job-fails": [{ times: 1 }, {}],
  "job-stuck": [{ times: 1 }, {}],
  "job-unknown": [{ times: 2 }, {}],
  "lying-expires-at": [{ times: 2 }],
  "bad-lines": [{ value: 0.05 }],
  "expired-link": [{ times: 2 }, {}],
  redirect: [{}],
  truncate: [{ times: 3 }, { times: 2, value: 0 }],
  "truncate-silently": [{ times: 3 }, { times: 2, value: 0 }, {}],
  "truncate-at-line": [{ times: 2 }, {}],
  stall: [{ times: 1 }, { times: 1, value: 0 }],
  "ignore-range": [{}],
  gzip: [{}],
};

/** Every fault in each of its strengths, alone. */
export function singleFaults(): FaultSetting[][] {
  return faultNames.flatMap((name) => strengths[name].map((strength) => [{ name, ...strength }]));
}

/** Two or three different faults at once. */
export function drawFaults(random: Random): FaultSetting[] {
  const names = new Set<FaultName>();
  const count = random.between(2, 3);
  while (names.size < count) names.add(random.pick(faultNames));
  return [...names].map((name) => ({ name, ...random.pick(strengths[name]) }));
}

export function describeFaults(settings: readonly FaultSetting[]): string {
  return settings
    .map(({ name, ...strength }) =>
      [name, ...Object.entries(strength).map(([key, value]) => `${key} ${value}`)].join(" "),
    )
    .join(" + ");
}
