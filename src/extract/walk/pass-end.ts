import type { Clock } from "../../util/clock.ts";
import type { DistinctLines } from "./distinct-lines.ts";
import { beginNextPass, type WalkProgress } from "./walk-progress.ts";
import type { WalkReader } from "./walk-reader.ts";

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
  readonly #reader: WalkReader;
  readonly #distinct: DistinctLines;
  readonly #clock: Clock;

  constructor(progress: WalkProgress, reader: WalkReader, distinct: DistinctLines, clock: Clock) {
    this.#progress = progress;
    this.#reader = reader;
    this.#distinct = distinct;
    this.#clock = clock;
  }

  /** The pass is over: is that all? Answers `undefined` when a further pass was begun. */
  async judge(): Promise<WalkEnd | undefined> {
    const progress = this.#progress;
    const { order, total, pass, records } = progress;
    const startTotal = progress.startTotal ?? 0;
    const isKnownPlace = pass === "since" && order === "newest" && progress.offset < total;
    if (order !== "oldest" && !isKnownPlace && records < startTotal)
      return this.#missing(startTotal, records);
    if (order === "oldest" && progress.offset < total) return this.#missing(total, progress.offset);
    if (order === "unsorted") return await this.#endUnsorted(startTotal);
    const top = order === "oldest" ? progress.tail : progress.head;
    if (order === "newest" && total !== startTotal && progress.passes < passLimit) {
      beginNextPass(progress, "since", order, startTotal, this.#clock.now());
      return undefined;
    }
    // More records than the service counts: places counted by that total are wrong.
    const isCounted = order === "oldest" ? progress.offset === total : isKnownPlace || records === startTotal;
    const knownTotal = order === "oldest" ? total : startTotal;
    return { isComplete: true, knownTotal: isCounted && order !== "same" ? knownTotal : undefined, top };
  }

  /** Nothing tells where records came in: distinct lines have to prove that all were seen. */
  async #endUnsorted(startTotal: number): Promise<WalkEnd | undefined> {
    const progress = this.#progress;
    const distinct = await this.#distinct.count();
    const isOnePage = progress.requests === 1;
    const hasGrown = progress.total > startTotal && startTotal <= cheapRecords;
    const end: WalkEnd = { isComplete: true, knownTotal: undefined, top: [] };
    if (hasGrown && progress.passes === 0) {
      beginNextPass(progress, "whole", "same", 0, this.#clock.now());
      return undefined;
    }
    if (isOnePage || distinct >= startTotal || (await this.#isOrderStable())) return end;
    if (progress.passes < passLimit) {
      beginNextPass(progress, "whole", "same", 0, this.#clock.now());
      return undefined;
    }
    return {
      isComplete: false,
      why: `the service lists records in another order with each request: of ${startTotal} it showed ${distinct}`,
    };
  }

  #missing(counted: number, found: number): WalkEnd {
    return { isComplete: false, why: `the service counts ${counted} records, but lists ${found}` };
  }

  /** Whether the first page still begins as it did: then lines that came twice are lines that it holds twice. */
  async #isOrderStable(): Promise<boolean> {
    const { head } = this.#progress;
    const page = await this.#reader.page({ offset: 0, limit: head.length });
    const again = page.records.map(({ hash }) => hash);
    return again.length > 0 && again.every((hash, index) => hash === head[index]);
  }
}
