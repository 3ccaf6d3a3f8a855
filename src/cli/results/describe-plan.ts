import type { SyncPlan } from "../../extract/plan/plan-sync.ts";
import { countOf, describeSeconds } from "../../util/text/words.ts";

/** A plan for people: one line per step, in the order of what matters most. */
export function describePlan(plan: SyncPlan): string {
  const { steps, requests, seconds, unknown, unknownListings, stopsAfterMinutes } = plan;
  const lines = steps.map(({ what, requests: count, seconds: duration, why }) => {
    const cost =
      count === undefined
        ? "as many requests as it needs"
        : `${countOf(count, "request")}, ${describeSeconds(duration ?? 0)}`;
    return `${what}: ${cost} (${why})`;
  });
  const more = [
    unknown > 0 ? `, and ${unknown} histories of unknown size` : "",
    unknownListings > 0
      ? `, and listings of zones that are not known yet (four each, ${unknownListings} at most)`
      : "",
  ].join("");
  return [
    ...lines,
    `In all ${countOf(requests, "request")} to the main API, ${describeSeconds(seconds)} at the agreed rate${more}.`,
    ...(stopsAfterMinutes === undefined
      ? []
      : [`Stops after ${countOf(stopsAfterMinutes, "minute")} (--max-minutes): the next sync goes on.`]),
  ].join("\n");
}

export function summarizePlan(plan: SyncPlan): object {
  const { steps, history, requests, seconds, unknown, unknownListings, stopsAfterMinutes } = plan;
  return {
    requests,
    seconds: Math.round(seconds * 10) / 10,
    unknown_histories: unknown,
    unknown_listings: unknownListings,
    stops_after_minutes: stopsAfterMinutes ?? null,
    history: history.map(({ groupId, kind, way, cost, why }) => ({
      group_id: groupId,
      kind,
      way,
      requests: cost?.requests ?? null,
      seconds: cost ? Math.round(cost.seconds * 10) / 10 : null,
      why,
    })),
    steps: steps.map(({ what, requests: count, seconds: duration, why }) => ({
      what,
      requests: count ?? null,
      minutes: duration === undefined ? null : Math.round((duration / 60) * 100) / 100,
      why,
    })),
  };
}
