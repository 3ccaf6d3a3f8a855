import type { WalkMark, WalkState } from "../../state/data/walks.ts";
import type { WalkProgress } from "./walk-progress.ts";
import type { SeenOrder, WalkRecord } from "./walk-record.ts";

/**
 * Consecutive records with their places. Places count up from 0 at the zone's oldest record. New records do not
 * change the places of older ones, but a late-arriving record shifts all newer ones.
 */
export interface PlacedRecords {
  /** Oldest first. */
  records: readonly WalkRecord[];
  from: number;
}

/**
 * Returns the places of a page's records, which are listed newest first. Returns `undefined` if the service's
 * total is lower than the number of listed records.
 */
export function placeFromNewest(
  records: readonly WalkRecord[],
  offset: number,
  total: number,
): PlacedRecords | undefined {
  const from = total - offset - records.length;
  return from < 0 ? undefined : { records: records.toReversed(), from };
}

/**
 * Returns the newest place up to which no record has been added or removed since the marks were set. Returns
 * `undefined` if even the oldest mark differs, or if no mark can be compared.
 * @param marks oldest first
 */
export function findAgreedPlace(marks: readonly WalkMark[], placed: PlacedRecords): number | undefined {
  let agreed: number | undefined;
  for (const { place, identity } of marks) {
    const found = getIdentityAt(placed, place);
    if (found === undefined) continue;
    if (found !== identity) break;
    agreed = place;
  }
  return agreed;
}

/**
 * Selects the first and the last suitable record as marks, so that every page of a later walk contains at least
 * one mark. A suitable record is undated, or is the first record of its instant, because records of one instant
 * may swap places. A record that follows the same other record more than once is not suitable.
 */
export function selectMarks(placed: PlacedRecords): WalkMark[] {
  const { records, from } = placed;
  const identities = records.map((_, index) => getIdentityAt(placed, from + index));
  const isMark = ({ instantMs }: WalkRecord, index: number) => {
    const identity = identities[index];
    if (identity === undefined || instantMs === records[index - 1]?.instantMs) return false;
    return identities.indexOf(identity) === index && identities.lastIndexOf(identity) === index;
  };
  const indexes = new Set([records.findIndex(isMark), records.findLastIndex(isMark)]);
  return [...indexes].flatMap((index) => {
    const identity = identities[index];
    return identity === undefined ? [] : [{ place: from + index, identity }];
  });
}

/**
 * Returns the identity of a record and of the one before it. One is not enough, because repeated lines are
 * adjacent.
 */
function getIdentityAt({ records, from }: PlacedRecords, place: number): string | undefined {
  const index = place - from;
  const record = records[index];
  const older = place === 0 ? "" : records[index - 1]?.identity;
  return record && older !== undefined ? `${record.identity}, ${older}` : undefined;
}

/** A play may have grown since the last walk if it began less than this long before that walk. */
const growthMs = 24 * 3_600_000;

/** Returns the records that are newer than the agreed place, may have grown, or have become due. */
export function selectNew(
  { records, from }: PlacedRecords,
  agreed: number | undefined,
  known: WalkProgress["known"],
): WalkRecord[] {
  const { atMs, dueFromMs } = known ?? { atMs: null, dueFromMs: null };
  const grownFrom = atMs === null ? Number.POSITIVE_INFINITY : atMs - growthMs;
  const takenFrom = Math.min(grownFrom, dueFromMs ?? grownFrom);
  return records.filter(
    ({ instantMs }, index) => agreed === undefined || from + index > agreed || !(instantMs < takenFrom),
  );
}

/** Returns true if the newest records are identical to those of the last complete walk. */
export function isUnchanged(
  { top, knownTotal }: WalkState,
  order: SeenOrder,
  { records, total }: { records: readonly WalkRecord[]; total: number },
): boolean {
  const hashes = records.map(({ hash }) => hash);
  const count = Math.min(top.length, hashes.length);
  if (count === 0 || total !== knownTotal) return false;
  const newest = <Item>(items: readonly Item[]) =>
    order === "oldest" ? items.slice(-count) : items.slice(0, count);
  const before = newest(top);
  return newest(hashes).every((hash, index) => hash === before[index]);
}
