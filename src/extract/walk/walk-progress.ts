import { createLandingId } from "../../state/data/landings.ts";
import type { AheadRecords, WalkState } from "../../state/data/walks.ts";
import { type Cursor, startCursor, tailRecords } from "./walk-cursor.ts";
import { dueRecords, findAhead, type WalkRecord } from "./walk-record.ts";

/** What a walk does next. When it `ended`, it has read its last page, but has yet to decide whether that proves all. */
export type Phase = "whole" | "newest" | "oldest" | "back" | "ended";

/**
 * How far a walk is, saved after every page. A walk makes one pass or several: the first reads everything, or what is
 * new since the last complete walk; further ones read what arrived meanwhile, or everything again.
 */
export interface WalkProgress {
  landingId: string;
  /** When the pass began, or when its cached first page was produced, in data's time. ISO 8601. */
  requestedAt: string;
  /** Size of the landing so far. */
  bytes: number;
  requests: number;
  phase: Phase;
  /** Passes before this one. */
  passes: number;
  cursor: Cursor;
  /** `null` until the pass has read a page. */
  first: FirstPage | null;
  /** The service's latest total. */
  total: number;
  /** Records that this pass has read, apart from reading back. */
  records: number;
  /** Records that the service counts, but does not list; `null` while the end of the list was not reached. */
  missing: number | null;
  /** `null` when the pass reads everything. */
  known: KnownPart | null;
  /** Records that begin too far ahead for loading to take them: the start of the earliest, and how many there are. */
  ahead: { fromMs: number; records: number } | null;
  /** Records vanished, so that places in the list prove nothing to the next walk. */
  isMoved: boolean;
  /** Why the order of the pages proves nothing; `null` while it does. */
  doubt: string | null;
}

interface FirstPage {
  offset: number;
  total: number;
  /** Hashes of its first records. */
  hashes: number[];
  /** Size of the landing before this pass. */
  bytes: number;
  /** Oldest first: where to read back from; `null` when everything before the page is known. */
  back: Cursor | null;
}

/** Records that a pass does not have to read again. */
interface KnownPart {
  total: number;
  /** When the last complete walk began: a play that was still running may have grown since. `null` in a first walk. */
  atMs: number | null;
  /** Records from this instant on have become due, and are taken once more; `null` when there are none. */
  dueFromMs: number | null;
}

/** Starts a walk: with everything when nothing is known to build on. */
export function beginWalk(state: WalkState, now: Date): WalkProgress {
  const { order, knownTotal, completedAt } = state;
  const isKnown = (order === "newest" || order === "oldest") && knownTotal !== undefined && knownTotal > 0;
  const due = isKnown ? dueRecords(state.ahead, now) : undefined;
  const ahead = isKnown && !due ? state.ahead : undefined;
  return {
    landingId: createLandingId(),
    bytes: 0,
    requests: 0,
    total: 0,
    ahead: ahead ? { fromMs: ahead.from.getTime(), records: ahead.records } : null,
    isMoved: false,
    ...startPass(isKnown ? order : "whole", now, knownOverlap(state.pageSize, due), 0, {
      total: knownTotal ?? 0,
      atMs: completedAt?.getTime() ?? null,
      dueFromMs: due?.from.getTime() ?? null,
    }),
  };
}

/** The fields with which a further pass of a walk starts. */
export function beginPass(
  progress: WalkProgress,
  phase: "whole" | "newest" | "oldest",
  now: Date,
  pageSize?: number,
): Partial<WalkProgress> {
  const pass = startPass(phase, now, knownOverlap(pageSize), progress.passes + 1, {
    total: listedOf(progress),
    atMs: progress.known?.atMs ?? null,
    dueFromMs: null,
  });
  return phase === "whole" ? { ...pass, ahead: null } : pass;
}

function startPass(
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
    cursor: startCursor(
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

/** How many records of the list are accounted for, counted from the oldest one. */
export function listedOf({ cursor, first, records }: WalkProgress): number {
  if (!first) return 0;
  return cursor.order === "oldest" ? first.offset + records : first.total;
}

/**
 * Oldest first: how many known records are read again, to see that they are in their places.
 * @param due have to be read again, with two records before them
 */
export function knownOverlap(pageSize = tailRecords, due?: AheadRecords): number {
  return Math.max(2, Math.min(tailRecords, Math.floor(pageSize / 2)), due ? due.records + 2 : 0);
}

/** Pages that a walk in progress, reading everything, has still to read; `undefined` when that is not known. */
export function pagesLeft({ progress, pageSize = 0 }: WalkState): number | undefined {
  const { phase, total, cursor } = (progress ?? {}) as Partial<WalkProgress>;
  if (phase !== "whole" || total === undefined || cursor === undefined || pageSize === 0) return undefined;
  return Math.max(1, Math.ceil((total - cursor.offset) / pageSize));
}

/** Remembers which of these records lie too far ahead. */
export function noteAhead(progress: WalkProgress, records: readonly WalkRecord[]): void {
  const ahead = findAhead(records, progress.requestedAt);
  if (ahead.length === 0) return;
  const fromMs = Math.min(...ahead.map(({ instantMs }) => instantMs));
  progress.ahead = {
    fromMs: Math.min(progress.ahead?.fromMs ?? fromMs, fromMs),
    records: (progress.ahead?.records ?? 0) + ahead.length,
  };
}

/** The records that lie too far ahead, as the zone's state keeps them. */
export function aheadOf({ ahead }: WalkProgress): AheadRecords | undefined {
  return ahead ? { from: new Date(ahead.fromMs), records: ahead.records } : undefined;
}
