import type { WalkMark, WalkState } from "../../state/data/walks.ts";
import { marksOf, type PlacedRecords } from "./walk-marks.ts";
import type { SeenOrder } from "./walk-order.ts";
import type { WalkProgress } from "./walk-progress.ts";
import type { WalkRecord } from "./walk-record.ts";

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
