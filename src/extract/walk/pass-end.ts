import type { WalkState } from "../../state/data/walks.ts";
import type { Clock } from "../../util/clock.ts";
import type { DistinctLines } from "./distinct-lines.ts";
import { aheadOf, beginNextPass, type WalkProgress } from "./walk-progress.ts";
import { dueRecords } from "./walk-record.ts";

/** Passes of one walk: more are not made because of what comes in meanwhile. */
const passLimit = 4;
/** An unsorted zone of more records is not read once more because records came in meanwhile. */
const cheapRecords = 10_000;

/** How a walk ended. */
export type WalkEnd =
  | {
      isComplete: true;
      knownTotal: number | undefined;
      top: readonly number[];
      /** `undefined`: the walk did not come to the zone's end. */
      surplus?: number;
      note?: string;
    }
  | { isComplete: false; why: string; surplus?: number };

/**
 * Judges the end of a pass: whether all was seen that the service had when the walk began.
 *
 * A service that counts one record more than it lists is believed in the second walk in a row that sees it: each page
 * showed the end of the one before, looks behind the last record showed nothing, and the second walk's pages end
 * elsewhere. Two looks in one walk would not do: a record that is counted at once but listed some minutes later would
 * be left out, and the next sync is late enough to find it.
 */
export class PassEnd {
  readonly #progress: WalkProgress;
  readonly #distinct: DistinctLines;
  readonly #clock: Clock;
  readonly #before: Pick<WalkState, "knownTotal" | "surplus">;

  /** @param before what the walk before found */
  constructor(
    progress: WalkProgress,
    distinct: DistinctLines,
    clock: Clock,
    before: Pick<WalkState, "knownTotal" | "surplus">,
  ) {
    this.#before = before;
    this.#progress = progress;
    this.#distinct = distinct;
    this.#clock = clock;
  }

  /** The pass is over: is that all? Answers `undefined` when a further pass was begun. */
  async judge(): Promise<WalkEnd | undefined> {
    const progress = this.#progress;
    const { order, pass, records, offset, isAgreed, doubt } = progress;
    const knownBefore = this.#before.knownTotal ?? 0;
    if (knownBefore > 0 && progress.total === 0 && records === 0) {
      return {
        isComplete: false,
        why: `the service lists no records, where it listed ${knownBefore} before`,
      };
    }
    const surplus = this.#hasSurplus() ? progress.surplus : 0;
    if (surplus > this.#before.surplus)
      return { ...this.#missing(progress.total, progress.total - surplus), surplus };
    const total = progress.total - surplus;
    const startTotal = (progress.startTotal ?? 0) - surplus;
    const counted = Math.min(startTotal, total);
    if (pass === "whole" && records < counted) return this.#missing(counted, records);
    if (order === "oldest" && offset < total) return this.#missing(total, offset);
    if (order === "newest" && !isAgreed && records < counted) return this.#missing(counted, records);
    if (order === "unsorted" || doubt !== null) return await this.#endByCount(startTotal, total, surplus);
    const now = this.#clock.now();
    const isGrown = order === "newest" && total !== startTotal;
    if (order !== "same" && (isGrown || isOverdue(progress, now)) && progress.passes < passLimit) {
      beginNextPass(progress, "since", order, isGrown ? startTotal : total, now);
      return undefined;
    }
    const top = order === "oldest" ? progress.tail : progress.head;
    // More records than the service counts, or some that went: places counted by that total are wrong.
    const isCounted =
      !progress.isMoved && (order === "oldest" ? offset === total : isAgreed || records === startTotal);
    // Newest first, places are counted by what the service tells.
    const knownTotal = order === "oldest" ? total : startTotal + surplus;
    return {
      isComplete: true,
      knownTotal: isCounted && order !== "same" ? knownTotal : undefined,
      top,
      ...(isAgreed && progress.surplus === 0 ? {} : this.#noteOf(isAgreed ? progress.surplus : surplus)),
    };
  }

  /** The service counts one record more than it lists, and the walk read the same number of them up to that end. */
  #hasSurplus(): boolean {
    const { surplus, doubt, isMoved, order, pass, records, offset, total, startTotal } = this.#progress;
    const isWhole = pass === "whole" || order !== "oldest";
    const isAll = offset === total - surplus && (!isWhole || records === total - surplus);
    return surplus > 0 && isAll && doubt === null && !isMoved && total === startTotal;
  }

  #noteOf(surplus: number): { surplus: number; note?: string } {
    const { total } = this.#progress;
    const note = `the service counts ${total} records, but lists ${total - surplus}, as it did in the walk before`;
    return surplus > 0 ? { surplus, note } : { surplus };
  }

  /**
   * No order tells where records came in. Then all were seen where as many different ones came as the service counts,
   * or where all came in the same order once more, although the pages ended elsewhere.
   */
  async #endByCount(startTotal: number, total: number, surplus: number): Promise<WalkEnd | undefined> {
    const progress = this.#progress;
    const { passes, doubt, sequence, sequenceBefore } = progress;
    const end: WalkEnd = { isComplete: true, knownTotal: undefined, top: [], ...this.#noteOf(surplus) };
    const hasGrown = total > startTotal && startTotal <= cheapRecords;
    if (hasGrown && passes === 0) return this.#beginAgain();
    const found = await this.#distinct.count();
    const needed = doubt === null ? startTotal : Math.max(startTotal, total);
    const isOnePage = progress.pages === 1 && doubt === null;
    if (isOnePage || found >= needed || (doubt === null && sequence === sequenceBefore)) return end;
    if (passes < passLimit) return this.#beginAgain();
    const why = doubt ?? "the service lists records in another order with each request";
    return { isComplete: false, why: `${why}: of ${needed} it showed ${found}` };
  }

  #beginAgain(): undefined {
    beginNextPass(this.#progress, "whole", "same", 0, this.#clock.now());
  }

  #missing(counted: number, found: number): WalkEnd & { isComplete: false } {
    return { isComplete: false, why: `the service counts ${counted} records, but lists ${found}` };
  }
}

/**
 * Whether records that were ahead of their time when the pass began are not any more: one that was stopped is taken up
 * days later. Loading would reject them, as of when it began.
 */
function isOverdue(progress: WalkProgress, now: Date): boolean {
  const ahead = aheadOf(progress);
  return !dueRecords(ahead, new Date(progress.requestedAt)) && dueRecords(ahead, now) !== undefined;
}
