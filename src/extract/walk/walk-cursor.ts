import { extendOrder, type SeenOrder, type WalkRecord } from "./walk-record.ts";

/** Position at which a pass continues, and the last records read, which the next page must join. */
export interface Cursor {
  order: SeenOrder;
  /** Offset of the next record. When reading back, offset of the last record read. */
  offset: number;
  /** Hashes of the last records read, in reading order. */
  tail: number[];
  /** Number of records at the end that may have begun at the same instant, so that their order may change. */
  run: number;
  /** Instant of the last dated record, in epoch milliseconds; null if there was none yet. */
  lastInstantMs: number | null;
  /**
   * Number of records without an instant at the end. They may have begun at the same instant as the record
   * after them.
   */
  undated: number;
}

/** Number of hashes kept to find where the next page continues. */
export const tailRecords = 50;
/**
 * Overlap of pages whose records are not in order. With an overlap of one, a repeated line could join pages by
 * chance.
 */
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
 * Returns the number of records that the next page must repeat to prove that it joins. Usually, this is only
 * the last record. If several records began at its instant, their order may change, so they must all be
 * repeated, along with the record before them. Returns `undefined` if these records do not fit on a page.
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

/** A page's records, as read by a pass. */
interface ReadPage {
  /** In reading order. */
  records: readonly WalkRecord[];
  /** True if no record precedes the page in reading order. */
  isStart: boolean;
}

/**
 * Returns the records of a page that were not read before. In a sorted zone, compares instants, because records
 * may have been added or removed before the page. In other zones, compares lines.
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
  // -1: before the last instant read; 0: at that instant; 1: after it. An undated record is on the same side
  // as the one before it.
  let side = -1;
  const sides = records.map(({ instantMs }) => {
    if (!Number.isNaN(instantMs)) side = Math.sign((instantMs - lastInstantMs) * direction);
    return side;
  });
  // If several records began at the last instant, unread records without an instant may now precede them.
  for (let index = run > 1 ? sides.indexOf(0) - 1 : -1; index >= 0; index -= 1) {
    const record = records[index];
    if (!record || !Number.isNaN(record.instantMs) || tail.includes(record.hash)) break;
    sides[index] = 0;
  }
  const first = records.findIndex(({ instantMs }) => !Number.isNaN(instantMs));
  // If a page starts at or after that instant, some of the instant's records may precede the page.
  if (!isStart && (first < 0 || (sides[first] ?? 0) >= 0)) return undefined;
  const read = countHashes(tail.slice(-run));
  return records.filter(({ hash }, index) => {
    const at = sides[index] ?? 0;
    return at === 0 ? !removeOne(read, hash) : at > 0;
  });
}

/** Finds recently read lines on the page. Returns the lines after them, without those already read. */
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
