import type { Settings } from "../config/settings.ts";
import { exportCost, walkRequests } from "../extract/plan/history-costs.ts";
import {
  type HistoryCosts,
  type PlannedHistory,
  planHistory,
  totalOf,
} from "../extract/plan/history-plan.ts";
import { paceOf } from "../state/client/pace.ts";
import type { DataState } from "../state/data-state.ts";
import { type Kind, kinds } from "../util/kind.ts";
import type { HistoryKnowledge } from "./history-knowledge.ts";
import { type SyncOptions, scopeOf, zoneListingsOf } from "./sync-options.ts";

/** What a sync would do, in the order of what matters most. */
export interface SyncPlan {
  steps: PlannedStep[];
  history: PlannedHistory[];
  /** Requests to the main API; histories whose size nobody knows are not among them. */
  requests: number;
  seconds: number;
  /** Groups and kinds to walk of which nobody knows how much there is. */
  unknown: number;
}

/** One line of a plan. */
interface PlannedStep {
  what: string;
  requests: number | undefined;
  seconds: number | undefined;
  why: string;
}

export interface PlanFacts {
  settings: Settings;
  state: DataState;
  knowledge: HistoryKnowledge;
  now: Date;
}

/** After so many failed exports in a row zones are walked, for a week. */
const failureLimit = 3;
/** What the shared budget loses per window, in seconds. */
const marginSeconds = 0.025;

/** Plans what is still to be collected. */
export function planSync(facts: PlanFacts, options: SyncOptions): SyncPlan {
  const { settings } = facts;
  const groupIds = settings.get("VENUE_GROUP_IDS");
  const rate = effectiveRate(settings.get("VENUE_RATE_PER_SECOND"));
  const { topics } = options;
  const has = openCollection(facts, options);
  const devices = topics.includes("devices")
    ? groupIds.filter((groupId) => !has({ source: "devices", groupId })).length
    : 0;
  const history = topics.includes("history") ? planHistories(facts, options, rate, has) : [];
  const listings = topics.includes("campaigns") ? countListings(facts, options, has) : 0;
  const cost = totalOf(history, rate);
  const requests = devices + cost.requests + listings;
  return {
    steps: [
      ...step("devices", devices, rate, `${groupIds.length} groups, one request each`),
      ...history.map(describeHistory),
      ...step("campaigns and assets", listings, rate, "of groups, and of zones: longest unseen first"),
    ],
    history,
    requests,
    seconds: Math.max(requests / rate, cost.seconds),
    unknown: history.filter((planned) => planned.cost === undefined).length,
  };
}

/** Requests per second that the budget lets through. */
export function effectiveRate(ratePerSecond: number): number {
  const { requests, windowMs } = paceOf(ratePerSecond);
  return requests / (windowMs / 1000 + marginSeconds);
}

type Has = (source: Parameters<DataState["landings"]["has"]>[1]) => boolean;

/** What a sync that was stopped has already is not asked for again. */
function openCollection({ settings, state, now }: PlanFacts, options: SyncOptions): Has {
  const collectionId = state.collections.find(scopeOf(settings, options), now);
  return (source) => collectionId !== undefined && state.landings.has(collectionId, source);
}

function planHistories(facts: PlanFacts, options: SyncOptions, rate: number, has: Has): PlannedHistory[] {
  const counted = new Set<string>();
  const usualPages = usualPagesOf(facts);
  const costs = facts.settings
    .get("VENUE_GROUP_IDS")
    .flatMap((groupId) => kinds.map((kind) => ({ groupId, kind })))
    .filter(({ groupId, kind }) => !has({ source: "export", kind, groupId }))
    .map(({ groupId, kind }) => costsOf(facts, options, { groupId, kind, rate, counted, has, usualPages }));
  return planHistory(costs, options.mode ?? "auto", rate);
}

interface HistoryOfGroup {
  groupId: number;
  kind: Kind;
  rate: number;
  /** Zones that another group pays for. */
  counted: Set<string>;
  has: Has;
  usualPages: ReadonlyMap<Kind, number>;
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

function costsOf(
  { settings, state, knowledge, now }: PlanFacts,
  { isFull }: SyncOptions,
  { groupId, kind, rate, counted, has, usualPages }: HistoryOfGroup,
): HistoryCosts {
  const { href: service } = settings.get("VENUE_BASE_URL");
  const record = state.exportJobs.record(service, kind, groupId);
  const exported = exportCost(
    record,
    state.landings.lastBytes({ source: "export", kind, groupId }),
    state.exportJobs.bytesPerSecond(service),
    rate,
  );
  const gone = state.zones.gone(service);
  const zones = new Set([...state.zones.ofGroup(service, groupId), ...knowledge.zonesOfGroup(groupId)]);
  const pageSize = state.walks.largestPage(service);
  let requests: number | undefined = zones.size > 0 ? 0 : undefined;
  let landings = 0;
  for (const zoneId of zones) {
    const key = `${kind} ${zoneId}`;
    if (gone.has(zoneId) || counted.has(key) || has({ source: "walk", kind, zoneId })) continue;
    counted.add(key);
    landings += 1;
    const walk = state.walks.find(service, { kind, zoneId });
    const known = knowledge.find(kind, zoneId);
    const pages =
      walkRequests(
        {
          walk: isFull && walk ? { ...walk, knownTotal: undefined } : walk,
          records: known?.records ?? (walk?.completedAt ? 0 : undefined),
          recordsPerDay: known?.recordsPerDay ?? 0,
        },
        now,
        pageSize,
      ) ?? usualPages.get(kind);
    requests = requests === undefined || pages === undefined ? undefined : requests + pages;
  }
  return {
    groupId,
    kind,
    export: exported,
    walk: requests === undefined ? undefined : { requests, seconds: requests / rate, landings },
    must: compelled(record, zones.size > 0),
  };
}

function compelled(
  { isOpen, failures }: { isOpen: boolean; failures: number },
  hasZones: boolean,
): HistoryCosts["must"] {
  if (isOpen) return { way: "export", why: "an export is under way" };
  if (failures >= failureLimit && hasZones) {
    return { way: "walk", why: `the service failed the last ${failures} exports` };
  }
  return undefined;
}

/** Of groups, and as many of zones as there is time for. */
function countListings({ settings, state }: PlanFacts, options: SyncOptions, has: Has): number {
  const { href: service } = settings.get("VENUE_BASE_URL");
  const groupIds = settings.get("VENUE_GROUP_IDS");
  const zones = new Set(groupIds.flatMap((groupId) => state.zones.ofGroup(service, groupId)));
  const count = (owner: { groupId: number } | { zoneId: number }) =>
    (["campaigns", "assets"] as const).flatMap((source) =>
      (["signage", "messaging"] as const).filter((kind) => !has({ source, kind, ...owner })),
    ).length;
  const ofGroups = groupIds.reduce((sum, groupId) => sum + count({ groupId }), 0);
  const ofZones = [...zones].reduce((sum, zoneId) => sum + count({ zoneId }), 0);
  return ofGroups + Math.min(ofZones, zoneListingsOf(settings, options));
}

function step(what: string, requests: number, rate: number, why: string): PlannedStep[] {
  return requests === 0 ? [] : [{ what, requests, seconds: requests / rate, why }];
}

function describeHistory({ groupId, kind, way, cost, why }: PlannedHistory): PlannedStep {
  return {
    what: `${kind} history of group ${groupId}: ${way}`,
    requests: cost?.requests,
    seconds: cost?.seconds,
    why,
  };
}
