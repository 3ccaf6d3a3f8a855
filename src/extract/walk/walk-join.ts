import type { WalkMark, WalkState } from "../../state/data/walks.ts";
import { tailRecords, type WalkProgress } from "./walk-progress.ts";
import { extendOrder, marksOf, type PlacedRecords, type SeenOrder, type WalkRecord } from "./walk-record.ts";

/** What was read before a page, as far as the page has to fit it. */
interface ReadBefore {
  order: SeenOrder;
  /** Hashes of the last records, in the service's order; as many as are kept. */
  tail: readonly number[];
  /** How many of the last records began at one instant: only their order may differ from request to request. */
  run: number;
  /** When they began, epoch ms; null while no record told. */
  lastInstantMs: number | null;
}

/** Where a page goes on with what was read before it. */
interface Joint {
  /** Its records that were not read before. */
  fresh: WalkRecord[];
  /**
   * Where none is fresh: with which of its records the next look begins, so that it shows what was read last from
   * before its first record on.
   */
  lookFrom: number;
}

/**
 * How many records are asked for once more with the next page, so that it proves that it fits: the last one, or, of
 * records that began at one instant, all of them and the one before, because one answer alone shows them in one order.
 * `undefined` where they are too many for a page.
 */
export function overlapOf({
  tail,
  run,
  largestPage,
}: Pick<ReadBefore, "tail" | "run"> & { largestPage: number }): number | undefined {
  const overlap = Math.min(run > 1 ? run + 1 : 1, tail.length);
  const isKept = run < tail.length || run < tailRecords;
  return isKept && overlap < Math.max(2, largestPage / 2) && (overlap < largestPage || run === 0)
    ? overlap
    : undefined;
}

/**
 * Joins a page to what was read before. In a sorted zone instants tell the place, whatever came or went before it;
 * in another one, the same lines in the same order.
 * @returns `undefined` where the page does not show what was read last: records may lie between
 */
export function joinPage(
  before: ReadBefore,
  page: { records: readonly WalkRecord[]; offset: number },
  overlap: number,
): Joint | undefined {
  const { records } = page;
  const { tail } = before;
  if (tail.length === 0 || overlap === 0) return { fresh: [...records], lookFrom: records.length };
  const hashes = records.map(({ hash }) => hash);
  if (beginsWith(hashes, tail.slice(-overlap))) return after(records, overlap);
  // In a page that is in no order, what began before the last record may be new all the same.
  const order = extendOrder(
    before.order,
    records.map(({ instantMs }) => instantMs),
  );
  if (order === "unsorted" || before.lastInstantMs === null) return joinByLines(tail, records, hashes);
  return joinByInstants({ ...before, order, lastInstantMs: before.lastInstantMs }, page);
}

function joinByInstants(
  { order, tail, run, lastInstantMs }: ReadBefore & { lastInstantMs: number },
  { records, offset }: { records: readonly WalkRecord[]; offset: number },
): Joint | undefined {
  if (records.length === 0) return undefined;
  const direction = order === "newest" ? -1 : 1;
  // Below 0: lies before the last instant that was read; 0: began at it; above 0: lies behind.
  let side = -1;
  const sides = records.map(({ instantMs }) => {
    if (!Number.isNaN(instantMs)) side = Math.sign((instantMs - lastInstantMs) * direction);
    return side;
  });
  // Of records that began at one instant, one without an instant may be shown before those that are known to.
  for (let index = run > 1 ? sides.indexOf(0) - 1 : -1; index >= 0; index -= 1) {
    const record = records[index];
    if (!record || !Number.isNaN(record.instantMs) || tail.includes(record.hash)) break;
    sides[index] = 0;
  }
  const first = records.findIndex(({ instantMs }) => !Number.isNaN(instantMs));
  // It has to begin before them: else it may show only some of those that began at that instant.
  if (offset > 0 && (first < 0 || (sides[first] ?? 0) >= 0)) return undefined;
  const read = new Map<number, number>();
  for (const hash of tail.slice(-run)) read.set(hash, (read.get(hash) ?? 0) + 1);
  const fresh = records.filter(({ hash }, index) => {
    const at = sides[index] ?? 0;
    if (at !== 0) return at > 0;
    const times = read.get(hash) ?? 0;
    read.set(hash, times - 1);
    return times <= 0;
  });
  return { fresh, lookFrom: Math.max(0, sides.lastIndexOf(-1)) };
}

/** Without an order, the page has to begin with the last lines, or to show three of them in a row. */
function joinByLines(
  tail: readonly number[],
  records: readonly WalkRecord[],
  hashes: readonly number[],
): Joint | undefined {
  for (let count = Math.min(tail.length, hashes.length); count > 0; count -= 1) {
    if (beginsWith(hashes, tail.slice(-count))) return after(records, count);
  }
  for (let count = 1; count <= hashes.length; count += 1) {
    if (endsAlike(tail, hashes.slice(0, count))) return after(records, count);
  }
  return undefined;
}

function after(records: readonly WalkRecord[], count: number): Joint {
  return { fresh: records.slice(count), lookFrom: Math.max(0, records.length - count) };
}

function beginsWith(hashes: readonly number[], start: readonly number[]): boolean {
  return start.length <= hashes.length && start.every((hash, index) => hash === hashes[index]);
}

/** Whether two lists end in the same three records, or in all that there are. */
function endsAlike(left: readonly number[], right: readonly number[]): boolean {
  const count = Math.min(3, left.length);
  if (right.length < count) return false;
  return left.slice(-count).every((hash, index) => hash === right[right.length - count + index]);
}

/** What began so long before the last walk may have grown since. */
const growthMs = 24 * 3_600_000;

/**
 * Records by place, from the oldest on; `undefined` while no order is known, or, newest first, no total to count from.
 * @param isSteady the total changed by as many records as came in before these since the page before
 */
export function placeRecords(
  records: readonly WalkRecord[],
  offset: number,
  { order, total, isSteady }: { order: SeenOrder; total: number; isSteady: boolean },
): PlacedRecords | undefined {
  if (order === "oldest") return { records, from: offset };
  if (order !== "newest" || !isSteady) return undefined;
  const from = total - offset - records.length;
  return from < 0 ? undefined : { records: records.toReversed(), from };
}

/**
 * Whether the newest records are, to the letter, those that were the newest when the zone was walked last.
 * @param agreed the place up to which all is as it was
 */
export function isUnchanged(
  { top }: WalkState,
  { order, knownTotal, passes }: WalkProgress,
  { records, total }: { records: readonly WalkRecord[]; total: number },
  agreed: number | undefined,
): boolean {
  if (agreed === undefined || total !== knownTotal || passes > 0) return false;
  const hashes = records.map(({ hash }) => hash);
  const count = Math.min(top.length, hashes.length);
  const [before, now] =
    order === "oldest"
      ? [top.slice(top.length - count), hashes.slice(hashes.length - count)]
      : [top.slice(0, count), hashes.slice(0, count)];
  return count > 0 && now.every((hash, index) => hash === before[index]);
}

/**
 * Those above the place up to which all is as it was, those that may have grown, and those whose time has come.
 * @param agreed `undefined`: nothing is as it was
 */
export function newRecords(
  { records, from }: PlacedRecords,
  agreed: number | undefined,
  { knownAt, dueFromMs }: Pick<WalkProgress, "knownAt" | "dueFromMs">,
): WalkRecord[] {
  const grownFrom = knownAt === null ? Number.POSITIVE_INFINITY : Date.parse(knownAt) - growthMs;
  const takenFrom = Math.min(grownFrom, dueFromMs ?? grownFrom);
  return records.filter(
    ({ instantMs }, index) => agreed === undefined || from + index > agreed || !(instantMs < takenFrom),
  );
}

/** Marks of the places that records stand at, in place of those that were there; `undefined` without any record. */
export function renewedMarks(
  placed: PlacedRecords,
): { from: number; to: number; marks: readonly WalkMark[] } | undefined {
  const { records, from } = placed;
  return records.length === 0 ? undefined : { from, to: from + records.length - 1, marks: marksOf(placed) };
}
