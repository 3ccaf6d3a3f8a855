import type { Pace } from "../../state/client/pace.ts";
import type { ExportRecord } from "../../state/data/export-jobs.ts";
import type { WalkState } from "../../state/data/walks.ts";
import { type Kind, kinds } from "../../util/kind.ts";
import { areExportsPaused } from "../export/export-policy.ts";
import { countPollsUntil, median } from "../export/poll-export.ts";
import { isResumable } from "../export/request-export.ts";
import { countOverlap, countPagesLeft } from "../walk/walk-progress.ts";
import { findDueRecords } from "../walk/walk-record.ts";
import {
  type Cost,
  type Has,
  type HistoryCosts,
  listPlannedZones,
  type PlanFacts,
  type PlannedHistory,
  planHistory,
} from "./history-plan.ts";
import { type CollectOptions, describeScope } from "./sync-options.ts";

/** Plans how to collect the remaining histories, based on the records of earlier syncs. */
export function planHistories(
  facts: PlanFacts,
  options: CollectOptions,
  pace: Pace,
  has: Has,
): PlannedHistory[] {
  const averagePages = computeAveragePages(facts);
  const { settings, state, now } = facts;
  const isFromScratch =
    options.isFull === true && state.collections.find(describeScope(settings, options), now) === undefined;
  const costs = settings
    .get("VENUE_GROUP_IDS")
    .flatMap((groupId) => kinds.map((kind) => ({ groupId, kind })))
    .filter(({ groupId, kind }) => !has({ source: "export", kind, groupId }))
    .map(({ groupId, kind }) => estimateCosts(facts, { groupId, kind, has, averagePages, isFromScratch }));
  return planHistory(costs, options.mode ?? "auto", pace);
}

interface HistoryOfGroup {
  groupId: number;
  kind: Kind;
  has: Has;
  averagePages: ReadonlyMap<Kind, number>;
  /** True if walks start from scratch and ignore earlier ones. */
  isFromScratch: boolean;
}

/**
 * Returns the average number of requests per complete walk, by kind. This is the best estimate for a zone that
 * was never walked.
 */
function computeAveragePages({ settings, state }: PlanFacts): Map<Kind, number> {
  const walks = state.walks.list(settings.get("VENUE_BASE_URL").href);
  return new Map(
    kinds.flatMap((kind) => {
      const pages = walks.flatMap((walk) => (walk.kind === kind ? (walk.wholeRequests ?? []) : []));
      const sum = pages.reduce((total, count) => total + count, 0);
      return pages.length > 0 ? [[kind, Math.ceil(sum / pages.length)] as const] : [];
    }),
  );
}

function estimateCosts(
  facts: PlanFacts,
  { groupId, kind, has, averagePages, isFromScratch }: HistoryOfGroup,
): HistoryCosts {
  const { settings, state, now } = facts;
  const { href: service } = settings.get("VENUE_BASE_URL");
  const left = state.exportJobs.findOpen(service, kind, groupId);
  const isOpen = left !== undefined && isResumable(left, now);
  const record = { ...state.exportJobs.record(service, kind, groupId), isOpen };
  const lastBytes = state.landings.lastBytes({ source: "export", kind, groupId });
  const exported = estimateExport(record, lastBytes, state.exportJobs.bytesPerSecond(service));
  // An earlier version did not record the sizes of histories.
  const isExportKnown = lastBytes !== undefined && !state.histories.isEmpty;
  const zones = listPlannedZones(groupId, facts);
  const pageSize = state.walks.findLargestPage(service);
  const walks = new Map<number, number | undefined>();
  for (const zoneId of zones) {
    if (has({ source: "walk", kind, zoneId })) continue;
    const walk = state.walks.find(service, { kind, zoneId });
    const known = state.histories.findSize(kind, zoneId);
    const pages =
      estimateWalkRequests(
        {
          walk: isFromScratch && walk ? { ...walk, knownTotal: undefined, progress: undefined } : walk,
          // 0 for a zone without records in a complete walk or in the group's last export.
          records: known?.records ?? (walk?.completedAt || isExportKnown ? 0 : undefined),
          recordsPerDay: known?.recordsPerDay ?? 0,
        },
        now,
        pageSize,
      ) ?? averagePages.get(kind);
    walks.set(zoneId, pages);
  }
  return {
    groupId,
    kind,
    export: exported,
    walks: zones.length > 0 ? walks : undefined,
    forced: findForcedWay(record, zones.length > 0),
  };
}

function findForcedWay(
  { isOpen, failures, sinceFailureMs }: ExportKnowledge,
  hasZones: boolean,
): HistoryCosts["forced"] {
  if (isOpen) return { way: "export", why: "an export is in progress" };
  if (hasZones && areExportsPaused(failures, sinceFailureMs))
    return { way: "walk", why: `the service failed the last ${failures} exports` };
  return undefined;
}

/** Assumed duration of an export if none has completed yet, in milliseconds. */
const defaultExportMs = 2_000;
/** Assumed download speed if nothing has been downloaded yet, in bytes per second. */
const defaultBytesPerSecond = 5_000_000;

interface ExportKnowledge extends ExportRecord {
  /** True if an export is in progress and will be resumed. */
  isOpen: boolean;
}

/** Estimates the cost of an export: creating it, polling it, and downloading its file. */
function estimateExport(
  { durationsMs, isOpen }: ExportKnowledge,
  lastBytes: number | undefined,
  bytesPerSecond: number | undefined,
): Cost {
  // A recorded duration ends at the poll that found the job completed, so an equally fast job needs no later
  // poll.
  const { polls, seenMs } = countPollsUntil(median(durationsMs) ?? defaultExportMs, durationsMs);
  const downloadSeconds = (lastBytes ?? 0) / (bytesPerSecond ?? defaultBytesPerSecond);
  return { requests: polls + (isOpen ? 0 : 1), seconds: seenMs / 1000 + downloadSeconds, landings: 1 };
}

/**
 * Assumed page size if no page has been read yet, because services may return fewer records than requested.
 */
const defaultPageRecords = 500;

interface ZoneKnowledge {
  walk: WalkState | undefined;
  /** Number of loaded records; `undefined` if nothing was loaded. */
  records: number | undefined;
  recordsPerDay: number;
}

/**
 * Returns the number of pages to request for one zone, or the number left if its walk is in progress;
 * `undefined` if unknown.
 */
function estimateWalkRequests(
  { walk, records, recordsPerDay }: ZoneKnowledge,
  now: Date,
  usualPageSize: number | undefined,
): number | undefined {
  const left = walk && countPagesLeft(walk);
  if (left !== undefined) return left;
  const pageSize = usualPageSize ?? defaultPageRecords;
  const knownTotal = walk?.knownTotal;
  if (walk?.completedAt && knownTotal !== undefined) {
    const days = Math.max(0, (now.getTime() - walk.completedAt.getTime()) / 86_400_000);
    const due = findDueRecords(walk.ahead, now);
    const overlap = walk.order === "oldest" ? countOverlap(pageSize, due) : (due?.records ?? 0);
    const forNew = Math.max(1, Math.ceil((days * recordsPerDay + overlap) / pageSize));
    // Late-arriving lines are further down. Assumes that they reach as far as in the last walk.
    return Math.max(forNew, walk.requestsSince ?? 1);
  }
  if (walk?.completedAt && walk.requests !== undefined) {
    return Math.max(walk.requests, Math.ceil((records ?? 0) / pageSize));
  }
  return records === undefined ? undefined : Math.max(1, Math.ceil((records * 1.02) / pageSize));
}
