import { extendOrder, type SeenOrder, type WalkRecord } from "./walk-record.ts";

/** Where a pass continues, and the records that the next page has to join. */
export interface Cursor {
  order: SeenOrder;
  /** Offset of the next record; when reading back, of the last record read. */
  offset: number;
  /** Hashes of the last records, in reading order. */
  tail: number[];
  /** How many of the last records may have begun at one instant. Only their order may change between requests. */
  run: number;
  /** Epoch ms; null while no record had an instant. */
  lastInstantMs: number | null;
  /** How many of the last records have no instant: they may have begun with the record after them. */
  undated: number;
}

/** How many hashes are kept to recognize a place. */
export const tailRecords = 50;
/** Without an order, pages overlap by this many records, so that a repeated line does not join them by chance. */
const unsortedOverlap = 3;

export function startCursor(order: SeenOrder, offset: number): Cursor {
  return { order, offset, tail: [], run: 0, lastInstantMs: null, undated: 0 };
}

/** The cursor after further records, in reading order. */
export function moveCursor(cursor: Cursor, records: readonly WalkRecord[], offset: number): Cursor {
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
 * How many records are requested again with the next page, so that it proves that it fits: the last one or, when
 * several began at one instant, all of these and the one before, because the service may list them in any order.
 * `undefined` when they are too many for a page.
 */
export function overlapOf({ order, tail, run }: Cursor, pageSize: number): number | undefined {
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
 * The records of a page that were not read before. In a sorted zone their instants show which these are, whatever
 * arrived or vanished before them; otherwise the lines do.
 * @returns `undefined` when the page does not join: records may lie between it and what was read
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
  // -1: before the last instant that was read, 0: at it, 1: after it. Records without an instant follow the one before.
  let side = -1;
  const sides = records.map(({ instantMs }) => {
    if (!Number.isNaN(instantMs)) side = Math.sign((instantMs - lastInstantMs) * direction);
    return side;
  });
  // Next to records of one instant, an unread one without an instant may now be listed before them.
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
    return at === 0 ? !takeOne(read, hash) : at > 0;
  });
}

/** Finds the last lines that the page still shows in a row: what follows them is new, unless it was read as well. */
function joinByLines(tail: readonly number[], records: readonly WalkRecord[]): WalkRecord[] | undefined {
  const hashes = records.map(({ hash }) => hash);
  const length = Math.min(unsortedOverlap, tail.length);
  for (let end = tail.length; end >= length; end -= 1) {
    const run = tail.slice(end - length, end);
    const from = hashes.findIndex((_, start) => run.every((hash, index) => hash === hashes[start + index]));
    if (from < 0) continue;
    const read = countHashes(tail.slice(end));
    return records.slice(from + length).filter(({ hash }) => !takeOne(read, hash));
  }
  return undefined;
}

function countHashes(hashes: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return counts;
}

/** Removes one of these hashes; returns whether there was one. */
function takeOne(counts: Map<number, number>, hash: number): boolean {
  const count = counts.get(hash) ?? 0;
  counts.set(hash, count - 1);
  return count > 0;
}
