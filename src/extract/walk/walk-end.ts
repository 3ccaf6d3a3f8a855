import type { WalkState } from "../../state/data/walks.ts";
import type { DistinctLines } from "./distinct-lines.ts";
import { countListed, getAheadRecords, type WalkProgress } from "./walk-progress.ts";
import { findDueRecords } from "./walk-record.ts";
import type { WalkEvent } from "./walk-states.ts";

/**
 * Maximum number of passes after the first. More passes are needed for proof, or for records that arrived
 * during the walk.
 */
const maxPasses = 4;
const growthLimit = 2;
/** Maximum size of an unsorted zone that is read again because records arrived during the walk. */
const cheapRecords = 10_000;

export type WalkEnd =
  | {
      isComplete: true;
      /** Number of known records; `undefined` if the next walk cannot build on this one. */
      knownTotal: number | undefined;
      /** Hashes of the newest records, in the service's order. */
      top: readonly number[];
      surplus: number;
      note?: string;
    }
  | { isComplete: false; why: string; surplus: number };

/**
 * Returns how the walk ended. If this pass may have missed records that existed when it began, returns an event
 * that starts another pass instead.
 *
 * If the service counts one record more than it lists, the second such walk in a row is complete. By then, a
 * record that was only listed late would have appeared.
 */
export async function decideEnd(
  progress: WalkProgress,
  state: WalkState,
  distinct: DistinctLines,
  now: Date,
): Promise<WalkEnd | WalkEvent> {
  const { cursor, first, total, records, missing, known, isMoved, doubt, passes } = progress;
  const { order } = cursor;
  const knownBefore = state.knownTotal ?? 0;
  if (knownBefore > 0 && total === 0 && records === 0)
    return endIncomplete(`the service lists no records (it listed ${knownBefore} before)`);
  const surplus = missing === 1 && state.surplus === 1 ? 1 : 0;
  const [countedFirst, counted] = [(first?.total ?? 0) - surplus, total - surplus];
  if (doubt === null && (missing ?? 0) > surplus)
    return endIncomplete(countedButListed(total, total - (missing ?? 0)), missing === 1 ? 1 : 0);
  const note = surplus > 0 ? { note: `${countedButListed(total, counted)}, as in the previous walk` } : {};
  if (order === "unsorted" || doubt !== null) {
    const end = await decideByCount(progress, distinct, countedFirst, counted);
    return end ?? { isComplete: true, knownTotal: undefined, top: [], surplus, ...note };
  }
  const expected = Math.min(countedFirst, counted);
  if (known === null && !isMoved && records < expected)
    return endIncomplete(countedButListed(expected, records));
  const listed = countListed(progress);
  const isGrown = order === "newest" ? total !== first?.total : counted > listed;
  if (passes < growthLimit && !isMoved && order !== "same" && (isGrown || isOverdue(progress, now)))
    return order === "newest" ? "grownAtHead" : "grownAtTail";
  // Places are uncertain if the total differs from the number of listed records.
  const isExact =
    order === "oldest" ? listed <= total : missing === null || records === first?.total || records === total;
  const isKnown = isExact && surplus === 0 && !isMoved && order !== "same";
  return {
    isComplete: true,
    knownTotal: isKnown ? listed : undefined,
    top: order === "oldest" ? cursor.tail : (first?.hashes ?? []),
    surplus,
    ...note,
  };
}

/**
 * Decides for records without a reliable order. Returns `undefined` if the walk is complete: it found as many
 * distinct records as the service counts, or all pages of a second pass joined and contained nothing new.
 */
async function decideByCount(
  progress: WalkProgress,
  distinct: DistinctLines,
  countedFirst: number,
  counted: number,
): Promise<WalkEnd | WalkEvent | undefined> {
  const { passes, doubt, first, records, bytes, isMoved } = progress;
  const isGrown = counted > countedFirst && countedFirst <= cheapRecords;
  if (isGrown && passes === 0) return "unproven";
  const needed = doubt === null ? countedFirst : Math.max(countedFirst, counted);
  const found = await distinct.count();
  if (found >= needed && (doubt === null || !isMoved)) return undefined;
  if (doubt === null && passes > 0 && records > 0 && bytes === first?.bytes) return undefined;
  if (passes < maxPasses) return "unproven";
  const why = doubt ?? "the service lists records in a different order on each request";
  return endIncomplete(`${why}: ${found} of ${needed} records found`);
}

/**
 * Returns true if records were too far in the future when the pass began, but are due now, for example in a
 * walk resumed days later. Without a new pass, the load would reject them, because it compares them with the
 * time of the pass.
 */
function isOverdue(progress: WalkProgress, now: Date): boolean {
  const ahead = getAheadRecords(progress);
  return !findDueRecords(ahead, new Date(progress.requestedAt)) && findDueRecords(ahead, now) !== undefined;
}

function countedButListed(counted: number, listed: number): string {
  return `the service counts ${counted} records but lists ${listed}`;
}

function endIncomplete(why: string, surplus = 0): WalkEnd {
  return { isComplete: false, why, surplus };
}
