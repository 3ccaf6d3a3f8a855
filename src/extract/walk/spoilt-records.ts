import type { SpoiltRecords } from "../../state/data/walks.ts";
import type { SeenOrder } from "./walk-order.ts";
import type { WalkRecord } from "./walk-record.ts";

/**
 * For so long walks read again where records told of no play: a service that spoils what it tells is usually mended
 * within a day. An export brings such records again each time; later, `venue sync --full` does.
 */
const againMs = 36 * 3_600_000;

/** Those that a walk still reads again; `undefined`: there are none. */
export function spoiltUntilNow(
  spoilt: SpoiltRecords | undefined,
  requestedAt: Date,
): SpoiltRecords | undefined {
  return spoilt && requestedAt.getTime() <= spoilt.until.getTime() ? spoilt : undefined;
}

/** Until when records are read again that are spoilt in a walk that was asked for at an instant. */
export function spoiltUntil(requestedAt: Date): Date {
  return new Date(requestedAt.getTime() + againMs);
}

/**
 * From which instant on a later walk has to read to see once more which of a page's records are spoilt, epoch ms;
 * `undefined` where none is. One that tells no instant did not begin before the next older one: where the page shows
 * none, everything is read.
 * @param olderMs when the record before the page began, oldest first; null where that is not known
 */
export function spoiltFrom(
  records: readonly WalkRecord[],
  isSpoilt: (record: WalkRecord) => boolean,
  { order, olderMs }: { order: SeenOrder; olderMs: number | null },
): number | undefined {
  const isForward = order === "oldest";
  let instantMs = isForward ? (olderMs ?? 0) : 0;
  for (const record of isForward ? records : records.toReversed()) {
    if (!Number.isNaN(record.instantMs)) instantMs = record.instantMs;
    if (isSpoilt(record)) return instantMs;
  }
  return undefined;
}
