import type { SortOrder, WalkMark, WalkState, ZoneHistory } from "../../state/walks.ts";
import type { ExtractContext } from "../extract-context.ts";
import { DistinctLines } from "./distinct-lines.ts";
import type { WalkFile } from "./walk-file.ts";
import { agreedPlace, marksOf, type PlacedRecords } from "./walk-marks.ts";
import { extendOrder } from "./walk-order.ts";
import { beginPass, tailRecords, type WalkProgress } from "./walk-progress.ts";
import { type FreshRecords, rereadLimit, WalkReader } from "./walk-reader.ts";
import type { WalkRecord } from "./walk-record.ts";

/** Passes of one walk: more are not made because of what comes in meanwhile. */
const passLimit = 4;
/** An unsorted zone of more records is not read once more because records came in meanwhile. */
const cheapRecords = 10_000;
/** What began so long before the last walk may have grown since. */
const growthMs = 24 * 3_600_000;

/** How a walk ended. */
export type WalkEnd =
  | { isComplete: true; knownTotal: number | undefined; top: readonly number[] }
  | { isComplete: false; why: string };

/** Reads a zone's history page by page. Its progress is saved after each, so that it can be gone on with. */
export class ZoneWalk {
  readonly #state: WalkState;
  readonly #file: WalkFile;
  readonly #context: ExtractContext;
  readonly progress: WalkProgress;
  readonly #reader: WalkReader;
  readonly #distinct: DistinctLines;

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
  }

  /** Reads to the end. @throws {ApiError} when the service fails a page */
  async run(): Promise<WalkEnd> {
    // Stopped while the end was being judged: nothing is left to read.
    let isOver = this.#isReadToEnd();
    for (;;) {
      if (!isOver) isOver = this.progress.backFrom === null ? await this.#goOn() : await this.#goBack();
      if (!isOver) continue;
      const end = await this.#endPass();
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
    const placed = this.#place(records, offset, total);
    if (shifted > 0 && progress.order === "oldest") progress.backFrom = offset;
    await this.#save(records, placed && { placed });
  }

  /** Takes what is not as it was known; answers whether all that is older is. */
  async #takeNew({ records, offset, total, shifted }: FreshRecords, isFirst: boolean): Promise<boolean> {
    const { progress } = this;
    const placed = this.#place(records, offset, total);
    if (!placed) {
      await this.#save(records, undefined);
      return false;
    }
    const isForward = progress.order === "oldest";
    const agreed = agreedPlace(this.#marksOf(placed), placed);
    const isSame = isFirst && this.#isUnchanged(records, total, agreed);
    const taken = isSame ? [] : this.#newRecords(placed, isForward && !isFirst ? -1 : agreed);
    if (isForward && (shifted > 0 || (isFirst && agreed === undefined))) progress.backFrom = offset;
    await this.#save(taken, { placed });
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
    await this.#save(this.#newRecords(placed, agreed), mustRepeat ? undefined : { placed });
    return progress.backFrom === null && progress.offset >= progress.total;
  }

  /** The pass is over: is that all? Answers `undefined` when a further pass was begun. */
  async #endPass(): Promise<WalkEnd | undefined> {
    const { progress } = this;
    const { order, total, pass, records } = progress;
    const startTotal = progress.startTotal ?? 0;
    const isKnownPlace = pass === "since" && order === "newest" && progress.offset < total;
    if (order !== "oldest" && !isKnownPlace && records < startTotal)
      return this.#missing(startTotal, records);
    if (order === "oldest" && progress.offset < total) return this.#missing(total, progress.offset);
    if (order === "unsorted") return await this.#endUnsorted(startTotal);
    const top = order === "oldest" ? progress.tail : progress.head;
    if (order === "newest" && total !== startTotal && progress.passes < passLimit) {
      this.#beginPass("since", order, startTotal);
      return undefined;
    }
    // More records than the service counts: places counted by that total are wrong.
    const isCounted = order === "oldest" ? progress.offset === total : isKnownPlace || records === startTotal;
    const knownTotal = order === "oldest" ? total : startTotal;
    return { isComplete: true, knownTotal: isCounted && order !== "same" ? knownTotal : undefined, top };
  }

  /** Nothing tells where records came in: distinct lines have to prove that all were seen. */
  async #endUnsorted(startTotal: number): Promise<WalkEnd | undefined> {
    const { progress } = this;
    const distinct = await this.#distinct.count();
    const isOnePage = progress.requests === 1;
    const hasGrown = progress.total > startTotal && startTotal <= cheapRecords;
    const end: WalkEnd = { isComplete: true, knownTotal: undefined, top: [] };
    if (hasGrown && progress.passes === 0) {
      this.#beginPass("whole", "same", 0);
      return undefined;
    }
    if (isOnePage || distinct >= startTotal || (await this.#isOrderStable())) return end;
    if (progress.passes < passLimit) {
      this.#beginPass("whole", "same", 0);
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
    const { head } = this.progress;
    const page = await this.#reader.page({ offset: 0, limit: head.length });
    const again = page.records.map(({ hash }) => hash);
    return again.length > 0 && again.every((hash, index) => hash === head[index]);
  }

  #beginPass(pass: WalkProgress["pass"], order: SortOrder | "same", knownTotal: number): void {
    const { progress } = this;
    if (pass === "since") progress.knownAt ??= progress.requestedAt;
    Object.assign(progress, beginPass(pass, order, knownTotal, this.#context.clock.now()));
    progress.passes += 1;
  }

  /** What was known is of no use: the order changed. */
  #startAnew(): void {
    this.progress.isSince = false;
    this.#beginPass("whole", "same", 0);
  }

  /** Records by place, from the oldest on; `undefined` while no order is known. */
  #place(records: readonly WalkRecord[], offset: number, total: number): PlacedRecords | undefined {
    const { order } = this.progress;
    if (order === "oldest") return { records, from: offset };
    if (order !== "newest") return undefined;
    const from = total - offset - records.length;
    return from < 0 ? undefined : { records: records.toReversed(), from };
  }

  #marksOf({ records, from }: PlacedRecords): WalkMark[] {
    return this.#context.state.walks.marks(this.#state.walkId, from, from + records.length - 1);
  }

  /** Whether the newest records are, to the letter, those that were the newest before. */
  #isUnchanged(records: readonly WalkRecord[], total: number, agreed: number | undefined): boolean {
    const { top } = this.#state;
    if (agreed === undefined || total !== this.progress.knownTotal || this.progress.passes > 0) return false;
    const hashes = records.map(({ hash }) => hash);
    const count = Math.min(top.length, hashes.length);
    const [before, now] =
      this.progress.order === "oldest"
        ? [top.slice(top.length - count), hashes.slice(hashes.length - count)]
        : [top.slice(0, count), hashes.slice(0, count)];
    return count > 0 && now.every((hash, index) => hash === before[index]);
  }

  /** Those above the place up to which all is as it was, and those that may have grown. */
  #newRecords({ records, from }: PlacedRecords, agreed: number | undefined): WalkRecord[] {
    const { knownAt } = this.progress;
    const grownFrom = knownAt === null ? Number.POSITIVE_INFINITY : Date.parse(knownAt) - growthMs;
    return records.filter(
      ({ instantMs }, index) => agreed === undefined || from + index > agreed || !(instantMs < grownFrom),
    );
  }

  async #save(taken: readonly WalkRecord[], shown: { placed: PlacedRecords } | undefined): Promise<void> {
    const { progress } = this;
    await this.#file.append(taken.map(({ line }) => line));
    progress.bytes = this.#file.bytes;
    this.#context.progress.addLines(taken.length);
    this.#context.state.walks.savePage(this.#state.walkId, {
      landingId: progress.landingId,
      progress,
      pageSize: this.#state.pageSize ?? 0,
      ...(shown && shown.placed.records.length > 0 ? { marks: renewed(shown.placed) } : {}),
    });
  }
}

function renewed(placed: PlacedRecords) {
  const to = placed.from + placed.records.length - 1;
  return { from: placed.from, to, marks: marksOf(placed) };
}

function startsOf(records: readonly WalkRecord[]): number[] {
  return records.map(({ instantMs }) => instantMs);
}
