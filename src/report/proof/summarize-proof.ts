import { inTurns } from "../../util/in-turns.ts";
import { addDays, lastDate } from "../../util/local-date.ts";
import type { ComplianceState } from "../catalog/compliance-states.ts";
import type { ReportValue } from "../report.ts";
import type { ProofDocument } from "./build-proof.ts";
import { countDay, createTally, type Tally } from "./figures.ts";
import type { ProofRow } from "./proof-tables.ts";

/** Consecutive days of one campaign in one zone with the same state. */
interface DaySpan {
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

/** Plays of days that ran, one for each campaign that can claim it. */
interface AssetCount {
  plays: number;
  playSeconds: number;
}

export interface ProofSummary {
  total: Tally;
  /** E.g. `Autumn Menu (signage 2)`. */
  campaigns: readonly Counted[];
  venues: readonly (Counted & { venue: ProofRow })[];
  /** Every date with a row. */
  days: readonly Counted[];
  /** By label, e.g. `Autumn Spot (signage 7)`, most plays first. */
  assets: ReadonlyMap<string, AssetCount>;
  /** Scheduled days that did not run, by zone and date. */
  notRun: readonly DaySpan[];
}

/** Counts what a proof shows, from its rows alone. */
export async function summarizeProof({ rows }: Pick<ProofDocument, "rows">): Promise<ProofSummary> {
  const total = createTally();
  const campaigns = rows.campaigns.map((row) => ({ label: labelCampaign(row), tally: createTally() }));
  const byCampaign = new Map(rows.campaigns.map((campaign, at) => [campaignOf(campaign), campaigns[at]]));
  const venues = rows.venues.map((venue) => ({
    label: String(venue.zone_name),
    venue,
    tally: createTally(),
  }));
  const byZone = new Map<unknown, typeof venues>();
  for (const one of venues) byZone.set(one.venue.zone_id, [...(byZone.get(one.venue.zone_id) ?? []), one]);
  const byDate = new Map<string, Tally>();
  const states = new Map<string, ReportValue | undefined>();
  const notRun: DaySpan[] = [];
  let last: ProofRow = {};
  for await (const row of inTurns(rows.days)) {
    const date = String(row.date);
    const ofDate = byDate.get(date) ?? createTally();
    byDate.set(date, ofDate);
    const venue = byZone.get(row.zone_id)?.find((one) => isWithin(date, one.venue));
    for (const tally of [total, ofDate, byCampaign.get(campaignOf(row))?.tally, venue?.tally])
      if (tally) countDay(tally, row);
    states.set(dayOf(row), row.state);
    if (row.state !== "compliant" && row.state !== "unscheduled") {
      const span = notRun.at(-1);
      const isNext = last.state === row.state && dayOf(last) === dayOf({ ...row, date: addDays(date, -1) });
      if (span && isNext) {
        span.to = date;
        span.days += 1;
      } else notRun.push(beginSpan(row));
    }
    last = row;
  }
  return {
    total,
    campaigns,
    venues,
    days: [...byDate].sort().map(([label, tally]) => ({ label, tally })),
    assets: await countAssets(rows.plays, (row) => states.get(dayOf(row)) === "compliant"),
    notRun,
  };
}

/** Returns true for a day on which the zone was at the location of the venue. */
function isWithin(date: string, { valid_from: from, valid_to: to }: ProofRow): boolean {
  return date >= String(from ?? "") && date <= String(to ?? lastDate);
}

function beginSpan(row: ProofRow): DaySpan {
  const [date, zone] = [String(row.date), `${row.zone_name} (${row.zone_id})`];
  const state = row.state as ComplianceState;
  return { campaign: labelCampaign(row), zone, state, from: date, to: date, days: 1 };
}

async function countAssets(
  plays: readonly ProofRow[],
  hasRan: (row: ProofRow) => boolean,
): Promise<ProofSummary["assets"]> {
  const assets = new Map<string, AssetCount>();
  for await (const row of inTurns(plays)) {
    if (!hasRan(row)) continue;
    const label = `${row.item_name} (${row.kind} ${row.item_id})`;
    const { plays, playSeconds } = assets.get(label) ?? { plays: 0, playSeconds: 0 };
    assets.set(label, {
      plays: plays + Number(row.candidate_plays),
      playSeconds: playSeconds + Number(row.play_seconds),
    });
  }
  return new Map([...assets].sort(([a, one], [b, other]) => other.plays - one.plays || (a < b ? -1 : 1)));
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
