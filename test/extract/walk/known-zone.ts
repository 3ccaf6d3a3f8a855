import type { WalkState } from "../../../src/state/data/walks.ts";

/** What is known of a zone's history; nothing, but for what is said. */
export function knownZone(known: Partial<WalkState> = {}): WalkState {
  return {
    walkId: 1,
    kind: "music",
    zoneId: 7,
    order: undefined,
    knownTotal: undefined,
    top: [],
    pageSize: undefined,
    hasWholePages: false,
    requests: undefined,
    wholeRequests: undefined,
    requestsSince: undefined,
    completedAt: undefined,
    ahead: undefined,
    surplus: 0,
    progress: undefined,
    ...known,
  };
}
