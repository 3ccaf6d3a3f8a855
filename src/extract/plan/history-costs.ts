import type { ExportRecord } from "../../state/data/export-jobs.ts";
import type { WalkState } from "../../state/data/walks.ts";
import { median, pollsUntil } from "../export/poll-schedule.ts";
import { dueRecords } from "../walk/ahead-records.ts";
import { knownOverlap, pagesLeft, type WalkProgress } from "../walk/walk-progress.ts";
import type { Cost } from "./history-plan.ts";

/** What an export is taken to need until one was seen, in milliseconds. */
const unknownExportMs = 2_000;
/** What downloads are taken to bring until one was seen, in bytes per second. */
const unknownBytesPerSecond = 5_000_000;

/** What is known of a group's exports of one kind. */
export interface ExportKnowledge extends ExportRecord {
  /** One is under way, and will be taken up. */
  isOpen: boolean;
}

/** Create, polls, download. */
export function exportCost(
  { durationsMs, isOpen }: ExportKnowledge,
  lastBytes: number | undefined,
  bytesPerSecond: number | undefined,
): Cost {
  // What was seen was seen late, by a poll: a job that is as quick again is done by then.
  const { polls, seenMs } = pollsUntil(median(durationsMs) ?? unknownExportMs, durationsMs);
  const downloadSeconds = (lastBytes ?? 0) / (bytesPerSecond ?? unknownBytesPerSecond);
  return { requests: polls + (isOpen ? 0 : 1), seconds: seenMs / 1000 + downloadSeconds, landings: 1 };
}

/** What a page is taken to hold until one was seen: services give fewer records than they are asked for. */
const unknownPageRecords = 500;

/** What is known of a zone's history of one kind. */
export interface ZoneKnowledge {
  walk: WalkState | undefined;
  /** Records that were loaded; `undefined`: nothing was loaded that could tell. */
  records: number | undefined;
  recordsPerDay: number;
}

/** Pages of one zone, of a walk under way those that are left; `undefined` when nothing tells how many there are. */
export function walkRequests(
  { walk, records, recordsPerDay }: ZoneKnowledge,
  now: Date,
  usualPageSize: number | undefined,
): number | undefined {
  const left = walk?.progress === undefined ? undefined : pagesLeft(walk.progress as WalkProgress);
  if (left !== undefined) return left;
  const pageSize = usualPageSize ?? unknownPageRecords;
  const knownTotal = walk?.knownTotal;
  if (walk?.completedAt && knownTotal !== undefined) {
    const days = Math.max(0, (now.getTime() - walk.completedAt.getTime()) / 86_400_000);
    const due = dueRecords(walk.ahead, now);
    const overlap = walk.order === "oldest" ? knownOverlap(pageSize, due) : (due?.records ?? 0);
    const forNew = Math.max(1, Math.ceil((days * recordsPerDay + overlap) / pageSize));
    // Late lines lie deeper: how deep, the last walk tells.
    return Math.max(forNew, walk.requestsSince ?? 1);
  }
  if (walk?.completedAt && walk.requests !== undefined) {
    return Math.max(walk.requests, Math.ceil((records ?? 0) / pageSize));
  }
  return records === undefined ? undefined : Math.max(1, Math.ceil((records * 1.02) / pageSize));
}
