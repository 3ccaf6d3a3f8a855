import { contentKinds } from "../../util/kind.ts";
import { compliance } from "../catalog/compliance.ts";
import { type ComplianceReason, complianceReasons } from "../catalog/compliance-states.ts";
import { scheduledDays } from "../catalog/scheduled-days.ts";
import { whole } from "../compile/sql.ts";
import { buildAggregate, buildStatement, type StatementOptions } from "../options/build-statement.ts";
import type { ReportOptions } from "../options/request-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period, Report, ReportRow, ReportValue } from "../result-types.ts";
import { formatClock, formatCount, formatPeriod, formatQuantity, joinWords } from "../text/readable-text.ts";
import { findEqualNames, nameCampaign, nameZone } from "./names.ts";

interface ScheduledDays {
  scheduled_days: number;
  /** Scheduled days whose schedule is assumed. */
  assumed_days: number;
  /** Assumed days whose schedule comes from the zone's groups. */
  group_days: number;
  /** Dates in UTC of the zones' earliest and latest first listing; `null` if no zone was listed separately. */
  first_listed: string | null;
  last_listed: string | null;
}

/** Returns notes on missing listings, content that never played, and rows that `--only` excludes. */
export async function noteCompliance(
  mart: PublishedMart,
  options: ReportOptions,
  period: Period,
): Promise<string[]> {
  // The note is about all rows.
  const { measures: _measures, ...filtered } = options;
  const [total] = await mart.all<ScheduledDays>(
    ...buildStatement(scheduledDays, { ...filtered, by: [], period }),
  );
  return [
    ...(await noteMissingCampaigns(mart)),
    ...noteAssumedSchedules(total),
    ...(await noteReasons(mart, { ...options, period })),
    ...(await noteNeverPlayed(mart, { ...options, period })),
    ...(await noteExcludedDays(mart, { ...options, period })),
  ];
}

const missedWords = [
  ["missed", "missed for other reasons"],
  ["missed_offline", "missed while the device was down"],
] as const;

/** Returns a note if `--only` selects just one of the two missed states, with the missed days of excluded rows. */
async function noteExcludedDays(mart: PublishedMart, inputs: StatementOptions): Promise<string[]> {
  const { onlyStates = [] } = inputs;
  const [left, ...others] = missedWords.filter(([state]) => !onlyStates.includes(state));
  const isByReason = onlyStates.some((one) => (complianceReasons as readonly string[]).includes(one));
  if (left === undefined || others.length > 0 || isByReason) return [];
  const [other, words] = left;
  const [sql, parameters] = buildStatement(compliance, {
    ...inputs,
    onlyStates: [other],
    measures: [other, ...onlyStates].map((state) => `${state}_days`),
  });
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

interface MissedReason {
  reason: string;
  days: number;
  campaign_key: number;
  zone_id: number;
}

const reasonPhrases: Readonly<Partial<Record<string, (verb: string) => string>>> = {
  device_down: () => "had the device down",
  not_due_while_open: (verb) => `${verb} not due while the zone was open`,
  zone_silent: () => "had no plays at all in the zone",
  kind_silent: () => "had no plays of the kind in the zone",
  other_content: () => "had other content playing",
} satisfies Partial<Record<ComplianceReason, (verb: string) => string>>;

/** Returns a note on why days were missed, with the campaign and zone that were most often not due while open. */
async function noteReasons(mart: PublishedMart, asked: StatementOptions): Promise<string[]> {
  const measures = ["missed_days", "missed_offline_days"];
  const onlyStates = ["missed", "missed_offline"] as const;
  const found = await mart.all<MissedReason & Record<string, ReportValue>>(
    ...buildAggregate(
      compliance,
      { ...asked, by: ["campaign", "zone", "reason"], onlyStates, measures },
      (rows) => `select * from (
        select r.*,
          cast(sum(missed_days + missed_offline_days) over (partition by reason) as bigint) as days,
          row_number() over (
            partition by reason order by missed_days + missed_offline_days desc, campaign_key, zone_id
          ) as place
        from ${rows}
      ) as ranked where place = 1 order by days desc, reason`,
    ),
  );
  const all = found.reduce((sum, { days }) => sum + Number(days), 0);
  if (all === 0) return [];
  const parts = found.map(async (row) => {
    const count = Number(row.days);
    const phrase = `${formatCount(count)} ${reasonPhrases[row.reason]?.(count === 1 ? "was" : "were")}`;
    if (row.reason !== "not_due_while_open") return phrase;
    const names = await findEqualNames(mart);
    const place = `${nameCampaign(row, names)} in ${nameZone(row, names)}`;
    return `${phrase} (mostly ${place}${await describeHours(mart, row.zone_id, asked.period)})`;
  });
  return [`Of ${formatQuantity(all, "missed zone day")}, ${joinWords(await Promise.all(parts), "and")}.`];
}

/** Returns the hours outside which a zone is never open. */
async function describeHours(mart: PublishedMart, zoneId: number, period?: Period): Promise<string> {
  if (!period) return "";
  const [hours] = await mart.all<{ opens_secs: number | null; closes_secs: number }>(
    `select min(opens_secs) as opens_secs, max(closes_secs) as closes_secs from fact_zone_hours
    where zone_id = ? and date between cast(? as date) and cast(? as date)`,
    [zoneId, period.from, period.to],
  );
  if (!hours || hours.opens_secs === null) return "";
  return `, open between ${formatClock(hours.opens_secs)} and ${formatClock(hours.closes_secs)}`;
}

interface NeverPlayed {
  kind: string;
  zone_id: number;
  zone_name: string;
  zones: number;
  never_days: number;
  all_missed_days: number;
}

/** Maximum zones listed in a note. */
const maxNamedZones = 3;

/**
 * Returns a note on zones with missed days of a kind that they have never played. Most of them have no device for it.
 * Omitted for customer tokens, which do not see all plays of a zone.
 */
async function noteNeverPlayed(mart: PublishedMart, asked: StatementOptions): Promise<string[]> {
  if (mart.isShared) return [];
  const rows = await mart.all<NeverPlayed & Record<string, string | number>>(
    ...buildStatement("never_played", asked, { most: whole(maxNamedZones) }),
  );
  return contentKinds.flatMap((kind) => {
    const named = rows.filter((row) => row.kind === kind);
    const [first] = named;
    if (!first) return [];
    const zones = Number(first.zones);
    const [have, it] = zones === 1 ? ["has", "it"] : ["have", "they"];
    const labels = named.map((zone) => `${zone.zone_id} (${zone.zone_name})`);
    const others = zones - named.length;
    const names = joinWords(others > 0 ? [...labels, `${formatCount(others)} more`] : labels, "and");
    return [
      `${formatQuantity(zones, "zone")} ${have} never played ${kind}, with ${formatCount(Number(first.never_days))} of ${formatQuantity(Number(first.all_missed_days), `missed ${kind} day`)}: ${names}. If ${it} cannot, list the kinds that ${it} can play in reference/zone_kinds.csv.`,
    ];
  });
}

async function noteMissingCampaigns(mart: PublishedMart): Promise<string[]> {
  if (mart.isShared) return [];
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
  if (!total) return [];
  const { first_listed: from, last_listed: to } = total;
  const scheduled = Number(total.scheduled_days);
  const ofGroups = Number(total.group_days);
  const early = Number(total.assumed_days) - ofGroups;
  const all = formatQuantity(scheduled, "scheduled zone day");
  const notes: string[] = [];
  if (early > 0 && from !== null && to !== null) {
    const part = early === scheduled ? "" : ` (${formatCount(early)} of ${all})`;
    const [zones, listing] =
      from === to ? ["", "that listing"] : [", depending on the zone", "the zone's first listing"];
    notes.push(
      `Campaigns were first listed ${formatPeriod({ from, to })}${zones}; for earlier days${part}, their schedule is taken from ${listing}.`,
    );
  }
  if (ofGroups > 0) {
    const part = ofGroups === scheduled ? `all ${all}` : `${formatCount(ofGroups)} of ${all}`;
    notes.push(
      `The schedule of ${part} is taken from the zones' groups, because these zones have no listing of their own.`,
    );
  }
  return notes;
}

/** Number of rows, and number of rows below the threshold or without a value. */
export interface ThresholdResult {
  rows: number;
  below: number;
}

/** Counts rows below a threshold as they stream. */
export function checkThreshold(
  report: Report,
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
