import type { SyncPlan } from "../pipeline/plan-sync.ts";
import { describeSeconds } from "../util/describe-seconds.ts";

/** A plan for people: one line per step, in the order of what matters most. */
export function describePlan({ steps, requests, seconds, unknown }: SyncPlan): string {
  const lines = steps.map(({ what, requests: count, seconds: duration, why }) => {
    const cost =
      count === undefined
        ? "as many requests as it needs"
        : `${count} requests, ${describeSeconds(duration ?? 0)}`;
    return `${what}: ${cost} (${why})`;
  });
  const more = unknown > 0 ? `, and ${unknown} histories of unknown size` : "";
  return [
    ...lines,
    `In all ${requests} requests, ${describeSeconds(seconds)} at the agreed rate${more}.`,
  ].join("\n");
}

export function summarizePlan({ steps, history, requests, seconds, unknown }: SyncPlan): object {
  return {
    requests,
    seconds: Math.round(seconds * 10) / 10,
    unknown_histories: unknown,
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
