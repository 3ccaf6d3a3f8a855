import { statusRatePerSecond } from "../../api/status-client.ts";
import { computePace, estimateSendSeconds, type Pace } from "../../state/client/pace.ts";
import { contentKinds } from "../../util/kind.ts";
import { countOf } from "../../util/text/words.ts";
import { needsToken } from "../../workspace/connect.ts";
import { selectZonesToList } from "../collected-zones.ts";
import { type Has, listPlannedZones, type PlanFacts, type PlannedHistory, sumCosts } from "./history-plan.ts";
import { planHistories } from "./plan-histories.ts";
import { type CollectOptions, computeZoneListings, describeScope } from "./sync-options.ts";

/** Steps of a sync, most important first, with totals. */
export interface SyncPlan {
  steps: PlannedStep[];
  history: PlannedHistory[];
  /** Number of requests to the main API, excluding histories whose size is unknown. */
  requests: number;
  seconds: number;
  /** Number of planned histories (per group and kind) whose size is unknown. */
  unknown: number;
  /** Maximum number of additional listings for zones that are not known yet. */
  unknownListings: number;
  /** Time limit, if the sync will reach it before everything is collected. */
  stopsAfterMinutes: number | undefined;
}

interface PlannedStep {
  what: string;
  requests: number | undefined;
  seconds: number | undefined;
  why: string;
}

/** Time for preparing the warehouse and storing the last response, in addition to a sync's requests. */
const overheadSeconds = 0.3;

export function planSync(facts: PlanFacts, options: CollectOptions): SyncPlan {
  const { settings } = facts;
  const pace = computePace(settings.get("VENUE_RATE_PER_SECOND"));
  const { topics } = options;
  const has = openCollection(facts, options);
  const history = topics.includes("history") ? planHistories(facts, options, pace, has) : [];
  const devices = countDevices(facts, options, history, has);
  const { listings, unknownListings } = topics.includes("campaigns")
    ? countListings(facts, options, has)
    : { listings: 0, unknownListings: 0 };
  const additional = devices + listings;
  const isAnything = additional + history.length > 0;
  const token = isAnything && needsToken(settings) ? 1 : 0;
  const { requests, seconds } = sumCosts(history, pace, { first: token, additional });
  const { maxMinutes } = options;
  const isTooLong = maxMinutes !== undefined && seconds + overheadSeconds > maxMinutes * 60;
  return {
    steps: [
      ...createStep("access token", token, pace, "no valid token is stored"),
      ...createStep("devices", devices, pace, `${countOf(devices, "group")}, one request each`),
      ...history.map(describeHistory),
      ...createStep(
        "campaigns and assets",
        listings,
        pace,
        "of groups and zones, least recently collected first",
      ),
      ...(topics.includes("status") ? [planStatusStep(facts)] : []),
    ],
    history,
    requests,
    seconds: seconds + overheadSeconds,
    unknown: history.filter((planned) => planned.cost === undefined).length,
    unknownListings,
    stopsAfterMinutes: isTooLong ? maxMinutes : undefined,
  };
}

/** Returns a predicate for the sources that an interrupted sync already collected. */
function openCollection({ settings, state, now }: PlanFacts, options: CollectOptions): Has {
  const collectionId = state.collections.find(describeScope(settings, options), now);
  return (source) => collectionId !== undefined && state.landings.isComplete(collectionId, source) === true;
}

/**
 * Counts device listings. Without the topic `devices`, a group is listed only if its zones are unknown and
 * another topic needs them.
 */
function countDevices(
  facts: PlanFacts,
  options: CollectOptions,
  history: readonly PlannedHistory[],
  has: Has,
): number {
  const { topics } = options;
  const areZonesListed = topics.includes("campaigns") && computeZoneListings(facts.settings, options) > 0;
  const walked = new Set(history.flatMap(({ groupId, way }) => (way === "walk" ? [groupId] : [])));
  const needsZones = (groupId: number) => areZonesListed || walked.has(groupId);
  return facts.settings
    .get("VENUE_GROUP_IDS")
    .filter((groupId) => !has({ source: "devices", groupId }))
    .filter(
      (groupId) =>
        topics.includes("devices") || (needsZones(groupId) && listPlannedZones(groupId, facts).length === 0),
    ).length;
}

/**
 * Counts the listings for groups, and for as many zones as time allows. Counts listings for unknown zones
 * separately.
 */
function countListings(facts: PlanFacts, options: CollectOptions, has: Has) {
  const { settings, state } = facts;
  const groupIds = settings.get("VENUE_GROUP_IDS");
  const { href: service } = settings.get("VENUE_BASE_URL");
  const limit = computeZoneListings(settings, options);
  const zonesOfGroups = groupIds.map((groupId) => listPlannedZones(groupId, facts));
  const isUnknown = zonesOfGroups.some((zoneIds) => zoneIds.length === 0);
  const zones = selectZonesToList([...new Set(zonesOfGroups.flat())], { state, service, groupIds });
  const count = (owner: { groupId: number } | { zoneId: number }) =>
    (["campaigns", "assets"] as const).flatMap((source) =>
      contentKinds.filter((kind) => !has({ source, kind, ...owner })),
    ).length;
  const ofGroups = groupIds.reduce((sum, groupId) => sum + count({ groupId }), 0);
  const ofZones = zones.reduce((sum, zoneId) => sum + count({ zoneId }), 0);
  return {
    listings: ofGroups + Math.min(ofZones, limit),
    unknownListings: isUnknown ? Math.max(0, limit - ofZones) : 0,
  };
}

function createStep(what: string, requests: number, pace: Pace, why: string): PlannedStep[] {
  return requests === 0 ? [] : [{ what, requests, seconds: estimateSendSeconds(requests, pace), why }];
}

/** Plans the status API, which has a separate budget. Assumes the same number of requests as last time. */
function planStatusStep({ settings, state }: PlanFacts): PlannedStep {
  const what = "status API";
  if (settings.find("VENUE_STATUS_URL") === undefined)
    return { what, requests: 0, seconds: 0, why: "skipped: VENUE_STATUS_URL is not set" };
  const requests = state.runs.findStatusRequests();
  const pace = computePace(statusRatePerSecond);
  return requests === undefined
    ? {
        what,
        requests,
        seconds: undefined,
        why: "components and notices, in addition to the main API's requests",
      }
    : {
        what,
        requests,
        seconds: estimateSendSeconds(requests, pace),
        why: "as many as last time, in addition to the main API's requests",
      };
}

function describeHistory({ groupId, kind, way, cost, why }: PlannedHistory): PlannedStep {
  return {
    what: `${kind} history of group ${groupId}: ${way}`,
    requests: cost?.requests,
    seconds: cost?.seconds,
    why,
  };
}
