import { addDays, lastDate } from "../../util/local-date.ts";
import type { ComplianceState } from "../catalog/compliance-states.ts";
import type { ReportValue } from "../report.ts";
import type { ProofDocument } from "./build-proof.ts";
import { inTurns, type ProofRow } from "./proof-tables.ts";

/** Counts of campaign days and plays. Plays and times are those of days that ran or were missed, unless named otherwise. */
export interface Tally {
  scheduled: number;
  /** Scheduled days whose schedule is assumed. */
  assumed: number;
  ran: number;
  /** Days that ran with shared plays only. */
  ranShared: number;
  missed: number;
  missedOffline: number;
  closed: number;
  notMeasurable: number;
  pending: number;
  exclusivePlays: number;
  sharedPlays: number;
  /** Plays received so far of pending days. */
  pendingPlays: number;
  unscheduledDays: number;
  unscheduledPlays: number;
  /** `null` if no rule names times. */
  due: number | null;
  met: number | null;
  /** Met times of days with shared plays, which another campaign may have met. */
  metShared: number;
}

/** Consecutive days of one campaign in one zone with the same state. */
export interface DaySpan {
  campaign: string;
  zone: string;
  state: ComplianceState;
  from: string;
  to: string;
  days: number;
}

interface Counted {
  label: string;
  tally: Tally;
}

interface AssetCount {
  label: string;
  plays: number;
  playSeconds: number;
  pendingPlays: number;
  zones: number;
  days: number;
}

export interface ProofSummary {
  total: Tally;
  /** E.g. `Autumn Menu (signage 2)`. */
  campaigns: readonly Counted[];
  venues: readonly (Counted & { venue: ProofRow })[];
  /** Every date with a row. */
  days: readonly Counted[];
  assets: readonly AssetCount[];
  /** Plays of days that ran, each counted once; the tallies count one for each of the campaigns that can claim it. */
  plays: { shared: number; seconds: number };
  /** Days that were missed, and days without a result, by zone and date. */
  missed: readonly DaySpan[];
  withoutResult: readonly DaySpan[];
}

/** Counts what a proof shows, from its rows alone. */
export async function summarizeProof({ rows }: Pick<ProofDocument, "rows">): Promise<ProofSummary> {
  const total = createTally();
  const campaigns = rows.campaigns.map((campaign) => ({
    label: labelCampaign(campaign),
    tally: createTally(),
  }));
  const byCampaign = new Map(rows.campaigns.map((campaign, at) => [campaignOf(campaign), campaigns[at]]));
  const venues = rows.venues.map((venue) => ({
    label: String(venue.zone_name),
    venue,
    tally: createTally(),
  }));
  const byZone = new Map<unknown, typeof venues>();
  for (const venue of venues)
    byZone.set(venue.venue.zone_id, [...(byZone.get(venue.venue.zone_id) ?? []), venue]);
  const byDate = new Map<string, Tally>();
  const states = new Map<string, ReportValue | undefined>();
  const missed = new SpanList(["missed", "missed_offline"]);
  const withoutResult = new SpanList(["not_measurable", "pending", "closed"]);
  for await (const row of inTurns(rows.days)) {
    const date = String(row.date);
    const ofDate = byDate.get(date) ?? createTally();
    byDate.set(date, ofDate);
    const venue = byZone.get(row.zone_id)?.find((one) => isWithin(date, one.venue));
    for (const counted of [total, ofDate, byCampaign.get(campaignOf(row))?.tally, venue?.tally])
      if (counted) countDay(counted, row);
    states.set(dayOf(row), row.state);
    missed.add(row);
    withoutResult.add(row);
  }
  const assets = await countAssets(rows.plays, (row) => states.get(dayOf(row)) === "compliant");
  const count = (of: (asset: AssetCount) => number) => assets.reduce((sum, asset) => sum + of(asset), 0);
  return {
    total,
    campaigns,
    venues,
    days: [...byDate].sort().map(([label, counted]) => ({ label, tally: counted })),
    assets,
    plays: {
      shared: count(({ plays }) => plays) - total.exclusivePlays,
      seconds: count(({ playSeconds }) => playSeconds),
    },
    missed: missed.spans,
    withoutResult: withoutResult.spans,
  };
}

/** Returns true for a day on which the zone was at the location of the venue. */
function isWithin(date: ReportValue | undefined, { valid_from: from, valid_to: to }: ProofRow): boolean {
  return String(date) >= String(from ?? "") && String(date) <= String(to ?? lastDate);
}

/** `null` if no day counts. */
export function complianceOf({ ran, missed, missedOffline }: Tally): number | null {
  const counted = ran + missed + missedOffline;
  return counted === 0 ? null : ran / counted;
}

/** Share of the days that could be measured; `null` if none is due to be. */
export function coverageOf({ scheduled, pending, closed, notMeasurable }: Tally): number | null {
  const due = scheduled - pending - closed;
  return due === 0 ? null : 1 - notMeasurable / due;
}

function createTally(): Tally {
  return {
    ...{ scheduled: 0, assumed: 0, ran: 0, ranShared: 0, missed: 0, missedOffline: 0, closed: 0 },
    ...{ notMeasurable: 0, pending: 0, exclusivePlays: 0, sharedPlays: 0, pendingPlays: 0 },
    ...{ unscheduledDays: 0, unscheduledPlays: 0, due: null, met: null, metShared: 0 },
  };
}

const counterOf = {
  compliant: "ran",
  missed: "missed",
  missed_offline: "missedOffline",
  closed: "closed",
  not_measurable: "notMeasurable",
  pending: "pending",
  unscheduled: "unscheduledDays",
} as const satisfies Record<ComplianceState, keyof Tally>;

function countDay(counted: Tally, row: ProofRow): void {
  const state = row.state as ComplianceState;
  const [plays, exclusive] = [Number(row.candidate_plays), Number(row.exclusive_plays)];
  counted[counterOf[state]] += 1;
  if (state === "unscheduled") {
    counted.unscheduledPlays += plays;
    return;
  }
  counted.scheduled += 1;
  if (row.is_assumed === true) counted.assumed += 1;
  if (state === "pending") counted.pendingPlays += plays;
  if (state === "compliant") {
    if (exclusive === 0) counted.ranShared += 1;
    counted.exclusivePlays += exclusive;
    counted.sharedPlays += plays - exclusive;
  }
  if (row.due_times === null || (state !== "compliant" && state !== "missed")) return;
  counted.due = (counted.due ?? 0) + Number(row.due_times);
  counted.met = (counted.met ?? 0) + Number(row.met_times);
  if (exclusive < plays) counted.metShared += Number(row.met_times);
}

/** Counts the plays of each asset once, even if several campaigns can claim them: for one that ran, if any did. */
async function countAssets(
  plays: readonly ProofRow[],
  hasRan: (row: ProofRow) => boolean,
): Promise<AssetCount[]> {
  const assets = new Map<string, ReturnType<typeof createAsset>>();
  for await (const row of inTurns(plays)) {
    const key = `${row.kind} ${row.item_id}`;
    const asset = assets.get(key) ?? createAsset(row);
    assets.set(key, asset);
    const zoneDay = `${row.zone_id} ${row.date}`;
    const isRan = hasRan(row);
    const known = asset.zoneDays.get(zoneDay);
    if (known !== undefined && (known === "ran" || !isRan)) continue;
    const count = Number(row.candidate_plays);
    asset.pendingPlays += isRan ? -(known ?? 0) : count;
    asset.zoneDays.set(zoneDay, isRan ? "ran" : count);
    if (!isRan) continue;
    asset.plays += count;
    asset.playSeconds += Number(row.play_seconds);
    asset.zones.add(row.zone_id);
    asset.days.add(row.date);
  }
  return [...assets.values()]
    .map(({ zoneDays: _zoneDays, zones, days, ...asset }) => ({
      ...asset,
      zones: zones.size,
      days: days.size,
    }))
    .sort((a, b) => b.plays - a.plays || (a.label < b.label ? -1 : 1));
}

function createAsset(row: ProofRow) {
  return {
    label: `${row.item_name} (${row.kind} ${row.item_id})`,
    plays: 0,
    playSeconds: 0,
    pendingPlays: 0,
    zones: new Set<unknown>(),
    days: new Set<unknown>(),
    /** Plays of zone days on which no campaign ran so far. */
    zoneDays: new Map<string, number | "ran">(),
  };
}

/** Joins days in the order of their rows to spans. */
class SpanList {
  readonly spans: DaySpan[] = [];
  readonly #states: readonly ComplianceState[];
  #last: ProofRow = {};

  constructor(states: readonly ComplianceState[]) {
    this.#states = states;
  }

  add(row: ProofRow): void {
    const state = row.state as ComplianceState;
    if (!this.#states.includes(state)) return;
    const date = String(row.date);
    const span = this.spans.at(-1);
    const isSameSubject = this.#last.zone_id === row.zone_id && campaignOf(this.#last) === campaignOf(row);
    this.#last = row;
    if (span && isSameSubject && span.state === state && addDays(span.to, 1) === date) {
      span.to = date;
      span.days += 1;
      return;
    }
    const zone = `${row.zone_name} (${row.zone_id})`;
    this.spans.push({ campaign: labelCampaign(row), zone, state, from: date, to: date, days: 1 });
  }
}

function campaignOf({ kind, campaign_id: id }: ProofRow): string {
  return `${kind} ${id}`;
}

function dayOf(row: ProofRow): string {
  return `${campaignOf(row)} ${row.zone_id} ${row.date}`;
}

function labelCampaign(row: ProofRow): string {
  return `${row.campaign_name} (${campaignOf(row)})`;
}
