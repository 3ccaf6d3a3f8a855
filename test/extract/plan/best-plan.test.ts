import fc from "fast-check";
import { expect, it } from "vitest";
import {
  type HistoryCosts,
  type PlannedHistory,
  planHistory,
  sumCosts,
} from "../../../src/extract/plan/history-plan.ts";
import { computePace, estimateSendSeconds } from "../../../src/state/client/pace.ts";

const ways = ["export", "walk"] as const;

/** Histories of one zone each, without overlap. */
const histories = fc
  .array(
    fc.record({
      seconds: fc.integer({ min: 1, max: 600 }),
      requests: fc.integer({ min: 3, max: 12 }),
      walk: fc.integer({ min: 1, max: 700 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((drawn) =>
    drawn.map(
      ({ seconds, requests, walk }, index): HistoryCosts => ({
        groupId: index,
        kind: "music",
        export: { seconds, requests, landings: 1 },
        walks: new Map([[index, walk]]),
      }),
    ),
  );

function* listPlans([first, ...others]: readonly HistoryCosts[]): Generator<PlannedHistory[]> {
  if (!first) return yield [];
  for (const rest of listPlans(others)) {
    for (const way of ways) {
      const forced = { way, why: "tried" };
      yield [...planHistory([{ ...first, forced }], "auto", pace), ...rest];
    }
  }
}

const pace = computePace(1);

// Delaying an export's request delays its end: the plan does not optimise the order of requests.
it("no other choice of exports and walks finishes sooner than the plan by more than one request each", () => {
  fc.assert(
    fc.property(histories, (costs) => {
      const done = (plan: PlannedHistory[]) => sumCosts(plan, pace).seconds;
      const soonest = Math.min(...[...listPlans(costs)].map(done));
      const late = done(planHistory(costs, "auto", pace)) - soonest;
      expect(late).toBeLessThan(estimateSendSeconds(costs.length + 1, pace));
    }),
    { numRuns: 1000, seed: 20261122 },
  );
});
