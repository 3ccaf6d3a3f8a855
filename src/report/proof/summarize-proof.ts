import { addDays } from "../../util/local-date.ts";
import type { ComplianceState } from "../compliance-states.ts";
import type { ProofDocument } from "./build-proof.ts";
import type { ProofRow, ProofRows } from "./proof-tables.ts";

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
export function summarizeProof({ rows }: Pick<ProofDocument, "rows">): ProofSummary {
  const { campaigns, venues, days } = rows;
  const byCampaign = groupRows(days, campaignOf);
  const byZone = groupRows(days, ({ zone_id: zone }) => String(zone));
  const byDate = groupRows(days, ({ date }) => String(date));
  const total = tally(days);
  const assets = countAssets(rows);
  const count = (of: (asset: AssetCount) => number) => assets.reduce((sum, asset) => sum + of(asset), 0);
  return {
    total,
    campaigns: campaigns.map((campaign) => ({
      label: labelCampaign(campaign),
      tally: tally(byCampaign.get(campaignOf(campaign)) ?? []),
    })),
    venues: venues.map((venue) => ({
      label: String(venue.zone_name),
      venue,
      tally: tally(byZone.get(String(venue.zone_id)) ?? []),
    })),
    days: [...byDate].sort().map(([label, ofDay]) => ({ label, tally: tally(ofDay) })),
    assets,
    plays: {
      shared: count(({ plays }) => plays) - total.exclusivePlays,
      seconds: count(({ playSeconds }) => playSeconds),
    },
    missed: listSpans(days, ["missed", "missed_offline"]),
    withoutResult: listSpans(days, ["not_measurable", "pending", "closed"]),
  };
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

export function tally(days: readonly ProofRow[]): Tally {
  const inState = (...states: ComplianceState[]) =>
    days.filter(({ state }) => states.includes(state as ComplianceState));
  const scheduled = days.filter(({ state }) => state !== "unscheduled");
  const ran = inState("compliant");
  const timed = inState("compliant", "missed").filter(({ due_times: due }) => due !== null);
  const exclusivePlays = sum(ran, "exclusive_plays");
  return {
    scheduled: scheduled.length,
    assumed: scheduled.filter((row) => row.is_assumed === true).length,
    ran: ran.length,
    ranShared: ran.filter((row) => Number(row.exclusive_plays) === 0).length,
    missed: inState("missed").length,
    missedOffline: inState("missed_offline").length,
    closed: inState("closed").length,
    notMeasurable: inState("not_measurable").length,
    pending: inState("pending").length,
    exclusivePlays,
    sharedPlays: sum(ran, "candidate_plays") - exclusivePlays,
    pendingPlays: sum(inState("pending"), "candidate_plays"),
    unscheduledDays: days.length - scheduled.length,
    unscheduledPlays: sum(inState("unscheduled"), "candidate_plays"),
    due: timed.length === 0 ? null : sum(timed, "due_times"),
    met: timed.length === 0 ? null : sum(timed, "met_times"),
    metShared: sum(
      timed.filter((row) => Number(row.exclusive_plays) < Number(row.candidate_plays)),
      "met_times",
    ),
  };
}

/** Counts the plays of each asset once, even if several campaigns can claim them. */
function countAssets({ days, plays }: ProofRows): AssetCount[] {
  const states = new Map(days.map((row) => [dayOf(row), row.state]));
  return [...groupRows(plays, ({ kind, item_id: item }) => `${kind} ${item}`).values()]
    .map((ofAsset) => {
      const zoneDayOf = ({ zone_id: zone, date }: ProofRow) => `${zone} ${date}`;
      const isRan = (row: ProofRow) => states.get(dayOf(row)) === "compliant";
      // Rows of campaigns that ran come first.
      const ordered = [...ofAsset].sort((a, b) => Number(isRan(b)) - Number(isRan(a)));
      const zoneDays = [...groupRows(ordered, zoneDayOf).values()].map(([row = {}]) => row);
      const ran = zoneDays.filter(isRan);
      const [first = {}] = ofAsset;
      return {
        label: `${first.item_name} (${first.kind} ${first.item_id})`,
        plays: sum(ran, "candidate_plays"),
        playSeconds: sum(ran, "play_seconds"),
        pendingPlays: sum(zoneDays, "candidate_plays") - sum(ran, "candidate_plays"),
        zones: new Set(ran.map(({ zone_id: zone }) => zone)).size,
        days: new Set(ran.map(({ date }) => date)).size,
      };
    })
    .sort((a, b) => b.plays - a.plays || (a.label < b.label ? -1 : 1));
}

function listSpans(days: readonly ProofRow[], states: readonly ComplianceState[]): DaySpan[] {
  const spans: DaySpan[] = [];
  let last: ProofRow = {};
  for (const row of days) {
    if (!states.includes(row.state as ComplianceState)) continue;
    const date = String(row.date);
    const span = spans.at(-1);
    const isSameSubject = last.zone_id === row.zone_id && campaignOf(last) === campaignOf(row);
    if (span && isSameSubject && span.state === row.state && addDays(span.to, 1) === date) {
      span.to = date;
      span.days += 1;
    } else {
      spans.push({
        campaign: labelCampaign(row),
        zone: `${row.zone_name} (${row.zone_id})`,
        state: row.state as ComplianceState,
        from: date,
        to: date,
        days: 1,
      });
    }
    last = row;
  }
  return spans;
}

export function groupRows(
  rows: readonly ProofRow[],
  keyOf: (row: ProofRow) => string,
): Map<string, ProofRow[]> {
  const groups = new Map<string, ProofRow[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
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

function sum(rows: readonly ProofRow[], column: string): number {
  return rows.reduce((total, row) => total + Number(row[column] ?? 0), 0);
}
