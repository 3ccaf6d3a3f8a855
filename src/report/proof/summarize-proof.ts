import { inTurns } from "../../util/in-turns.ts";
import { addDays, formatWeek, lastDate } from "../../util/local-date.ts";
import type { ComplianceState } from "../catalog/compliance-states.ts";
import { type FigureName, namedFigures } from "../catalog/proof-figures.ts";
import type { ReportValue } from "../result-types.ts";
import type { ProofDocument } from "./build-proof.ts";
import type { ProofRow } from "./proof-tables.ts";

/** Sums of the figures. */
export type Tally = Record<FigureName, number>;

/** Consecutive days of one campaign in one zone with the same state. */
interface DaySpan {
  campaign: string;
  zone: string;
  state: ComplianceState;
  from: string;
  to: string;
  days: number;
}

interface LabelledTally {
  label: string;
  tally: Tally;
}

/** Plays on days that ran, counted for each campaign that can claim them. */
interface AssetCount {
  plays: number;
  playSeconds: number;
}

export interface ProofSummary {
  total: Tally;
  /** E.g. `Autumn Menu (signage 2)`. */
  campaigns: readonly LabelledTally[];
  venues: readonly { venue: ProofRow; tally: Tally }[];
  /** Every date and week with a row. */
  days: readonly LabelledTally[];
  weeks: readonly LabelledTally[];
  /** By label, e.g. `Autumn Spot (signage 7)`, most plays first. */
  assets: ReadonlyMap<string, AssetCount>;
  /** Scheduled days that did not run, by zone and date. */
  notRun: readonly DaySpan[];
}

/** Computes the measures of a proof from its rows alone. */
export async function summarizeProof({ rows }: Pick<ProofDocument, "rows">): Promise<ProofSummary> {
  const tallies = new Map<unknown, Tally>();
  const tallyOf = (subject: unknown) => {
    const tally = tallies.get(subject) ?? createTally();
    tallies.set(subject, tally);
    return tally;
  };
  const byZone = new Map<unknown, ProofRow[]>();
  for (const venue of rows.venues) byZone.set(venue.zone_id, [...(byZone.get(venue.zone_id) ?? []), venue]);
  const states = new Map<string, ReportValue | undefined>();
  const [dates, weeks] = [new Set<string>(), new Set<string>()];
  const notRun: DaySpan[] = [];
  let last: ProofRow = {};
  for await (const row of inTurns(rows.days)) {
    const date = String(row.date);
    const week = formatWeek(date);
    dates.add(date);
    weeks.add(week);
    const venue = byZone.get(row.zone_id)?.find((one) => isWithin(date, one));
    for (const subject of ["total", date, week, campaignOf(row), venue]) countDay(tallyOf(subject), row);
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
    total: tallyOf("total"),
    campaigns: rows.campaigns.map((row) => ({ label: labelCampaign(row), tally: tallyOf(campaignOf(row)) })),
    venues: rows.venues.map((venue) => ({ venue, tally: tallyOf(venue) })),
    days: [...dates].sort().map((label) => ({ label, tally: tallyOf(label) })),
    weeks: [...weeks].sort().map((label) => ({ label, tally: tallyOf(label) })),
    assets: await countAssets(rows.plays, (row) => states.get(dayOf(row)) === "compliant"),
    notRun,
  };
}

function createTally(): Tally {
  return Object.fromEntries(namedFigures.map(([name]) => [name, 0])) as Tally;
}

function countDay(tally: Tally, row: ProofRow): void {
  for (const [name, { states, of = () => 1 }] of namedFigures)
    if (states.includes(row.state as ComplianceState)) tally[name] += of(row);
}

/** Lists the figures that a proof with these totals shows. */
export function listShownFigures(total: Tally) {
  return namedFigures.flatMap(([name, figure]) =>
    figure.isAlways || total[name] > 0 ? [{ name, ...figure }] : [],
  );
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
