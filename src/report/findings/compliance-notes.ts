import { contentKinds } from "../../util/kind.ts";
import { buildStatement, type StatementOptions } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report, ReportRow } from "../report.ts";
import { formatCount, formatQuantity, joinWords } from "../text/readable-text.ts";

export interface ScheduledDays {
  scheduled_days: number;
  /** Scheduled days that rest on an assumed schedule. */
  assumed_days: number;
}

export async function noteCompliance(
  mart: PublishedMart,
  total: ScheduledDays | undefined,
): Promise<string[]> {
  return [...(await noteMissingCampaigns(mart)), ...noteAssumedSchedules(total)];
}

const missedWords = [
  ["missed", "missed for other reasons"],
  ["missed_offline", "missed while the device was down"],
] as const;

/** If `--only` names just one of the two states of missed days, counts missed days in the rows that it hides. */
export async function noteExcludedDays(mart: PublishedMart, inputs: StatementOptions): Promise<string[]> {
  const { onlyStates = [] } = inputs;
  const [left, ...others] = missedWords.filter(([state]) => !onlyStates.includes(state));
  if (left === undefined || others.length > 0) return [];
  const [other, words] = left;
  const [sql, parameters] = buildStatement("compliance", { ...inputs, onlyStates: [other] });
  const shown = onlyStates.map((state) => `r.${state}_days > 0`).join(" or ");
  const [found] = await mart.all<{ days: number }>(
    `select cast(coalesce(sum(r.${other}_days), 0) as bigint) as days from (\n${sql}\n) as r where not (${shown})`,
    parameters,
  );
  const days = Number(found?.days ?? 0);
  if (days === 0) return [];
  return [
    `--only ${onlyStates.join(",")} excludes ${formatQuantity(days, "zone day")} ${words}. Add ${other} to include ${days === 1 ? "it" : "them"}.`,
  ];
}

interface NeverPlayed {
  kind: string;
  zone_id: number;
  zone_name: string;
  days: number;
  all_missed_days: number;
}

/** Maximum zones that a note names. */
const namedZones = 3;

/** Names the zones with missed days of a kind that they have never played: most have no device for it. */
export async function noteNeverPlayed(mart: PublishedMart, asked: StatementOptions): Promise<string[]> {
  const rows = await mart.all<NeverPlayed & Record<string, string | number>>(
    ...buildStatement("never_played", asked),
  );
  return contentKinds.flatMap((kind) => {
    const zones = rows.filter((row) => row.kind === kind);
    const [first] = zones;
    if (!first) return [];
    const days = zones.reduce((sum, zone) => sum + Number(zone.days), 0);
    const [have, it] = zones.length === 1 ? ["has", "it"] : ["have", "they"];
    const names = joinWords(
      zones.map((zone) => `${zone.zone_id} (${zone.zone_name})`),
      "and",
      namedZones,
    );
    return [
      `${formatQuantity(zones.length, "zone")} ${have} never played ${kind}, with ${formatCount(days)} of ${formatQuantity(Number(first.all_missed_days), `missed ${kind} day`)}: ${names}. If ${it} cannot, list the kinds that ${it} can play in reference/zone_kinds.csv.`,
    ];
  });
}

async function noteMissingCampaigns(mart: PublishedMart): Promise<string[]> {
  const [known] = await mart.all<{ cells: number; listings: number }>(
    `select
      (select count(*) from fact_campaign_zone_day) as cells,
      (select count(*) from fact_snapshot where source = 'campaigns') as listings`,
  );
  if (known?.cells !== 0) return [];
  return known.listings === 0
    ? [
        "No campaign listing has been loaded yet, so nothing is scheduled. `venue run` collects campaign listings.",
      ]
    : ["According to the loaded listings, no campaign has been scheduled on any day yet."];
}

function noteAssumedSchedules(total: ScheduledDays | undefined): string[] {
  const { scheduled_days: scheduled, assumed_days: assumed } = total ?? {
    scheduled_days: 0,
    assumed_days: 0,
  };
  if (assumed === 0) return [];
  const days = formatQuantity(scheduled, "scheduled zone day");
  const part = assumed === scheduled ? `all ${days}` : `${formatCount(assumed)} of ${days}`;
  return [`The schedule of ${part} is assumed: it comes from the first listing of the zone or its group.`];
}

/** Rows that passed, and those below the threshold or without a value. */
export interface ThresholdResult {
  rows: number;
  below: number;
}

/** Counts rows below a threshold as they pass; drops chunks, whose values cannot be checked. */
export function checkThreshold(
  { chunks: _chunks, ...report }: Report,
  column: string,
  failUnder: number,
  onEnd: (result: ThresholdResult) => void,
): Report {
  const position = report.columns.findIndex(({ name }) => name === column);
  async function* rows(): AsyncIterableIterator<ReportRow> {
    const result = { rows: 0, below: 0 };
    for await (const row of report.rows) {
      const value = row[position] ?? null;
      result.rows += 1;
      if (value === null || Number(value) < failUnder) result.below += 1;
      yield row;
    }
    onEnd(result);
  }
  return { ...report, rows: rows() };
}
