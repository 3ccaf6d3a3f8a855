import { it } from "vitest";

/** What `make soak` sets: suites that take hours in all run all their cases, others as in `make test-all`. */
export const isSoak = process.env.TESTS === "soak";

/**
 * Long suites do one thing with many seeds, kills, orders or days. `make test` runs a part of each, and counts the cases that it
 * leaves out as skipped; `make test-all`, which sets this, runs all.
 */
export const isWhole = isSoak || process.env.TESTS === "all";

/** Settings of a program under test: for so few plays, threads cost more than they win. `make test-all` has them all. */
export const fewThreads: Record<string, string> = isWhole ? {} : { VENUE_THREADS: "1" };

/** `it` for what only `make test-all` runs. */
export const itInAll = it.runIf(isWhole);

/**
 * `it.each` of seeds and the like; the cases left out are counted as skipped.
 * @param few how many `make test` runs
 * @param more how many `make test-all` runs, where all of them are left to `make soak`
 */
export function itOfMany<Case extends number | string>(
  cases: readonly Case[],
  few: number,
  more = cases.length,
) {
  const chosen = isSoak ? cases.length : isWhole ? more : few;
  return (name: string, body: (one: Case) => Promise<void>, timeoutMs?: number): void => {
    it.each(cases.slice(0, chosen))(name, body, timeoutMs);
    it.skip.each(cases.slice(chosen))(name, body, timeoutMs);
  };
}
