import { createLandingId } from "../../state/data/landings.ts";
import type { AheadRecords, SortOrder, WalkState } from "../../state/data/walks.ts";
import { dueRecords, findAhead, hashText, type SeenOrder, type WalkRecord } from "./walk-record.ts";

/** The last records that were read: what is read next has to fit them. */
export interface Tail {
  /** Hashes, in the service's order; how many of them began at one instant, and at which. */
  tail: number[];
  run: number;
  lastInstantMs: number | null;
  /** How many of the last tell no instant: they may have begun with the record behind them. */
  undated: number;
}

/** One pass over the zone's pages, begun anew by each. */
interface Pass extends Tail {
  /** In data's time: when it began, or when a page that a cache gave was produced. ISO 8601. */
  requestedAt: string;
  /** `whole` reads everything; `since` reads what is newer than the place up to which all is as it was known. */
  pass: "whole" | "since";
  order: SeenOrder;
  /** Records that are known before this pass; places of marks count up to it. */
  knownTotal: number;
  /** Of the next page. */
  offset: number;
  /** Oldest first only: reads pages before this offset, down to where all is as it was; then goes on. */
  backFrom: number | null;
  /** Hash of the record at `backFrom`: it still has to be there. */
  backJoint: number | null;
  /** While pages are read back to: below it none was read yet, so that no mark there is this walk's own. */
  backTo: number | null;
  /** What the service said at the first page. */
  startTotal: number | null;
  records: number;
  pages: number;
  /** Hashes of the first records. */
  head: number[];
  /** Of all records in the order that this pass read them in, and of the pass before. */
  sequence: number;
  sequenceBefore: number | null;
  /** A page that shows a play twice, perhaps in another's place: where it is, and the hashes of what it showed. */
  repeats: { offset: number; hashes: number[] } | null;
  /** Records came in before a page, but the total told of none: places that are counted by it are wrong from there on. */
  isMiscounted: boolean;
  /** Records that are ahead of their time. */
  aheadRecords: number;
  /** Records that the service counts behind the last one, although looks there showed none. */
  surplus: number;
  /** The last page was read. */
  isRead: boolean;
  /** It ended at the place up to which all is as it was known. */
  isAgreed: boolean;
  /** Why the order of the pages proves nothing; null while it does. */
  doubt: string | null;
}

/**
 * How far a walk is, as it is saved after every page. A walk makes one pass or several: the first reads everything,
 * or what is new since the walk before; further ones read what came in meanwhile.
 */
export interface WalkProgress extends Pass {
  landingId: string;
  /** The walk began with what was known. */
  isSince: boolean;
  /** Of the walk before, in data's time: what it saw while it still ran may have grown. ISO 8601. */
  knownAt: string | null;
  /**
   * When the first record begins that was ahead of its time in the walk before, and is not any more: from it on, all
   * are read and taken once more. Epoch ms; null where there is none.
   */
  dueFromMs: number | null;
  /** Records that are ahead of their time: when the first of them begins (epoch ms), and how many there are. */
  ahead: { fromMs: number; records: number } | null;
  passes: number;
  requests: number;
  /** Bytes of the landing so far. */
  bytes: number;
  /** How often pages before were read back to. */
  turns: number;
  /** Pages that were read again because they did not fit. */
  rereads: number;
  /** The most records that a page held; 0 before the first. */
  largestPage: number;
  /** The service holds some plays twice. */
  hasRepeats: boolean;
  /** What the service said last, if only in the pass before. */
  total: number;
  /** Records went, or the total can't be trusted, so that places counted by it are wrong. */
  isMoved: boolean;
}

/** Records whose hashes are kept to know a place again. */
export const tailRecords = 50;

/**
 * Oldest first: how many known records are read again, to see that they stand where they stood; never a page of them,
 * behind which there would have to be a further one.
 * @param due have to be read again, and two records before them
 */
export function knownOverlap(pageSize = tailRecords, due?: AheadRecords): number {
  return Math.max(2, Math.min(tailRecords, Math.floor(pageSize / 2)), due ? due.records + 2 : 0);
}

/** The beginning of a walk: whole where nothing can be built upon. */
export function beginWalk(state: WalkState, requestedAt: Date): WalkProgress {
  const { order, knownTotal, completedAt } = state;
  const pageSize = state.pageSize ?? 0;
  const isKnown = (order === "newest" || order === "oldest") && knownTotal !== undefined && knownTotal > 0;
  const due = isKnown ? dueRecords(state.ahead, requestedAt) : undefined;
  // Those that stay ahead are not read again.
  const ahead = isKnown && !due ? state.ahead : undefined;
  return {
    landingId: createLandingId(),
    requests: 0,
    bytes: 0,
    rereads: 0,
    // More than one page, so that one was as large as they come.
    largestPage: isKnown && knownTotal > pageSize ? pageSize : 0,
    passes: 0,
    turns: 0,
    hasRepeats: false,
    total: 0,
    isMoved: false,
    isSince: isKnown,
    knownAt: completedAt?.toISOString() ?? null,
    dueFromMs: due?.from.getTime() ?? null,
    ahead: ahead ? { fromMs: ahead.from.getTime(), records: ahead.records } : null,
    ...(isKnown
      ? beginPass("since", order, knownTotal, requestedAt, knownOverlap(state.pageSize, due))
      : beginPass("whole", "same", 0, requestedAt)),
  };
}

/** Makes the walk go on with a further pass. */
export function beginNextPass(
  progress: WalkProgress,
  pass: WalkProgress["pass"],
  order: SortOrder | "same",
  knownTotal: number,
  requestedAt: Date,
): void {
  if (pass === "since") progress.knownAt ??= progress.requestedAt;
  const sequenceBefore = progress.doubt === null ? progress.sequence : null;
  Object.assign(
    progress,
    beginPass(pass, order, knownTotal, requestedAt, knownOverlap(progress.largestPage)),
    {
      sequenceBefore,
      // The first pass took them, or this one takes everything.
      dueFromMs: null,
    },
  );
  // A whole pass counts all places, and all that is ahead, anew.
  if (pass === "whole") Object.assign(progress, { isMoved: false, ahead: null });
  progress.passes += 1;
}

/** What a pass begins with. */
function beginPass(
  pass: WalkProgress["pass"],
  order: SortOrder | "same",
  knownTotal: number,
  requestedAt: Date,
  overlap = 0,
): Pass {
  return {
    requestedAt: requestedAt.toISOString(),
    pass,
    order,
    knownTotal,
    offset: pass === "since" && order === "oldest" ? Math.max(0, knownTotal - overlap) : 0,
    backFrom: null,
    backJoint: null,
    backTo: null,
    startTotal: null,
    records: 0,
    pages: 0,
    ...tailOf([]),
    head: [],
    sequence: 0,
    sequenceBefore: null,
    repeats: null,
    isMiscounted: false,
    aheadRecords: 0,
    surplus: 0,
    isRead: false,
    isAgreed: false,
    doubt: null,
  };
}

/** Pages that a walk which reads everything has still to read; `undefined` where that can't be told. */
export function pagesLeft({
  pass,
  offset,
  total,
  largestPage,
}: Pick<WalkProgress, "pass" | "offset" | "total" | "largestPage">): number | undefined {
  if (pass !== "whole" || !(largestPage > 0)) return undefined;
  return Math.max(1, Math.ceil((total - offset) / largestPage));
}

/** Remembers which of further records are ahead of their time. */
export function noteAhead(progress: WalkProgress, records: readonly WalkRecord[]): void {
  const ahead = findAhead(records, progress.requestedAt);
  if (ahead.length === 0) return;
  progress.aheadRecords += ahead.length;
  const fromMs = ahead.reduce((first, { instantMs }) => Math.min(first, instantMs), Number.POSITIVE_INFINITY);
  progress.ahead = {
    fromMs: Math.min(progress.ahead?.fromMs ?? fromMs, fromMs),
    records: Math.max(progress.ahead?.records ?? 0, progress.aheadRecords),
  };
}

/** Records that are ahead of their time, as the zone's state keeps them. */
export function aheadOf({ ahead }: WalkProgress): AheadRecords | undefined {
  return ahead ? { from: new Date(ahead.fromMs), records: ahead.records } : undefined;
}

/** Counts further records in. */
export function addRecords(progress: WalkProgress, records: readonly WalkRecord[]): void {
  progress.records += records.length;
  progress.pages += 1;
  for (const { identity } of records) progress.sequence = hashText(`${progress.sequence} ${identity}`);
  Object.assign(progress, tailOf(records, progress));
}

/** @param before what was read before them */
export function tailOf(records: readonly WalkRecord[], before?: Tail): Tail {
  let { run, lastInstantMs, undated } = before ?? { run: 0, lastInstantMs: null, undated: 0 };
  for (const { instantMs } of records) {
    const isDated = !Number.isNaN(instantMs);
    const isSame = !isDated || instantMs === (lastInstantMs ?? instantMs);
    run = (isSame ? run : undated) + 1;
    undated = isDated ? 0 : undated + 1;
    if (isDated) lastInstantMs = instantMs;
  }
  const hashes = records.map(({ hash }) => hash);
  return { tail: [...(before?.tail ?? []), ...hashes].slice(-tailRecords), run, lastInstantMs, undated };
}
