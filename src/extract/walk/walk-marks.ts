import type { WalkMark } from "../../state/data/walks.ts";
import type { WalkRecord } from "./walk-record.ts";

/**
 * Records that stand beside each other, by place: counted from the oldest record of the zone, from 0. New records
 * don't move older ones; a late one moves all that are newer than it.
 */
export interface PlacedRecords {
  /** From the oldest to the newest. */
  records: readonly WalkRecord[];
  /** Of the first of them. */
  from: number;
}

/**
 * What a later walk knows the place again by: two marks a page, so that every page of a later walk meets one. Each
 * stands where an instant begins, as what began at the same one may change places, or beside a record that tells none.
 * Such records may be alike, so that one stands where another stood: what the page shows twice is no mark.
 */
export function marksOf(placed: PlacedRecords): WalkMark[] {
  const { records, from } = placed;
  const identities = records.map((_, index) => identityAt(placed, from + index));
  const isMark = ({ instantMs }: WalkRecord, index: number) => {
    const identity = identities[index];
    if (identity === undefined) return false;
    if (instantMs === records[index - 1]?.instantMs) return false;
    return identities.indexOf(identity) === index && identities.lastIndexOf(identity) === index;
  };
  const indexes = new Set([records.findIndex(isMark), records.findLastIndex(isMark)]);
  return [...indexes].flatMap((index) => {
    const identity = identities[index];
    return identity === undefined ? [] : [{ place: from + index, identity }];
  });
}

/**
 * The newest place up to which nothing came or went since the marks were set: what is older stands where it stood.
 * `undefined` when not even the oldest mark holds, or none can be compared.
 * @param marks from the oldest to the newest
 */
export function agreedPlace(marks: readonly WalkMark[], placed: PlacedRecords): number | undefined {
  let agreed: number | undefined;
  for (const { place, identity } of marks) {
    const found = identityAt(placed, place);
    if (found === undefined) continue;
    if (found !== identity) break;
    agreed = place;
  }
  return agreed;
}

/** Together with the record before it, because repeated lines stand beside each other. */
function identityAt({ records, from }: PlacedRecords, place: number): string | undefined {
  const index = place - from;
  const record = records[index];
  const older = place === 0 ? "" : records[index - 1]?.identity;
  return record && older !== undefined ? `${record.identity}, ${older}` : undefined;
}
