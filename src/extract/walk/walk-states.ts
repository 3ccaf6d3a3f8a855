import { beginPass, type Phase, type WalkProgress } from "./walk-progress.ts";

/** Event after a page or at the end of a pass. */
export type WalkEvent =
  /** There are more pages to read. */
  | "page"
  /** All older records are unchanged since the last complete walk. */
  | "known"
  /** The list ends with this page. */
  | "last"
  /** The list ends with this page, but there may be new records before the first page. */
  | "gap"
  /** The page contradicts the known order or the known places. */
  | "unfit"
  /** The pages do not prove that every record was read. */
  | "unproven"
  /** Records arrived during the walk, in a list that starts with the newest. */
  | "grownAtHead"
  /** Records arrived during the walk, in a list that starts with the oldest. */
  | "grownAtTail";

/**
 * All transitions of a walk. In `ended`, a walk stops if it is complete or cannot be completed.
 *
 * | phase | reads |
 * |---|---|
 * | whole | every page, from offset 0 |
 * | newest | newest first: from offset 0 to the first known page |
 * | oldest | oldest first: from shortly before the known end to the end of the list |
 * | back | oldest first: the pages before the first one, back to a known page |
 */
const transitions: Record<Phase, Partial<Record<WalkEvent, Phase>>> = {
  whole: { page: "whole", last: "ended" },
  newest: { page: "newest", known: "ended", last: "ended", unfit: "whole" },
  oldest: { page: "oldest", last: "ended", gap: "back", unfit: "whole" },
  back: { page: "back", known: "ended", unfit: "whole" },
  ended: { unproven: "whole", grownAtHead: "newest", grownAtTail: "oldest" },
};

/**
 * Moves a walk to its next phase. Starts a new pass if that phase does not continue from the current page.
 */
export function advance(progress: WalkProgress, event: WalkEvent, now: Date, pageSize?: number): void {
  const { phase } = progress;
  const next = transitions[phase][event];
  if (next === undefined) throw new Error(`Phase ${phase} of a walk has no transition for ${event}.`);
  if (next === phase) return;
  if (next === "ended" || next === "back") progress.phase = next;
  else Object.assign(progress, beginPass(progress, next, now, pageSize));
}
