import type { WalkMark, WalkState } from "../../state/data/walks.ts";
import type { WalkProgress } from "./walk-progress.ts";
import type { SeenOrder, WalkRecord } from "./walk-record.ts";

/**
 * Consecutive records with their places. Places are counted from the zone's oldest record, starting at 0. New
 * records do not change the places of older ones, but a late-arriving record shifts all newer ones.
 */
export interface PlacedRecords {
  /** Oldest first. */
  records: readonly WalkRecord[];
  from: number;
}

/**
 * Returns the places of a page's records, which are listed newest first. `undefined` if the service counts
 * fewer records than it lists.
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
 * Returns the newest place up to which no record arrived or vanished since the marks were set. `undefined` if
 * even the oldest mark differs, or if no mark can be compared.
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
 * one mark. A mark is the first record of an instant, because records of one instant may swap places, or an
 * undated record. Excludes a record if it occurs after the same other record more than once.
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

/** Identifies a record together with the one before it, because repeated lines are adjacent. */
function getIdentityAt({ records, from }: PlacedRecords, place: number): string | undefined {
  const index = place - from;
  const record = records[index];
  const older = place === 0 ? "" : records[index - 1]?.identity;
  return record && older !== undefined ? `${record.identity}, ${older}` : undefined;
}

/** A play that began less than this long before the last walk may have grown since. */
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
