import { type Pace, paceOf, secondsToSend } from "../../state/client/pace.ts";
import { contentKinds } from "../../util/kind.ts";
import { countOf } from "../../util/text/words.ts";
import { needsToken } from "../../workspace/connect.ts";
import { zonesWithListings } from "../asked-zones.ts";
import { type Has, type PlanFacts, type PlannedHistory, totalOf, zonesOf } from "./history-plan.ts";
import { planHistories } from "./plan-histories.ts";
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
  /** Listings of zones that nobody knows yet, at most: they come on top. */
  unknownListings: number;
  /** After which the sync stops before it has all of this. */
  stopsAfterMinutes: number | undefined;
}

/** One line of a plan. */
interface PlannedStep {
  what: string;
  requests: number | undefined;
  seconds: number | undefined;
  why: string;
}

/** What a sync takes beside its requests: the warehouse is made ready before the first, the last answer stored. */
const aroundSeconds = 0.3;

/** Plans what is still to be collected. */
export function planSync(facts: PlanFacts, options: SyncOptions): SyncPlan {
  const { settings } = facts;
  const pace = paceOf(settings.get("VENUE_RATE_PER_SECOND"));
  const { topics } = options;
  const has = openCollection(facts, options);
  const history = topics.includes("history") ? planHistories(facts, options, pace, has) : [];
  const devices = countDevices(facts, options, history, has);
  const { listings, unknownListings } = topics.includes("campaigns")
    ? countListings(facts, options, has)
    : { listings: 0, unknownListings: 0 };
  const beside = devices + listings;
  const isAnything = beside + history.length > 0;
  const token = isAnything && needsToken(settings) ? 1 : 0;
  const { requests, seconds } = totalOf(history, pace, { first: token, beside });
  const { maxMinutes } = options;
  const isTooLong = maxMinutes !== undefined && seconds + aroundSeconds > maxMinutes * 60;
  return {
    steps: [
      ...step("access token", token, pace, "none is valid"),
      ...step("devices", devices, pace, `${countOf(devices, "group")}, one request each`),
      ...history.map(describeHistory),
      ...step("campaigns and assets", listings, pace, "of groups, and of zones: longest unseen first"),
      ...(topics.includes("status") ? [statusStep(facts)] : []),
    ],
    history,
    requests,
    seconds: seconds + aroundSeconds,
    unknown: history.filter((planned) => planned.cost === undefined).length,
    unknownListings,
    stopsAfterMinutes: isTooLong ? maxMinutes : undefined,
  };
}

/** What a sync that was stopped has already is not asked for again. */
function openCollection({ settings, state, now }: PlanFacts, options: SyncOptions): Has {
  const collectionId = state.collections.find(scopeOf(settings, options), now);
  return (source) => collectionId !== undefined && state.landings.has(collectionId, source);
}

/** Listings of devices: where they are not asked for, those of groups whose zones are to be asked about, but not known. */
function countDevices(
  facts: PlanFacts,
  options: SyncOptions,
  history: readonly PlannedHistory[],
  has: Has,
): number {
  const { topics } = options;
  const areZonesListed = topics.includes("campaigns") && zoneListingsOf(facts.settings, options) > 0;
  const walked = new Set(history.flatMap(({ groupId, way }) => (way === "walk" ? [groupId] : [])));
  const needsZones = (groupId: number) => areZonesListed || walked.has(groupId);
  return facts.settings
    .get("VENUE_GROUP_IDS")
    .filter((groupId) => !has({ source: "devices", groupId }))
    .filter(
      (groupId) =>
        topics.includes("devices") || (needsZones(groupId) && zonesOf(groupId, facts).length === 0),
    ).length;
}

/** Of groups, and as many of zones as there is time for; those of zones that no listing named yet are unknown. */
function countListings(facts: PlanFacts, options: SyncOptions, has: Has) {
  const { settings, state } = facts;
  const groupIds = settings.get("VENUE_GROUP_IDS");
  const { href: service } = settings.get("VENUE_BASE_URL");
  const limit = zoneListingsOf(settings, options);
  const zonesOfGroups = groupIds.map((groupId) => zonesOf(groupId, facts));
  const isUnknown = zonesOfGroups.some((zoneIds) => zoneIds.length === 0);
  const zones = zonesWithListings([...new Set(zonesOfGroups.flat())], { state, service, groupIds });
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

function step(what: string, requests: number, pace: Pace, why: string): PlannedStep[] {
  return requests === 0 ? [] : [{ what, requests, seconds: secondsToSend(requests, pace), why }];
}

/** It has a budget of its own, and how much changed there is not known: as often as last time, at least. */
function statusStep({ settings, state }: PlanFacts): PlannedStep {
  const what = "status API";
  if (settings.find("VENUE_STATUS_URL") === undefined)
    return { what, requests: 0, seconds: 0, why: "skipped: VENUE_STATUS_URL is not set" };
  const requests = state.runs.findStatusRequests();
  const pace = paceOf(settings.get("VENUE_STATUS_RATE_PER_SECOND"));
  return requests === undefined
    ? { what, requests, seconds: undefined, why: "components and notices, beside the main API's requests" }
    : { what, requests, seconds: secondsToSend(requests, pace), why: "as last time, beside the main API's" };
}

function describeHistory({ groupId, kind, way, cost, why }: PlannedHistory): PlannedStep {
  return {
    what: `${kind} history of group ${groupId}: ${way}`,
    requests: cost?.requests,
    seconds: cost?.seconds,
    why,
  };
}
