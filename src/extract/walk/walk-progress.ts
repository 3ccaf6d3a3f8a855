import { createLandingId } from "../../state/data/landings.ts";
import type { AheadRecords, WalkState } from "../../state/data/walks.ts";
import { type Cursor, createCursor, tailRecords } from "./walk-cursor.ts";
import { findAhead, findDueRecords, type WalkRecord } from "./walk-record.ts";

/** Phase of a walk. In `ended`, the last page has been read, but completeness is still undecided. */
export type Phase = "whole" | "newest" | "oldest" | "back" | "ended";

/**
 * Progress of a walk, saved after every page. The first pass reads either everything or the records since the
 * last complete walk. Further passes read either everything again or the records that arrived during the walk.
 */
export interface WalkProgress {
  landingId: string;
  /**
   * Start of the pass or, if its first page came from a cache, the time at which that page was produced. ISO
   * 8601, on the data's clock.
   */
  requestedAt: string;
  /** Size of the landing so far, in bytes. */
  bytes: number;
  requests: number;
  phase: Phase;
  /** Number of earlier passes. */
  passes: number;
  cursor: Cursor;
  /** `null` until the pass has read a page. */
  first: FirstPage | null;
  /** Total in the service's latest response. */
  total: number;
  /** Number of records read in this pass, excluding those read back. */
  records: number;
  /** Number of records included in the total but not listed; `null` until the end of the list is reached. */
  missing: number | null;
  /** `null` if the pass reads everything. */
  known: KnownPart | null;
  /** Number of records that are too far in the future to be loaded, and the start of the earliest. */
  ahead: { fromMs: number; records: number } | null;
  /** True if records were removed. The next walk then cannot rely on places. */
  isMoved: boolean;
  /** Reason why the order of pages does not prove completeness; `null` while it is reliable. */
  doubt: string | null;
}

interface FirstPage {
  offset: number;
  total: number;
  /** Hashes of the page's first records. */
  hashes: number[];
  /** Size of the landing before this pass. */
  bytes: number;
  /**
   * Cursor for reading back from this page if records are listed oldest first. `null` if all records before the
   * page are known.
   */
  back: Cursor | null;
}

/** Records that a pass does not need to read again. */
interface KnownPart {
  total: number;
  /** Start of the last complete walk. Plays that were running then may have grown. `null` in a first walk. */
  atMs: number | null;
  /** Records from this instant on have become due and must be landed again; `null` if there are none. */
  dueFromMs: number | null;
}

/** Starts a walk. It reads everything unless it can build on an earlier walk. */
export function beginWalk(state: WalkState, now: Date): WalkProgress {
  const { order, knownTotal, completedAt } = state;
  const isKnown = (order === "newest" || order === "oldest") && knownTotal !== undefined && knownTotal > 0;
  const due = isKnown ? findDueRecords(state.ahead, now) : undefined;
  const ahead = isKnown && !due ? state.ahead : undefined;
  return {
    landingId: createLandingId(),
    bytes: 0,
    requests: 0,
    total: 0,
    ahead: ahead ? { fromMs: ahead.from.getTime(), records: ahead.records } : null,
    isMoved: false,
    ...createPass(isKnown ? order : "whole", now, countOverlap(state.pageSize, due), 0, {
      total: knownTotal ?? 0,
      atMs: completedAt?.getTime() ?? null,
      dueFromMs: due?.from.getTime() ?? null,
    }),
  };
}

/** Returns the initial fields of a further pass. */
export function beginPass(
  progress: WalkProgress,
  phase: "whole" | "newest" | "oldest",
  now: Date,
  pageSize?: number,
): Partial<WalkProgress> {
  const pass = createPass(phase, now, countOverlap(pageSize), progress.passes + 1, {
    total: countListed(progress),
    atMs: progress.known?.atMs ?? null,
    dueFromMs: null,
  });
  return phase === "whole" ? { ...pass, ahead: null } : pass;
}

function createPass(
  phase: "whole" | "newest" | "oldest",
  now: Date,
  overlap: number,
  passes: number,
  known: KnownPart,
) {
  return {
    requestedAt: now.toISOString(),
    phase,
    passes,
    cursor: createCursor(
      phase === "whole" ? "same" : phase,
      phase === "oldest" ? Math.max(0, known.total - overlap) : 0,
    ),
    first: null,
    records: 0,
    missing: null,
    known: phase === "whole" ? null : known,
    doubt: null,
  };
}

/** Returns the number of records accounted for, counted from the oldest. */
export function countListed({ cursor, first, records }: WalkProgress): number {
  if (!first) return 0;
  return cursor.order === "oldest" ? first.offset + records : first.total;
}

/**
 * Returns the number of known records to read again, to check that their places are unchanged, if records are
 * listed oldest first.
 * @param due records to read again, along with the two records before them
 */
export function countOverlap(pageSize = tailRecords, due?: AheadRecords): number {
  return Math.max(2, Math.min(tailRecords, Math.floor(pageSize / 2)), due ? due.records + 2 : 0);
}

/** Returns the number of pages left in a walk that reads everything; `undefined` if unknown. */
export function countPagesLeft({ progress, pageSize = 0 }: WalkState): number | undefined {
  const { phase, total, cursor } = (progress ?? {}) as Partial<WalkProgress>;
  if (phase !== "whole" || total === undefined || cursor === undefined || pageSize === 0) return undefined;
  return Math.max(1, Math.ceil((total - cursor.offset) / pageSize));
}

/** Adds the records that are too far in the future to be loaded. */
export function recordAhead(progress: WalkProgress, records: readonly WalkRecord[]): void {
  const ahead = findAhead(records, progress.requestedAt);
  if (ahead.length === 0) return;
  const fromMs = Math.min(...ahead.map(({ instantMs }) => instantMs));
  progress.ahead = {
    fromMs: Math.min(progress.ahead?.fromMs ?? fromMs, fromMs),
    records: (progress.ahead?.records ?? 0) + ahead.length,
  };
}

/** Returns the records that are too far in the future, in the form stored in the zone's state. */
export function getAheadRecords({ ahead }: WalkProgress): AheadRecords | undefined {
  return ahead ? { from: new Date(ahead.fromMs), records: ahead.records } : undefined;
}
