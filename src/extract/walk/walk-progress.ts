import { createLandingId } from "../../state/landings.ts";
import type { SortOrder, WalkState } from "../../state/walks.ts";
import type { SeenOrder } from "./walk-order.ts";

/**
 * How far a walk is, as it is saved after every page. A walk makes one pass or several: the first reads everything,
 * or what is new since the walk before; further ones read what came in meanwhile.
 */
export interface WalkProgress {
  landingId: string;
  /** In data's time: when the pass that is under way, or was last, began. ISO 8601. */
  requestedAt: string;
  /** `whole` reads everything; `since` reads what is newer than the place up to which all is as it was known. */
  pass: "whole" | "since";
  /** The walk began with what was known. */
  isSince: boolean;
  passes: number;
  requests: number;
  /** Bytes of the landing so far. */
  bytes: number;
  /** Pages that were read again because records had shifted. */
  rereads: number;
  order: SeenOrder;
  /** Records that are known before this pass; places of marks count up to it. */
  knownTotal: number;
  /** Of the walk before, in data's time: what it saw while it still ran may have grown. ISO 8601. */
  knownAt: string | null;
  /** Of the next page. */
  offset: number;
  /** Oldest first only: reads pages before this offset, down to where all is as it was; then goes on. */
  backFrom: number | null;
  /** What the service said at the pass's first page, and at its last. */
  startTotal: number | null;
  total: number;
  /** Records of this pass. */
  records: number;
  /** Hashes of the last records, in the service's order, and when the last one began. */
  tail: number[];
  lastInstantMs: number | null;
  /** Hashes of the first records of this pass. */
  head: number[];
}

/** Records whose hashes are kept to know a place again. */
export const tailRecords = 50;

/** The beginning of a walk: whole where nothing can be built upon. */
export function beginWalk(state: WalkState, requestedAt: Date): WalkProgress {
  const { order, knownTotal, completedAt } = state;
  const isKnown = (order === "newest" || order === "oldest") && knownTotal !== undefined && knownTotal > 0;
  return {
    landingId: createLandingId(),
    requests: 0,
    bytes: 0,
    rereads: 0,
    passes: 0,
    isSince: isKnown,
    knownAt: completedAt?.toISOString() ?? null,
    ...(isKnown
      ? beginPass("since", order, knownTotal, requestedAt, state.pageSize)
      : beginPass("whole", "same", 0, requestedAt)),
  };
}

type Pass = Omit<
  WalkProgress,
  "landingId" | "requests" | "bytes" | "rereads" | "passes" | "isSince" | "knownAt"
>;

/** Makes the walk go on with a further pass. */
export function beginNextPass(
  progress: WalkProgress,
  pass: WalkProgress["pass"],
  order: SortOrder | "same",
  knownTotal: number,
  requestedAt: Date,
): void {
  if (pass === "since") progress.knownAt ??= progress.requestedAt;
  Object.assign(progress, beginPass(pass, order, knownTotal, requestedAt));
  progress.passes += 1;
}

/** What a pass begins with. */
function beginPass(
  pass: WalkProgress["pass"],
  order: SortOrder | "same",
  knownTotal: number,
  requestedAt: Date,
  pageSize = tailRecords,
): Pass {
  // Oldest first: some known records are read again, to see that they stand where they stood.
  const overlap = Math.max(2, Math.min(tailRecords, pageSize));
  return {
    requestedAt: requestedAt.toISOString(),
    pass,
    order,
    knownTotal,
    offset: pass === "since" && order === "oldest" ? Math.max(0, knownTotal - overlap) : 0,
    backFrom: null,
    startTotal: null,
    total: 0,
    records: 0,
    tail: [],
    lastInstantMs: null,
    head: [],
  };
}
