import type { WalkMark, WalkState, ZoneHistory } from "../../state/data/walks.ts";
import type { ExtractContext } from "../extract-context.ts";
import { DistinctLines } from "./distinct-lines.ts";
import { PassEnd, type WalkEnd } from "./pass-end.ts";
import type { WalkFile } from "./walk-file.ts";
import { isUnchanged, newRecords, overlapOf, placeRecords, renewedMarks } from "./walk-join.ts";
import { WalkPager } from "./walk-pager.ts";
import {
  addRecords,
  beginNextPass,
  noteAhead,
  tailOf,
  tailRecords,
  type WalkProgress,
} from "./walk-progress.ts";
import { type FreshRecords, rereadLimit, WalkReader } from "./walk-reader.ts";
import { agreedPlace, extendOrder, type PlacedRecords, reachBelow, type WalkRecord } from "./walk-record.ts";

const manyAtOnce = "more records began at one instant than one page shows";
const comesTooFast = "records come in faster than they can be read";

/** How often one walk goes back, at most. */
const turnLimit = 50;
/** A request more is spent on repeated plays where a pass needs at least so many. */
const cheapPages = 10;

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
    this.#reader = new WalkReader(progress, new WalkPager(zone, state, progress, context));
    this.#distinct = new DistinctLines(zone.kind, file);
    this.#end = new PassEnd(progress, this.#distinct, context.clock, state);
  }

  /** Reads to the end. @throws {ApiError} when the service fails a page */
  async run(): Promise<WalkEnd> {
    const { progress } = this;
    for (;;) {
      if (progress.repeats !== null) await this.#confirmRepeats(progress.repeats);
      else if (progress.backFrom !== null) await this.#goBack();
      else if (!progress.isRead) await this.#goOn();
      else if (progress.isAgreed && this.#state.surplus > progress.surplus) await this.#confirmSurplus();
      else {
        const end = await this.#end.judge();
        if (end) return end;
      }
    }
  }

  /** Reads the next page. */
  async #goOn(): Promise<void> {
    const { progress } = this;
    const areTooMany = overlapOf(progress) === undefined;
    const fresh = await this.#reader.next();
    const { records, total, shifted } = fresh;
    const isFirst = progress.startTotal === null;
    progress.startTotal ??= total;
    if (isFirst && progress.pass === "whole" && records.length > 0) {
      this.#context.progress.expectRequests(Math.ceil(total / records.length) - 1);
    }
    if (isFirst) progress.head = records.slice(0, tailRecords).map(({ hash }) => hash);
    // Of records that began at one instant, more than fit a page came in an order that may change.
    if (!isFirst && records.length > 0 && areTooMany) progress.doubt ??= manyAtOnce;
    progress.doubt = fresh.doubt ?? progress.doubt;
    progress.isMoved ||= shifted < 0 || total < progress.total;
    progress.order = extendOrder(progress.order, [
      progress.lastInstantMs ?? Number.NaN,
      ...records.map(({ instantMs }) => instantMs),
    ]);
    const grown = total - progress.total;
    progress.isMiscounted ||= !isFirst && grown < shifted;
    const isSteady = !progress.isMiscounted && (isFirst || grown === shifted);
    progress.total = total;
    progress.offset = fresh.offset + records.length;
    addRecords(progress, records);
    noteAhead(progress, records);
    progress.isRead = fresh.isLast;
    progress.surplus = fresh.surplus ?? 0;
    const placed = placeRecords(records, fresh.offset, { order: progress.order, total, isSteady });
    if (progress.pass === "whole") await this.#takeAll(fresh, placed);
    else if (progress.doubt === null && (progress.order === "newest" || progress.order === "oldest"))
      await this.#takeNew(fresh, placed, isFirst);
    else this.#startAnew();
  }

  async #takeAll(
    { records, offset, total, shifted }: FreshRecords,
    placed: PlacedRecords | undefined,
  ): Promise<void> {
    const { progress } = this;
    const { order, passes, hasRepeats } = progress;
    if (shifted > 0 && order === "oldest") this.#beginGoingBack(offset, records);
    const isCheap = total >= cheapPages * records.length;
    if (isCheap && order !== "unsorted" && !hasRepeats && holdsRepeats(records))
      progress.repeats = { offset, hashes: records.map(({ hash }) => hash) };
    // What an earlier pass took is not taken again.
    await this.#save(passes === 0 ? records : await this.#distinct.add(records), placed);
  }

  /**
   * A page showed a play twice: as the service holds it, or in the place of another one. It is read once more; once
   * it proved that the service holds such, others are taken for the same.
   */
  async #confirmRepeats({ offset, hashes }: { offset: number; hashes: number[] }): Promise<void> {
    const { progress } = this;
    const { records, total, areTooMany } = await this.#reader.range(offset, offset + hashes.length);
    const read = new Set(hashes);
    const taken = records.filter(({ hash }) => !read.has(hash));
    // A part of the page proves nothing, whatever the service counts by then.
    const isWhole = records.length >= Math.min(hashes.length, Math.max(total, progress.total) - offset);
    progress.hasRepeats = isWhole && taken.length === 0;
    if (areTooMany) progress.doubt ??= manyAtOnce;
    if (isWhole || areTooMany || progress.rereads >= rereadLimit) progress.repeats = null;
    else progress.rereads += 1;
    noteAhead(progress, taken);
    await this.#save(taken, undefined);
  }

  /** Takes what is not as it was known; the pass is over where all that is older is. */
  async #takeNew(
    { records, offset, total, shifted }: FreshRecords,
    placed: PlacedRecords | undefined,
    isFirst: boolean,
  ): Promise<void> {
    const { progress } = this;
    if (!placed) return await this.#save(records, undefined);
    const isForward = progress.order === "oldest";
    const agreed = agreedPlace(this.#marksOf(placed), placed);
    const isSame = isFirst && isUnchanged(this.#state, progress, { records, total }, agreed);
    const { dueFromMs } = progress;
    const taken = isSame
      ? records.filter(({ instantMs }) => dueFromMs !== null && instantMs >= dueFromMs)
      : newRecords(placed, isForward && !isFirst ? -1 : agreed, progress);
    // Nothing that is to be read again lies below these.
    const isDeep = offset === 0 || reachBelow(records, dueFromMs);
    if (isForward && shifted > 0) this.#beginGoingBack(offset, records);
    else if (isForward && isFirst && offset > 0 && (agreed === undefined || !isDeep)) {
      // Some that began with its first record may lie before the page.
      const index = instantBegin(records) ?? records.length;
      this.#beginGoingBack(offset + index, records.slice(index));
      progress.backTo = offset;
    }
    progress.isAgreed = !isForward && agreed !== undefined && reachBelow(records, dueFromMs);
    progress.isRead ||= progress.isAgreed;
    await this.#save(taken, placed);
  }

  /**
   * Newest first: that places agree proves nothing where the record that was counted too many may be listed by now,
   * deep below. Then the list is longer by one.
   */
  async #confirmSurplus(): Promise<void> {
    const { progress } = this;
    const { total } = progress;
    const { records } = await this.#reader.range(total - this.#state.surplus, total);
    if (records.length > 0) return this.#startAnew();
    progress.surplus = this.#state.surplus;
    await this.#save([], undefined);
  }

  #beginGoingBack(from: number, records: readonly WalkRecord[]): void {
    const { progress } = this;
    progress.turns += 1;
    if (progress.turns > turnLimit) {
      if (progress.pass === "since") progress.doubt ??= comesTooFast;
      progress.isMoved = true;
      return;
    }
    progress.backFrom = from;
    progress.backJoint = records[0]?.hash ?? null;
  }

  /**
   * Oldest first: late lines moved what is newer. Reads the pages before, down to the place up to which nothing
   * moved, then goes on where it was.
   */
  async #goBack(): Promise<void> {
    const { progress } = this;
    const end = progress.backFrom ?? 0;
    // With it comes the record that was read before, so that it proves to stand where it stood.
    const overlap = progress.backJoint === null ? 0 : 1;
    const size = Math.max(2, (progress.largestPage || tailRecords) - overlap);
    const start = Math.max(0, end - size);
    const { records: read, total, areTooMany } = await this.#reader.range(start, end + overlap);
    const isShifted =
      read.length < end - start || (overlap === 1 && read[end - start]?.hash !== progress.backJoint);
    const records = read.slice(0, end - start);
    // Of records that began at one instant some may come before this page: they are read with it once more.
    const begin = start === 0 ? 0 : instantBegin(records);
    const next = begin ?? 0;
    // A whole pass saw all that was there at its beginning without it: then places alone are doubtful.
    const isDoubtful =
      begin === undefined ||
      areTooMany ||
      (isShifted && (progress.pass === "whole" || progress.rereads >= rereadLimit));
    if (isDoubtful) progress.isMoved = true;
    if (isDoubtful && progress.pass === "since") return this.#startAnew();
    const placed = { records, from: start };
    // Marks that this going back set itself tell nothing of what lies below them.
    const marks = this.#marksOf(placed).filter(({ place }) => place < (progress.backTo ?? place + 1));
    const agreed = isShifted ? undefined : agreedPlace(marks, placed);
    const isKnown = agreed !== undefined && reachBelow(records, progress.dueFromMs);
    const isDone = isDoubtful || isKnown || start === 0;
    // What came in meanwhile may stand behind what was read, too.
    if (total !== progress.total) progress.isRead = false;
    progress.total = total;
    if (isShifted && !isDoubtful) {
      // Once more, from where the pages before were left.
      progress.rereads += 1;
      progress.backTo = Math.min(progress.backTo ?? end, end);
      progress.backFrom = progress.offset;
      progress.backJoint = null;
    } else {
      progress.backTo = isDone ? null : Math.min(progress.backTo ?? start, start);
      progress.backFrom = isDone ? null : start + next;
      progress.backJoint = records[next]?.hash ?? null;
    }
    // Before a first page may stand more that began at its only instant: the next one has to show all of them.
    if (end === progress.offset && !isShifted) Object.assign(progress, tailOf(records));
    noteAhead(progress, records);
    await this.#save(newRecords(placed, agreed, progress), isShifted ? undefined : placed);
  }

  /** What was known is of no use: the order changed, or proves nothing. */
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
    // Another run that took the lock over may write to the same file.
    this.#context.state.runs.assertLock();
    this.#file.append(taken.map(({ line }) => line));
    progress.bytes = this.#file.bytes;
    this.#context.progress.addLines(taken.length);
    this.#context.state.walks.savePage(this.#state.walkId, {
      landingId: progress.landingId,
      progress,
      pageSize: this.#state.pageSize ?? 0,
      hasWholePages: this.#state.hasWholePages,
      marks: placed && renewedMarks(placed),
    });
  }
}

/** Which record is the first that began at another instant than the one before it; `undefined`: none is. */
function instantBegin(records: readonly WalkRecord[]): number | undefined {
  let last = Number.NaN;
  for (const [index, { instantMs }] of records.entries()) {
    if (Number.isNaN(instantMs)) continue;
    if (instantMs !== last && !Number.isNaN(last)) return index;
    last = instantMs;
  }
  return undefined;
}

function holdsRepeats(records: readonly WalkRecord[]): boolean {
  const plays = records.filter(({ isPlay }) => isPlay);
  return new Set(plays.map(({ hash }) => hash)).size < plays.length;
}
