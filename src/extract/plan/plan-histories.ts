import type { Pace } from "../../state/client/pace.ts";
import { type Kind, kinds } from "../../util/kind.ts";
import { isUsable } from "../export/usable-job.ts";
import { type ExportKnowledge, exportCost, walkRequests } from "./history-costs.ts";
import { type HistoryCosts, type PlannedHistory, planHistory } from "./history-plan.ts";
import { type Has, type PlanFacts, zonesOf } from "./plan-facts.ts";
import { type SyncOptions, scopeOf } from "./sync-options.ts";

/** After so many failed exports in a row zones are walked for a time. */
const failureLimit = 3;
/** For so long after the last of them, so that the next day's run asks for an export; twice as long after as many more. */
const restMs = 20 * 3_600_000;

/** Plans the histories that are still to be collected, from what earlier syncs saw. */
export function planHistories(
  facts: PlanFacts,
  options: SyncOptions,
  pace: Pace,
  has: Has,
): PlannedHistory[] {
  const usualPages = usualPagesOf(facts);
  const { settings, state, now } = facts;
  const isAnew =
    options.isFull === true && state.collections.find(scopeOf(settings, options), now) === undefined;
  const costs = settings
    .get("VENUE_GROUP_IDS")
    .flatMap((groupId) => kinds.map((kind) => ({ groupId, kind })))
    .filter(({ groupId, kind }) => !has({ source: "export", kind, groupId }))
    .map(({ groupId, kind }) => costsOf(facts, { groupId, kind, has, usualPages, isAnew }));
  return planHistory(costs, options.mode ?? "auto", pace);
}

interface HistoryOfGroup {
  groupId: number;
  kind: Kind;
  has: Has;
  usualPages: ReadonlyMap<Kind, number>;
  /** Walks begin with nothing, whatever they know. */
  isAnew: boolean;
}

/** What walks of everything would take on average, by kind: the best guess at zones that were never read. */
function usualPagesOf({ settings, state }: PlanFacts): Map<Kind, number> {
  const walks = state.walks.list(settings.get("VENUE_BASE_URL").href);
  return new Map(
    kinds.flatMap((kind) => {
      const pages = walks.flatMap((walk) => (walk.kind === kind ? (walk.wholeRequests ?? []) : []));
      const sum = pages.reduce((total, count) => total + count, 0);
      return pages.length > 0 ? [[kind, Math.ceil(sum / pages.length)] as const] : [];
    }),
  );
}

function costsOf(facts: PlanFacts, { groupId, kind, has, usualPages, isAnew }: HistoryOfGroup): HistoryCosts {
  const { settings, state, knowledge, now } = facts;
  const { href: service } = settings.get("VENUE_BASE_URL");
  const left = state.exportJobs.findOpen(service, kind, groupId);
  const isOpen = left !== undefined && isUsable(left, now);
  const record = { ...state.exportJobs.record(service, kind, groupId), isOpen };
  const lastBytes = state.landings.lastBytes({ source: "export", kind, groupId });
  const exported = exportCost(record, lastBytes, state.exportJobs.bytesPerSecond(service));
  const zones = zonesOf(groupId, facts);
  const pageSize = state.walks.largestPage(service);
  const walks = new Map<number, number | undefined>();
  for (const zoneId of zones) {
    if (has({ source: "walk", kind, zoneId })) continue;
    const walk = state.walks.find(service, { kind, zoneId });
    const known = knowledge.find(kind, zoneId);
    const pages =
      walkRequests(
        {
          walk: isAnew && walk ? { ...walk, knownTotal: undefined, progress: undefined } : walk,
          // A zone that neither a walk nor an export had anything of.
          records: known?.records ?? (walk?.completedAt || lastBytes !== undefined ? 0 : undefined),
          recordsPerDay: known?.recordsPerDay ?? 0,
        },
        now,
        pageSize,
      ) ?? usualPages.get(kind);
    walks.set(zoneId, pages);
  }
  return {
    groupId,
    kind,
    export: exported,
    walks: zones.length > 0 ? walks : undefined,
    must: compelled(record, zones.length > 0),
  };
}

function compelled(
  { isOpen, failures, failedAgoMs }: ExportKnowledge,
  hasZones: boolean,
): HistoryCosts["must"] {
  if (isOpen) return { way: "export", why: "an export is under way" };
  const times = Math.floor(failures / failureLimit);
  if (times > 0 && failedAgoMs < restMs * 2 ** (times - 1) && hasZones) {
    return { way: "walk", why: `the service failed the last ${failures} exports` };
  }
  return undefined;
}
