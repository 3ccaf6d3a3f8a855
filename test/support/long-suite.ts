import { it } from "vitest";

/** What `make soak` sets: every suite runs whole, hours of it. */
export const isSoak = process.env.TESTS === "soak";

/** What `make test-all` sets, and `make soak` too. */
export const isAll = isSoak || process.env.TESTS === "all";

/** Settings of a program under test: for so few plays, threads cost more than they win. `make soak` has them all. */
export const fewThreads: Record<string, string> = isSoak ? {} : { VENUE_THREADS: "1" };

/** `it` for what `make test` leaves out, and counts as skipped: it takes long, and what it shows is shown in part elsewhere. */
export const itInAll = it.runIf(isAll);

/** `it` for what only `make soak` runs. */
export const itInSoak = it.runIf(isSoak);

/**
 * How much of a long suite runs: rounds, kills, steps.
 * @param few by `make test`
 * @param more by `make test-all`
 * @param whole by `make soak`
 */
export function share<Amount>(few: Amount, more: Amount, whole: Amount): Amount {
  return isSoak ? whole : isAll ? more : few;
}

/**
 * Long suites do one thing with many seeds, faults, orders or days: `it.for` of a part of them, in `make soak` of all.
 * The cases left out are counted as skipped.
 * @param few how many `make test` runs
 * @param more how many `make test-all` runs
 */
export function itOfMany<const Case>(cases: readonly Case[], few: number, more = few) {
  const chosen = share(few, more, cases.length);
  return (name: string, body: (one: Case) => Promise<void>): void => {
    it.for(cases.slice(0, chosen))(name, body);
    it.skip.for(cases.slice(chosen))(name, body);
  };
}

/** `it.each` of which `make test` runs a few cases only: what the others show is much the same. */
export function itOfAll<const Case>(cases: readonly Case[], few: number) {
  return itOfMany(cases, few, cases.length);
}
