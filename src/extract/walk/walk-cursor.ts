import { extendOrder, type SeenOrder, type WalkRecord } from "./walk-record.ts";

/** Position where a pass continues, and the records that the next page must join. */
export interface Cursor {
  order: SeenOrder;
  /** Offset of the next record; when reading back, of the last record read. */
  offset: number;
  /** Hashes of the last records, in reading order. */
  tail: number[];
  /** Number of last records that may have begun at one instant, whose order may change. */
  run: number;
  /** Epoch ms; null while no record has had an instant. */
  lastInstantMs: number | null;
  /** Number of last records without an instant: they may have begun with the record after them. */
  undated: number;
}

/** Number of hashes kept to recognise a place. */
export const tailRecords = 50;
/** Overlap of pages without an order, so that a repeated line does not join them by chance. */
const unsortedOverlap = 3;

export function createCursor(order: SeenOrder, offset: number): Cursor {
  return { order, offset, tail: [], run: 0, lastInstantMs: null, undated: 0 };
}

/** Returns the cursor after further records, in reading order. */
export function advanceCursor(cursor: Cursor, records: readonly WalkRecord[], offset: number): Cursor {
  let { run, lastInstantMs, undated } = cursor;
  for (const { instantMs } of records) {
    const isDated = !Number.isNaN(instantMs);
    const isSame = !isDated || instantMs === (lastInstantMs ?? instantMs);
    run = (isSame ? run : undated) + 1;
    undated = isDated ? 0 : undated + 1;
    if (isDated) lastInstantMs = instantMs;
  }
  const instants = [cursor.lastInstantMs ?? Number.NaN, ...records.map(({ instantMs }) => instantMs)];
  const tail = [...cursor.tail, ...records.map(({ hash }) => hash)].slice(-tailRecords);
  return { order: extendOrder(cursor.order, instants), offset, tail, run, lastInstantMs, undated };
}

/**
 * Returns how many records the next page repeats to prove that it joins: the last one or, if several began at
 * one instant, all of these and the one before, because their order may change. `undefined` if they exceed a
 * page.
 */
export function computeOverlap({ order, tail, run }: Cursor, pageSize: number): number | undefined {
  const wanted =
    order === "unsorted"
      ? Math.min(unsortedOverlap, Math.max(1, Math.floor((pageSize - 1) / 2)))
      : run > 1
        ? run + 1
        : 1;
  const overlap = Math.min(wanted, tail.length);
  const isKept = order === "unsorted" || run < tail.length || run < tailRecords;
  const fits = overlap < Math.max(2, pageSize / 2) && overlap < pageSize;
  return isKept && (fits || tail.length === 0) ? overlap : undefined;
}

/** A page as a pass reads it. */
interface ReadPage {
  /** In reading order. */
  records: readonly WalkRecord[];
  /** No record precedes the page in reading order. */
  isStart: boolean;
}

/**
 * Returns the records of a page that were not read before: by instant in a sorted zone, whatever arrived or
 * vanished before them, otherwise by line.
 * @returns `undefined` if records may be missing between the page and the earlier ones
 */
export function joinPage(cursor: Cursor, page: ReadPage, overlap: number): WalkRecord[] | undefined {
  const { records } = page;
  const { tail, lastInstantMs } = cursor;
  if (tail.length === 0 || overlap === 0) return [...records];
  if (tail.slice(-overlap).every((hash, index) => hash === records[index]?.hash))
    return records.slice(overlap);
  const order = extendOrder(
    cursor.order,
    records.map(({ instantMs }) => instantMs),
  );
  if (order === "unsorted" || lastInstantMs === null) return joinByLines(tail, records);
  return joinByInstants({ ...cursor, order, lastInstantMs }, page);
}

function joinByInstants(
  { order, tail, run, lastInstantMs }: Cursor & { lastInstantMs: number },
  { records, isStart }: ReadPage,
): WalkRecord[] | undefined {
  if (records.length === 0) return undefined;
  const direction = order === "newest" ? -1 : 1;
  // -1: before the last instant read, 0: at it, 1: after it. Undated records follow the one before.
  let side = -1;
  const sides = records.map(({ instantMs }) => {
    if (!Number.isNaN(instantMs)) side = Math.sign((instantMs - lastInstantMs) * direction);
    return side;
  });
  // Next to records of one instant, an unread record without an instant may now be listed before them.
  for (let index = run > 1 ? sides.indexOf(0) - 1 : -1; index >= 0; index -= 1) {
    const record = records[index];
    if (!record || !Number.isNaN(record.instantMs) || tail.includes(record.hash)) break;
    sides[index] = 0;
  }
  const first = records.findIndex(({ instantMs }) => !Number.isNaN(instantMs));
  // A page that starts at or after that instant may lack some of its records.
  if (!isStart && (first < 0 || (sides[first] ?? 0) >= 0)) return undefined;
  const read = countHashes(tail.slice(-run));
  return records.filter(({ hash }, index) => {
    const at = sides[index] ?? 0;
    return at === 0 ? !removeOne(read, hash) : at > 0;
  });
}

/** Finds the last lines read in a row on the page: the lines after them are new, unless read as well. */
function joinByLines(tail: readonly number[], records: readonly WalkRecord[]): WalkRecord[] | undefined {
  const hashes = records.map(({ hash }) => hash);
  const length = Math.min(unsortedOverlap, tail.length);
  for (let end = tail.length; end >= length; end -= 1) {
    const run = tail.slice(end - length, end);
    const from = hashes.findIndex((_, start) => run.every((hash, index) => hash === hashes[start + index]));
    if (from < 0) continue;
    const read = countHashes(tail.slice(end));
    return records.slice(from + length).filter(({ hash }) => !removeOne(read, hash));
  }
  return undefined;
}

function countHashes(hashes: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return counts;
}

/** Removes one occurrence of a hash; returns true if there was one. */
function removeOne(counts: Map<number, number>, hash: number): boolean {
  const count = counts.get(hash) ?? 0;
  counts.set(hash, count - 1);
  return count > 0;
}
