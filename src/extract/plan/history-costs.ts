import type { ExportRecord } from "../../state/export-jobs.ts";
import type { WalkState } from "../../state/walks.ts";
import { pollDelayMs } from "../poll-schedule.ts";
import { askedRecords } from "../walk/walk-pages.ts";
import { tailRecords } from "../walk/walk-progress.ts";
import type { Cost } from "./history-plan.ts";

/** What an export is taken to need until one was seen, in milliseconds. */
const unknownExportMs = 2_000;
/** What downloads are taken to bring until one was seen, in bytes per second. */
const unknownBytesPerSecond = 5_000_000;

/** Create, polls, download. */
export function exportCost(
  record: ExportRecord,
  lastBytes: number | undefined,
  bytesPerSecond: number | undefined,
  ratePerSecond: number,
): Cost {
  const { durationsMs, polls, isOpen } = record;
  const durationMs = median(durationsMs) ?? unknownExportMs;
  const expectedPolls = median(polls) ?? countPolls(durationMs);
  const requests = expectedPolls + (isOpen ? 0 : 1);
  const downloadSeconds = (lastBytes ?? 0) / (bytesPerSecond ?? unknownBytesPerSecond);
  return { requests, seconds: durationMs / 1000 + requests / ratePerSecond + downloadSeconds, landings: 1 };
}

/** How often a job of this length is polled that nothing was known of. */
function countPolls(durationMs: number): number {
  let polls = 0;
  for (let elapsedMs = 0; elapsedMs < durationMs; polls += 1) elapsedMs += pollDelayMs(elapsedMs, []);
  return Math.max(polls, 1);
}

/** What is known of a zone's history of one kind. */
export interface ZoneKnowledge {
  walk: WalkState | undefined;
  /** Records that were loaded; `undefined`: nothing was loaded that could tell. */
  records: number | undefined;
  recordsPerDay: number;
}

/** Pages of one zone; `undefined` when nothing tells how many there are. */
export function walkRequests(
  { walk, records, recordsPerDay }: ZoneKnowledge,
  now: Date,
  usualPageSize: number | undefined,
): number | undefined {
  const pageSize = usualPageSize ?? askedRecords;
  const knownTotal = walk?.knownTotal;
  if (walk?.completedAt && knownTotal !== undefined) {
    const days = Math.max(0, (now.getTime() - walk.completedAt.getTime()) / 86_400_000);
    const overlap = walk.order === "oldest" ? Math.min(tailRecords, pageSize) : 0;
    const forNew = Math.max(1, Math.ceil((days * recordsPerDay + overlap) / pageSize));
    // Late lines lie deeper: how deep, the last walk tells.
    return Math.max(forNew, walk.requestsSince ?? 1);
  }
  if (walk?.completedAt && walk.requests !== undefined) {
    return Math.max(walk.requests, Math.ceil((records ?? 0) / pageSize));
  }
  return records === undefined ? undefined : Math.max(1, Math.ceil((records * 1.02) / pageSize));
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}
