import type { WalkMark, WalkState, ZoneHistory } from "../../state/walks.ts";
import type { ExtractContext } from "../extract-context.ts";
import { DistinctLines } from "./distinct-lines.ts";
import { isUnchanged, newRecords, placeRecords, renewedMarks } from "./known-records.ts";
import { PassEnd, type WalkEnd } from "./pass-end.ts";
import type { WalkFile } from "./walk-file.ts";
import { agreedPlace, type PlacedRecords } from "./walk-marks.ts";
import { extendOrder } from "./walk-order.ts";
import { beginNextPass, tailRecords, type WalkProgress } from "./walk-progress.ts";
import { type FreshRecords, rereadLimit, WalkReader } from "./walk-reader.ts";
import type { WalkRecord } from "./walk-record.ts";

/** Reads a zone's history page by page. Its progress is saved after each, so that it can be gone on with. */
export class ZoneWalk {
  readonly #state: WalkState;
  readonly #file: WalkFile;
  readonly #context: ExtractContext;
  readonly progress: WalkProgress;
  readonly #reader: WalkReader;
  readonly #distinct: DistinctLines;
  readonly #end: PassEnd;

  constructor(
    zone: ZoneHistory,
    state: WalkState,
    progress: WalkProgress,
    file: WalkFile,
    context: ExtractContext,
  ) {
    this.#state = state;
    this.progress = progress;
    this.#file = file;
    this.#context = context;
    this.#reader = new WalkReader(zone, state, progress, context);
    this.#distinct = new DistinctLines(file);
    this.#end = new PassEnd(progress, this.#reader, this.#distinct, context.clock);
  }

  /** Reads to the end. @throws {ApiError} when the service fails a page */
  async run(): Promise<WalkEnd> {
    // Stopped while the end was being judged: nothing is left to read.
    let isOver = this.#isReadToEnd();
    for (;;) {
      if (!isOver) isOver = this.progress.backFrom === null ? await this.#goOn() : await this.#goBack();
      if (!isOver) continue;
      const end = await this.#end.judge();
      if (end) return end;
      isOver = false;
    }
  }

  #isReadToEnd(): boolean {
    const { startTotal, offset, total, backFrom } = this.progress;
    return startTotal !== null && backFrom === null && offset > 0 && offset >= total;
  }

  /** Reads the next page; answers whether the pass is over. */
  async #goOn(): Promise<boolean> {
    const { progress } = this;
    const fresh = await this.#reader.next();
    const isFirst = progress.startTotal === null;
    const { records, total } = fresh;
    progress.startTotal ??= total;
    if (isFirst && progress.pass === "whole" && records.length > 0) {
      this.#context.progress.expectRequests(Math.ceil(total / records.length) - 1);
    }
    if (isFirst) progress.head = records.slice(0, tailRecords).map(({ hash }) => hash);
    progress.order = extendOrder(progress.order, [
      progress.lastInstantMs ?? Number.NaN,
      ...startsOf(records),
    ]);
    progress.total = total;
    progress.offset = fresh.offset + records.length;
    progress.records += records.length;
    progress.tail = [...progress.tail, ...records.map(({ hash }) => hash)].slice(-tailRecords);
    progress.lastInstantMs =
      startsOf(records).findLast((start) => !Number.isNaN(start)) ?? progress.lastInstantMs;
    if (progress.pass === "whole") await this.#takeAll(fresh);
    else if (progress.order === "newest" || progress.order === "oldest") {
      if (await this.#takeNew(fresh, isFirst)) return true;
    } else {
      this.#startAnew();
      return false;
    }
    return fresh.isLast && progress.backFrom === null;
  }

  async #takeAll({ records, offset, total, shifted }: FreshRecords): Promise<void> {
    const { progress } = this;
    if (progress.order === "unsorted") await this.#distinct.add(records);
    const placed = placeRecords(records, offset, { order: progress.order, total });
    if (shifted > 0 && progress.order === "oldest") progress.backFrom = offset;
    await this.#save(records, placed);
  }

  /** Takes what is not as it was known; answers whether all that is older is. */
  async #takeNew({ records, offset, total, shifted }: FreshRecords, isFirst: boolean): Promise<boolean> {
    const { progress } = this;
    const placed = placeRecords(records, offset, { order: progress.order, total });
    if (!placed) {
      await this.#save(records, undefined);
      return false;
    }
    const isForward = progress.order === "oldest";
    const agreed = agreedPlace(this.#marksOf(placed), placed);
    const isSame = isFirst && isUnchanged(this.#state, progress, { records, total }, agreed);
    const taken = isSame ? [] : newRecords(placed, isForward && !isFirst ? -1 : agreed, progress.knownAt);
    if (isForward && (shifted > 0 || (isFirst && agreed === undefined))) progress.backFrom = offset;
    await this.#save(taken, placed);
    return !isForward && agreed !== undefined;
  }

  /**
   * Oldest first: late lines moved what is newer. Reads the pages before, down to the place up to which nothing
   * moved, then goes on where it was.
   */
  async #goBack(): Promise<boolean> {
    const { progress } = this;
    const end = progress.backFrom ?? 0;
    const size = Math.max(this.#state.pageSize ?? 0, tailRecords);
    const start = Math.max(0, end - size);
    const records: WalkRecord[] = [];
    let total = progress.total;
    while (start + records.length < end) {
      const page = await this.#reader.page({
        offset: start + records.length,
        limit: end - start - records.length,
      });
      total = page.total;
      if (page.records.length === 0) break;
      records.push(...page.records);
    }
    const placed = { records, from: start };
    const agreed = agreedPlace(this.#marksOf(placed), placed);
    const isDone = agreed !== undefined || start === 0;
    // What came in meanwhile moved what is being read: once more from the top.
    const grown = total - progress.total;
    const mustRepeat = grown > 0 && progress.rereads < rereadLimit;
    if (mustRepeat) progress.rereads += 1;
    progress.total = total;
    progress.backFrom = mustRepeat ? progress.offset : isDone ? null : start;
    if (grown > 0) progress.offset += grown;
    await this.#save(newRecords(placed, agreed, progress.knownAt), mustRepeat ? undefined : placed);
    return progress.backFrom === null && progress.offset >= progress.total;
  }

  /** What was known is of no use: the order changed. */
  #startAnew(): void {
    const { progress } = this;
    progress.isSince = false;
    beginNextPass(progress, "whole", "same", 0, this.#context.clock.now());
  }

  #marksOf({ records, from }: PlacedRecords): WalkMark[] {
    return this.#context.state.walks.marks(this.#state.walkId, from, from + records.length - 1);
  }

  async #save(taken: readonly WalkRecord[], placed: PlacedRecords | undefined): Promise<void> {
    const { progress } = this;
    await this.#file.append(taken.map(({ line }) => line));
    progress.bytes = this.#file.bytes;
    this.#context.progress.addLines(taken.length);
    this.#context.state.walks.savePage(this.#state.walkId, {
      landingId: progress.landingId,
      progress,
      pageSize: this.#state.pageSize ?? 0,
      marks: placed && renewedMarks(placed),
    });
  }
}

function startsOf(records: readonly WalkRecord[]): number[] {
  return records.map(({ instantMs }) => instantMs);
}
