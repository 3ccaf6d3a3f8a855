import { createLandingId } from "../../state/data/landings.ts";
import type { AheadRecords, WalkState } from "../../state/data/walks.ts";
import { type Cursor, createCursor, tailRecords } from "./walk-cursor.ts";
import { findAhead, findDueRecords, type WalkRecord } from "./walk-record.ts";

/** Next step of a walk. `ended`: the last page is read, but completeness is undecided. */
export type Phase = "whole" | "newest" | "oldest" | "back" | "ended";

/**
 * Progress of a walk, saved after every page. The first pass reads everything, or records since the last
 * complete walk; further passes read records that arrived meanwhile, or everything again.
 */
export interface WalkProgress {
  landingId: string;
  /** Start of the pass, or production of its cached first page, on the data's clock. ISO 8601. */
  requestedAt: string;
  /** Size of the landing so far. */
  bytes: number;
  requests: number;
  phase: Phase;
  /** Number of earlier passes. */
  passes: number;
  cursor: Cursor;
  /** `null` until the pass has read a page. */
  first: FirstPage | null;
  /** The service's latest total. */
  total: number;
  /** Records that this pass has read, excluding reading back. */
  records: number;
  /** Records that the service counts but does not list; `null` until the end of the list is reached. */
  missing: number | null;
  /** `null` if the pass reads everything. */
  known: KnownPart | null;
  /** Records too far ahead to be loaded: the start of the earliest, and their number. */
  ahead: { fromMs: number; records: number } | null;
  /** Records vanished, so places in the list prove nothing to the next walk. */
  isMoved: boolean;
  /** Reason why the order of the pages proves nothing; `null` while it is reliable. */
  doubt: string | null;
}

interface FirstPage {
  offset: number;
  total: number;
  /** Hashes of its first records. */
  hashes: number[];
  /** Size of the landing before this pass. */
  bytes: number;
  /** Oldest first: where reading back starts; `null` if everything before the page is known. */
  back: Cursor | null;
}

/** Records that a pass need not read again. */
interface KnownPart {
  total: number;
  /** Start of the last complete walk: plays running then may have grown. `null` in a first walk. */
  atMs: number | null;
  /** Records from this instant on have become due, and are taken once more; `null` if there are none. */
  dueFromMs: number | null;
}

/** Starts a walk, with everything unless an earlier walk can be built on. */
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

/** Returns how many records of the list are accounted for, from the oldest one. */
export function countListed({ cursor, first, records }: WalkProgress): number {
  if (!first) return 0;
  return cursor.order === "oldest" ? first.offset + records : first.total;
}

/**
 * Oldest first: returns how many known records are read again, to check that they are in their places.
 * @param due records to read again, with two records before them
 */
export function countOverlap(pageSize = tailRecords, due?: AheadRecords): number {
  return Math.max(2, Math.min(tailRecords, Math.floor(pageSize / 2)), due ? due.records + 2 : 0);
}

/** Returns the pages left of a walk in progress that reads everything; `undefined` if unknown. */
export function countPagesLeft({ progress, pageSize = 0 }: WalkState): number | undefined {
  const { phase, total, cursor } = (progress ?? {}) as Partial<WalkProgress>;
  if (phase !== "whole" || total === undefined || cursor === undefined || pageSize === 0) return undefined;
  return Math.max(1, Math.ceil((total - cursor.offset) / pageSize));
}

/** Adds those of the records that are too far ahead. */
export function recordAhead(progress: WalkProgress, records: readonly WalkRecord[]): void {
  const ahead = findAhead(records, progress.requestedAt);
  if (ahead.length === 0) return;
  const fromMs = Math.min(...ahead.map(({ instantMs }) => instantMs));
  progress.ahead = {
    fromMs: Math.min(progress.ahead?.fromMs ?? fromMs, fromMs),
    records: (progress.ahead?.records ?? 0) + ahead.length,
  };
}

/** Returns the records too far ahead, as stored in the zone's state. */
export function getAheadRecords({ ahead }: WalkProgress): AheadRecords | undefined {
  return ahead ? { from: new Date(ahead.fromMs), records: ahead.records } : undefined;
}
