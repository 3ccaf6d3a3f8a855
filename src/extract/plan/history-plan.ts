import type { Settings } from "../../config/settings.ts";
import { estimateSendSeconds, type Pace } from "../../state/client/pace.ts";
import type { DataState } from "../../state/data/data-state.ts";
import type { LandingSource } from "../../state/data/landings.ts";
import type { Kind } from "../../util/kind.ts";
import { countOf } from "../../util/text/words.ts";
import { listZonesToCollect } from "../collected-zones.ts";

type Way = "export" | "walk";
export type Mode = "auto" | Way;

export interface HistoryWay {
  groupId: number;
  kind: Kind;
  way: Way;
}

export interface Cost {
  requests: number;
  /** Seconds from the first response to the last byte if nothing else is running. */
  seconds: number;
  /** Number of files, each loaded separately. */
  landings: number;
}

/** Minimum duration of one load, in seconds. Loading runs in parallel with collecting. */
const loadSeconds = 0.2;

/** Costs of both methods for one group and kind. */
export interface HistoryCosts {
  groupId: number;
  kind: Kind;
  export: Cost;
  /** Number of requests per zone; `undefined` if unknown. A zone in several groups is walked only once. */
  walks: ReadonlyMap<number, number | undefined> | undefined;
  /** Method that must be used, and the reason. */
  forced?: { way: Way; why: string } | undefined;
}

export interface PlannedHistory extends HistoryWay {
  cost: Cost | undefined;
  why: string;
}

/**
 * Chooses an export or walks for each group and kind, so that the sync finishes as early as possible. Requests
 * share the agreed rate; exports run in parallel. Tries the duration of each export as the longest acceptable
 * wait. Slower exports are replaced with walks. For all others, the method with fewer requests is chosen.
 */
export function planHistory(costs: readonly HistoryCosts[], mode: Mode, pace: Pace): PlannedHistory[] {
  if (mode !== "auto") {
    return chooseWays(costs, pace, (one) => ({
      ...{ ...pickSource(one), way: mode, why: `--mode ${mode}` },
      cost: one[mode],
    }));
  }
  const waits = [...new Set([0, ...costs.map((one) => one.export.seconds)])];
  const candidates = waits.map((longestWait) =>
    chooseWays(costs, pace, (one) => chooseWay(one, longestWait)),
  );
  const [best] = candidates
    .map((plan) => ({ plan, ...sumCosts(plan, pace) }))
    .sort(
      (left, right) =>
        computeFinishSeconds(left) - computeFinishSeconds(right) || left.requests - right.requests,
    );
  return best?.plan ?? [];
}

function computeFinishSeconds({ seconds, landings }: Cost): number {
  return Math.max(seconds, landings * loadSeconds);
}

/** `walk` is the cost of walking all zones, except zones walked for another group; `undefined` if unknown. */
type CostsWithWalk = HistoryCosts & { walk: Cost | undefined };

function chooseWays(
  costs: readonly HistoryCosts[],
  pace: Pace,
  choose: (costs: CostsWithWalk) => PlannedHistory,
): PlannedHistory[] {
  const walked = new Set<string>();
  return costs.map((one) => {
    const key = (zoneId: number) => `${one.kind} ${zoneId}`;
    const open = one.walks && [...one.walks].filter(([zoneId]) => !walked.has(key(zoneId)));
    const chosen = choose({ ...one, walk: open && sumWalks(open, pace) });
    if (chosen.way === "walk") for (const [zoneId] of open ?? []) walked.add(key(zoneId));
    return chosen;
  });
}

function sumWalks(walks: readonly (readonly [number, number | undefined])[], pace: Pace): Cost | undefined {
  let requests = 0;
  for (const [, count] of walks) {
    if (count === undefined) return undefined;
    requests += count;
  }
  return { requests, seconds: estimateSendSeconds(requests, pace), landings: walks.length };
}

function chooseWay(costs: CostsWithWalk, longestWait: number): PlannedHistory {
  const { export: exported, walk, forced } = costs;
  if (forced) return { ...pickSource(costs), way: forced.way, cost: costs[forced.way], why: forced.why };
  if (!walk) {
    return {
      ...pickSource(costs),
      way: "export",
      cost: exported,
      why: "the number of pages to walk is not known yet",
    };
  }
  const isSlow = exported.seconds > longestWait;
  const way = isSlow || walk.requests < exported.requests ? "walk" : "export";
  return { ...pickSource(costs), way, cost: costs[way], why: compare(exported, walk) };
}

function compare(exported: Cost, walk: Cost): string {
  return `export: ${describe(exported)}; walk: ${describe(walk)}`;
}

function describe({ requests, seconds }: Cost): string {
  return `${countOf(requests, "request")}, ${seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`}`;
}

/** Number of requests in a sync other than for histories. */
interface OtherRequests {
  /** Requests for an access token, which precede all others. */
  first: number;
  /** Requests for devices, campaigns and assets. */
  additional: number;
}

/** Returns the total cost of a plan. Requests are sent at the agreed rate; exports run in parallel. */
export function sumCosts(
  plan: readonly PlannedHistory[],
  pace: Pace,
  { first, additional }: OtherRequests = { first: 0, additional: 0 },
): Cost {
  const costs = plan.flatMap(({ cost }) => cost ?? []);
  const exports = plan.flatMap(({ way, cost }) => (way === "export" && cost ? [cost] : []));
  const sum = (figures: readonly number[]) => figures.reduce((total, figure) => total + figure, 0);
  const requests = first + additional + sum(costs.map((cost) => cost.requests));
  const exported = exports.map(
    ({ seconds }, index) => estimateSendSeconds(first + index + 1, pace) + seconds,
  );
  return {
    requests,
    seconds: Math.max(estimateSendSeconds(requests, pace), ...exported),
    landings: sum(costs.map(({ landings }) => landings)),
  };
}

function pickSource({ groupId, kind }: HistoryCosts): { groupId: number; kind: Kind } {
  return { groupId, kind };
}

export interface PlanFacts {
  settings: Settings;
  state: DataState;
  now: Date;
}

/** Returns true if an interrupted sync has already collected the source. */
export type Has = (source: LandingSource) => boolean;

/** Returns the known zones of a group that a sync would collect. */
export function listPlannedZones(groupId: number, { settings, state, now }: PlanFacts): number[] {
  const { href: service } = settings.get("VENUE_BASE_URL");
  return listZonesToCollect(groupId, { state, service, now });
}
