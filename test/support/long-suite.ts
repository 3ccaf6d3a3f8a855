import { it } from "vitest";

/** Set by `make soak`: every suite runs completely, for hours. */
export const isSoak = process.env.TESTS === "soak";

/** Set by `make test-all` and `make soak`. */
export const isAll = isSoak || process.env.TESTS === "all";

/** With few plays, a program's threads cost more than they save. `make soak` uses all. */
export const fewThreads: Record<string, string> = isSoak ? {} : { VENUE_THREADS: "1" };

/** `it` for slow tests that `make test` skips, since other tests cover them in part. */
export const itInAll = it.runIf(isAll);

/** `it` for `make soak` only. */
export const itInSoak = it.runIf(isSoak);

/**
 * The size of a long suite: rounds, kills, steps.
 * @param few by `make test`
 * @param more by `make test-all`
 * @param whole by `make soak`
 */
export function share<Amount>(few: Amount, more: Amount, whole: Amount): Amount {
  return isSoak ? whole : isAll ? more : few;
}

/**
 * `it.for` over part of the seeds, faults, orders or days of a long suite, and over all in `make soak`.
 * Others are skipped.
 * @param few how many `make test` runs
 * @param more how many `make test-all` runs
 */
export function itEachLimited<const Case>(cases: readonly Case[], few: number, more = few) {
  const chosen = share(few, more, cases.length);
  return (name: string, body: (one: Case) => Promise<void>): void => {
    it.for(cases.slice(0, chosen))(name, body);
    it.skip.for(cases.slice(chosen))(name, body);
  };
}

/** `it.each` with only a few cases in `make test`, because the others are similar. */
export function itEachSampled<const Case>(cases: readonly Case[], few: number) {
  return itEachLimited(cases, few, cases.length);
}
