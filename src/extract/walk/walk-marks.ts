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
 * stands where an instant begins: what began at the same one may change places, and records that tell no instant may
 * be alike, so that one stands where another stood.
 */
export function marksOf({ records, from }: PlacedRecords): WalkMark[] {
  const beginsInstant = ({ instantMs }: WalkRecord, index: number) =>
    index === 0 ? from === 0 : instantMs > (records[index - 1]?.instantMs ?? Number.NaN);
  const indexes = new Set([records.findIndex(beginsInstant), records.findLastIndex(beginsInstant)]);
  return [...indexes].flatMap((index) => {
    const identity = index < 0 ? undefined : identityAt({ records, from }, from + index);
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
