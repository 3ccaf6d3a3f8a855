import type { WalkMark, WalkState, ZoneHistory } from "../../state/data/walks.ts";
import type { ExtractContext } from "../extract-context.ts";
import { DistinctLines } from "./distinct-lines.ts";
import {
  findAgreedPlace,
  isUnchanged,
  type PlacedRecords,
  placeFromNewest,
  selectMarks,
  selectNew,
} from "./known-places.ts";
import { advanceCursor, computeOverlap, createCursor, tailRecords } from "./walk-cursor.ts";
import { decideEnd, type WalkEnd } from "./walk-end.ts";
import type { WalkFile } from "./walk-file.ts";
import { recordAhead, type WalkProgress } from "./walk-progress.ts";
import { type FreshRecords, WalkReader } from "./walk-reader.ts";
import { hasReachedInstant, type WalkRecord } from "./walk-record.ts";
import { advance, type WalkEvent } from "./walk-states.ts";

interface PageResult {
  event: WalkEvent;
  /** Records to add to the landing. */
  taken: readonly WalkRecord[];
  placed?: PlacedRecords | undefined;
}

/** Reads a zone's history page by page. Saves the progress after each page, so that the walk can be resumed. */
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
    this.#distinct = new DistinctLines(zone.kind, file);
  }

  /** Walks the zone's remaining history. @throws {ApiError} if a page cannot be read */
  async run(): Promise<WalkEnd> {
    const { progress } = this;
    for (;;) {
      const now = this.#context.clock.now();
      if (progress.phase === "ended") {
        const end = await decideEnd(progress, this.#state, this.#distinct, now);
        if (typeof end === "object") return end;
        advance(progress, end, now, this.#state.pageSize);
      }
      const page = progress.phase === "back" ? await this.#readBack() : await this.#readNext();
      this.#save(page);
    }
  }

  async #readNext(): Promise<PageResult> {
    const { progress } = this;
    const { phase, first } = progress;
    const hasTooMany = computeOverlap(progress.cursor, this.#reader.pageSize) === undefined;
    const lowestRead = first ? progress.total - progress.cursor.offset : Number.POSITIVE_INFINITY;
    const page = await this.#reader.next();
    const { records, offset, total } = page;
    if (first && hasTooMany && records.length > 0)
      progress.doubt ??= "more records start at one instant than fit on one page";
    progress.doubt = page.doubt ?? progress.doubt;
    const isJoined = page.doubt === undefined && !hasTooMany;
    const hasVanished = isJoined && offset < progress.cursor.offset;
    if (first) progress.isMoved ||= hasVanished || total < progress.total;
    if (!first) this.#beginPass(page);
    const place = computeNextPlace(progress);
    progress.cursor = advanceCursor(progress.cursor, records, offset + records.length);
    progress.total = total;
    progress.records += records.length;
    progress.missing = page.isLast ? page.missing : null;
    const event = page.isLast ? "last" : "page";
    const { order } = progress.cursor;
    if (phase === "whole") {
      recordAhead(progress, records);
      // Skips lines that an earlier pass wrote.
      const taken = progress.passes === 0 ? records : await this.#distinct.add(records);
      if (order !== "newest" && order !== "oldest") return { event, taken };
      const placed = order === "oldest" ? { records, from: place } : placeFromNewest(records, offset, total);
      return { event, taken, placed };
    }
    if (progress.doubt !== null || order !== phase) return { event: "unfit", taken: [] };
    if (phase === "newest") return this.#takeNewest(page, event, lowestRead, !first);
    return this.#takeOldest(page, event, place, !first);
  }

  #beginPass({ records, offset, total }: FreshRecords): void {
    const { progress } = this;
    const hashes = records.slice(0, tailRecords).map(({ hash }) => hash);
    progress.first = { offset, total, hashes, bytes: progress.bytes, back: null };
    if (progress.phase === "whole" && progress.passes === 0 && records.length > 0)
      this.#context.progress.expectRequests(Math.ceil(total / records.length) - 1);
  }

  /** @param lowestRead lowest place read in this pass; marks from there on are ignored, because this pass set them */
  #takeNewest(page: FreshRecords, event: WalkEvent, lowestRead: number, isFirst: boolean): PageResult {
    const { records, offset, total } = page;
    const placed = placeFromNewest(records, offset, total);
    if (!placed) return { event, taken: records };
    const agreed = this.#findAgreedPlace(placed, lowestRead);
    const taken = this.#take(placed, agreed, isFirst && agreed !== undefined ? page : undefined);
    const isKnown = agreed !== undefined && this.#includesAllDue(records);
    if (isKnown) this.progress.missing = null;
    return { event: isKnown ? "known" : event, taken, placed };
  }

  #takeOldest(page: FreshRecords, event: WalkEvent, place: number, isFirst: boolean): PageResult {
    const { first } = this.progress;
    const { records, offset } = page;
    if (!first || (isFirst && records.length === 0)) return { event: "unfit", taken: [] };
    const placed = { records, from: place };
    const agreed = isFirst ? this.#findAgreedPlace(placed) : -1;
    const taken = this.#take(placed, agreed, isFirst && agreed !== undefined ? page : undefined);
    if (isFirst && offset > 0 && (agreed === undefined || !this.#includesAllDue(records)))
      first.back = advanceCursor(createCursor("newest", offset), records.toReversed(), offset);
    return { event: event === "last" && first.back ? "gap" : event, taken, placed };
  }

  /**
   * Reads the page before the first one. Needed if records are listed oldest first, and late-arriving records
   * shifted the known ones so that the first page did not join them.
   */
  async #readBack(): Promise<PageResult> {
    const { progress } = this;
    const { first } = progress;
    const page = first?.back ? await this.#reader.previous(first.back) : undefined;
    if (!first?.back || !page) return { event: "unfit", taken: [] };
    const { records, offset, total } = page;
    const back = advanceCursor(first.back, records.toReversed(), offset);
    if (back.order !== "newest") return { event: "unfit", taken: [] };
    const placed = { records, from: offset };
    const agreed = this.#findAgreedPlace(placed, first.back.offset);
    const isKnown = agreed !== undefined && this.#includesAllDue(records);
    progress.isMoved ||= total < progress.total;
    progress.total = total;
    first.back = back;
    return { event: isKnown || page.isLast ? "known" : "page", taken: this.#take(placed, agreed), placed };
  }

  /** @param below place from which on marks are ignored */
  #findAgreedPlace(placed: PlacedRecords, below = Number.POSITIVE_INFINITY): number | undefined {
    const { records, from } = placed;
    const marks = this.#context.state.walks.marks(this.#state.walkId, from, from + records.length - 1);
    return findAgreedPlace(
      marks.filter(({ place }: WalkMark) => place < below),
      placed,
    );
  }

  /**
   * Returns the records to land.
   * @param newest the page with the newest records, if it may be unchanged since the last walk
   */
  #take(placed: PlacedRecords, agreed: number | undefined, newest?: FreshRecords): WalkRecord[] {
    const { progress } = this;
    const { known, passes, cursor } = progress;
    const { records, from } = placed;
    const dueFromMs = known?.dueFromMs ?? null;
    // Skips known records, which an earlier walk recorded, unless they are read again because some are due.
    recordAhead(
      progress,
      records.filter((_, index) => dueFromMs !== null || agreed === undefined || from + index > agreed),
    );
    const isSame = newest && passes === 0 && isUnchanged(this.#state, cursor.order, newest);
    return isSame
      ? records.filter(({ instantMs }) => dueFromMs !== null && instantMs >= dueFromMs)
      : selectNew(placed, agreed, known);
  }

  /** Returns true if no due record is further down. */
  #includesAllDue(records: readonly WalkRecord[]): boolean {
    return hasReachedInstant(records, this.progress.known?.dueFromMs ?? null);
  }

  /** Appends a page's lines to the file, syncs it, and then records the page with its marks. */
  #save({ event, taken, placed }: PageResult): void {
    const { progress } = this;
    const { walks, runs } = this.#context.state;
    // Stops if another run has taken over the lock, because that run may write to the same file.
    runs.assertLock();
    this.#file.append(taken.map(({ line }) => line));
    progress.bytes = this.#file.bytes;
    this.#context.progress.addLines(taken.length);
    advance(progress, event, this.#context.clock.now(), this.#state.pageSize);
    walks.savePage(this.#state.walkId, {
      landingId: progress.landingId,
      progress,
      pageSize: this.#state.pageSize ?? 0,
      marks: placed && placed.records.length > 0 ? selectPageMarks(placed) : undefined,
    });
  }
}

/**
 * Returns the place of the next record in a list that starts with the oldest record. New records do not change
 * this place.
 */
function computeNextPlace({ first, records }: WalkProgress): number {
  return (first?.offset ?? 0) + records;
}

function selectPageMarks(placed: PlacedRecords) {
  return { from: placed.from, to: placed.from + placed.records.length - 1, marks: selectMarks(placed) };
}
