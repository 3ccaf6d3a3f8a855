import type { Clock } from "../../util/clock.ts";
import type { DistinctLines } from "./distinct-lines.ts";
import { beginNextPass, type WalkProgress } from "./walk-progress.ts";

/** Passes of one walk: more are not made because of what comes in meanwhile. */
const passLimit = 4;
/** An unsorted zone of more records is not read once more because records came in meanwhile. */
const cheapRecords = 10_000;

/** How a walk ended. */
export type WalkEnd =
  | { isComplete: true; knownTotal: number | undefined; top: readonly number[] }
  | { isComplete: false; why: string };

/** Judges the end of a pass: whether all was seen that the service had when the walk began. */
export class PassEnd {
  readonly #progress: WalkProgress;
  readonly #distinct: DistinctLines;
  readonly #clock: Clock;
  readonly #knownBefore: number;

  /** @param knownBefore records that the walk before proved; 0 where it could not */
  constructor(progress: WalkProgress, distinct: DistinctLines, clock: Clock, knownBefore: number) {
    this.#knownBefore = knownBefore;
    this.#progress = progress;
    this.#distinct = distinct;
    this.#clock = clock;
  }

  /** The pass is over: is that all? Answers `undefined` when a further pass was begun. */
  async judge(): Promise<WalkEnd | undefined> {
    const progress = this.#progress;
    const { order, total, pass, records, offset, isAgreed, doubt } = progress;
    const startTotal = progress.startTotal ?? 0;
    const counted = Math.min(startTotal, total);
    if (this.#knownBefore > 0 && total === 0 && records === 0) {
      return {
        isComplete: false,
        why: `the service lists no records, where it listed ${this.#knownBefore} before`,
      };
    }
    if (pass === "whole" && records < counted) return this.#missing(counted, records);
    if (order === "oldest" && offset < total) return this.#missing(total, offset);
    if (order === "newest" && !isAgreed && records < counted) return this.#missing(counted, records);
    if (order === "unsorted" || doubt !== null) return await this.#endByCount(startTotal);
    if (order === "newest" && total !== startTotal && progress.passes < passLimit) {
      beginNextPass(progress, "since", order, startTotal, this.#clock.now());
      return undefined;
    }
    const top = order === "oldest" ? progress.tail : progress.head;
    // More records than the service counts, or some that went: places counted by that total are wrong.
    const isCounted =
      !progress.isMoved && (order === "oldest" ? offset === total : isAgreed || records === startTotal);
    const knownTotal = order === "oldest" ? total : startTotal;
    return { isComplete: true, knownTotal: isCounted && order !== "same" ? knownTotal : undefined, top };
  }

  /**
   * No order tells where records came in. Then all were seen where as many different ones came as the service counts,
   * or where all came in the same order once more, although the pages ended elsewhere.
   */
  async #endByCount(startTotal: number): Promise<WalkEnd | undefined> {
    const progress = this.#progress;
    const { total, passes, others, doubt, sequence, sequenceBefore } = progress;
    const end: WalkEnd = { isComplete: true, knownTotal: undefined, top: [] };
    const hasGrown = total > startTotal && startTotal <= cheapRecords;
    if (hasGrown && passes === 0) return this.#beginAgain();
    const found = (await this.#distinct.count()) + others;
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

  #missing(counted: number, found: number): WalkEnd {
    return { isComplete: false, why: `the service counts ${counted} records, but lists ${found}` };
  }
}
