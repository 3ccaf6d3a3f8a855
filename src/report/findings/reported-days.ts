import { addDays } from "../../util/local-date.ts";
import { selectKinds } from "../catalog/chosen.ts";
import { sql, toStatement } from "../compile/sql.ts";
import { buildStatement, toListQuery } from "../options/build-statement.ts";
import { resolvePeriod } from "../options/period-option.ts";
import type { ReportOptions } from "../options/request-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report, ReportColumn, ReportValue } from "../result-types.ts";
import { formatCount, formatQuantity } from "../text/readable-text.ts";
import {
  type DataDays,
  describePartialSpans,
  formatSpanCoverage,
  getDayData,
  listSpans,
  type Span,
} from "../text/spans.ts";
import { getReportAsOf } from "./data-as-of.ts";

export interface ReportedDays
  extends Required<Pick<Report, "period">>,
    Pick<Report, "dataAsOf" | "dataDays"> {
  /** Last day of the default period. Absent for coming days. */
  lastDay?: string;
}

/**
 * Returns the requested dates or, by default, the last 28 days that the sources cover completely in every zone, even if
 * only some zones are requested.
 * @param now later days are reported only on request
 */
export async function getReportedDays(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<ReportedDays> {
  const dataAsOf = await getReportAsOf(mart, options);
  if (options.entry.isAhead) {
    const { resolveSchedulePeriod } = await import("../options/schedule-period.ts");
    return { period: resolveSchedulePeriod(mart, options, now), dataAsOf };
  }
  // A night belongs to the day on which it began, so this day is complete only when the night has ended.
  const overhangMs = await findOverhangMs(mart, options);
  const asOf = dataAsOf === null ? now : new Date(dataAsOf);
  const asOfNight = new Date(asOf.getTime() - overhangMs);
  const daysUpTo = await readClocks(mart, await listClocks(mart), [now, asOf, asOfNight]);
  const lastEndedDay = daysUpTo(now).wholeTo;
  if (dataAsOf === null)
    return { period: resolvePeriod(options, lastEndedDay), dataAsOf, lastDay: lastEndedDay };
  const dataDays = {
    from: await findFirstDay(mart, options),
    ...(await limitToFiles(
      mart,
      options,
      { wholeTo: daysUpTo(asOfNight).wholeTo, partTo: daysUpTo(asOf).partTo },
      overhangMs > 0,
    )),
  };
  const [lastDay = lastEndedDay] = [dataDays.wholeTo, lastEndedDay].sort();
  return { period: resolvePeriod(options, lastDay), dataAsOf, dataDays, lastDay };
}

/** Returns how far into the next day the last daypart extends, if rows are grouped by daypart. */
async function findOverhangMs(mart: PublishedMart, { by }: ReportOptions): Promise<number> {
  if (!by.includes("daypart")) return 0;
  const [last] = await mart.all<{ to_secs: number | null }>(
    "select max(to_secs) as to_secs from dim_daypart",
  );
  return Math.max(0, Number(last?.to_secs ?? 0) - 86_400) * 1000;
}

async function listClocks(mart: PublishedMart): Promise<ZoneClock[]> {
  const rows = await mart.all<{ time_zone: string | null; utc_offset_minutes: number | null }>(
    ...buildStatement("zone_offsets", {}),
  );
  return rows.map(({ time_zone: timeZone, utc_offset_minutes: utcOffsetMinutes }) => ({
    timeZone,
    utcOffsetMinutes,
  }));
}

/** Returns the first local date with data from the report's sources; empty without data. */
async function findFirstDay(mart: PublishedMart, options: ReportOptions): Promise<string> {
  const { dataOf = [] } = options.entry;
  const [row] = await mart.all<{ first: string | null }>(
    dataOf.includes("devices")
      ? "select min(date) as first from fact_device_day"
      : dataOf.includes("campaigns")
        ? "select min(date) as first from fact_campaign_zone_day"
        : "select min(first_play_date) as first from dim_zone",
  );
  return row?.first ?? "";
}

/**
 * Limits the days to those that history files cover. A file may have been written on the day of its last play, so it
 * does not cover later days.
 */
async function limitToFiles(
  mart: PublishedMart,
  options: ReportOptions,
  days: DaysUpTo,
  extendsPastMidnight: boolean,
): Promise<DaysUpTo> {
  const { dataOf = [] } = options.entry;
  if (!dataOf.includes("history") || dataOf.includes("devices")) return days;
  const { kinds } = options;
  const [played] = await mart.all<{ first_play_date: string | null; last_play_date: string | null }>(
    ...toStatement(sql`select min(d.date) as first_play_date, max(d.date) as last_play_date
from fact_freshness as f
inner join fact_play_zone_day as d on d.kind = f.kind
where f.source = 'file' and f.kind in (${selectKinds(toListQuery({ kinds }))})`),
  );
  const { first_play_date: first, last_play_date: last } = played ?? {};
  if (!first || !last || last > days.wholeTo) return days;
  const wholeTo = first < last ? addDays(last, extendsPastMidnight ? -2 : -1) : last;
  return { wholeTo, partTo: last };
}

const spanWords = ["week", "month", "quarter"] as const;

/** Marks days, weeks, months and quarters that the period or the data covers only in part, with notes. */
export function noteSpans(
  columns: readonly ReportColumn[],
  { period, dataDays }: ReportedDays,
): { columns: ReportColumn[]; notes: string[] } {
  const shown = spanWords.filter((word) => columns.some(({ name }) => name === word));
  const spans = Object.fromEntries(shown.map((word) => [word, listSpans(word, period, dataDays)]));
  return {
    columns: markSpans(columns, spans).map((column, position) =>
      column.name === "date"
        ? {
            ...column,
            mark: (row) => (getDayData(String(row[position]), dataDays) === "part" ? "part" : undefined),
          }
        : column,
    ),
    notes: shown.flatMap((word) => describePartialSpans(word, spans[word] ?? []) ?? []),
  };
}

/** Counts days with known uptime; `perDay` is uptime by date. */
export function countKnownDays(perDay: readonly Readonly<Record<string, ReportValue>>[]): number {
  return perDay.filter(({ availability }) => availability != null).length;
}

/** Returns a suffix with the number of monitored days; empty if that is all of them. */
export function formatKnownDays(known: number, days: number): string {
  return known < days ? ` (${formatCount(known)} of ${formatQuantity(days, "day")})` : "";
}

/**
 * Returns a note if no history was loaded, because "nothing played" would then be a guess. Customer tokens do not see
 * loads.
 */
export async function explainMissingHistory(mart: PublishedMart): Promise<string | undefined> {
  if (mart.isShared) return undefined;
  const [known] = await mart.all<{ loads: number; played: number }>(
    "select (select count(*) from fact_load) as loads, (select count(last_play_date) from dim_zone) as played",
  );
  return known?.loads === 0 && known.played === 0
    ? "No history has been loaded yet: `venue run` collects it, `venue load` loads it from files."
    : undefined;
}

function markSpans(
  columns: readonly ReportColumn[],
  spans: Readonly<Record<string, readonly Span[]>>,
): ReportColumn[] {
  return columns.map((column, position) => {
    const parts = spans[column.name]?.filter(({ data }) => data === "part") ?? [];
    if (parts.length === 0) return column;
    const marks = new Map(parts.map((span) => [span.name, formatSpanCoverage(span)]));
    return { ...column, mark: (row) => marks.get(String(row[position])) };
  });
}

export interface ZoneClock {
  /** IANA name, if configured. */
  timeZone: string | null;
  /** UTC offset of the zone's latest plays, positive to the east; used if no time zone is configured. */
  utcOffsetMinutes: number | null;
}

type DaysUpTo = Pick<DataDays, "wholeTo" | "partTo">;

/**
 * Reads the zones' clocks. The result maps an instant to the last local date that has ended in every zone (`wholeTo`),
 * and the last that has begun in any (`partTo`).
 */
export async function readClocks(
  mart: Pick<PublishedMart, "listLocalTimes">,
  clocks: readonly ZoneClock[],
  instants: readonly Date[],
): Promise<(instant: Date) => DaysUpTo> {
  const named = new Set(clocks.flatMap(({ timeZone }) => timeZone ?? []));
  const times = await mart.listLocalTimes([...named], instants);
  return (instant) => {
    const timeIn = times[instants.indexOf(instant)];
    const toTime = (offsetMinutes: number) =>
      new Date(instant.getTime() + offsetMinutes * 60_000).toISOString();
    const dates = clocks
      .map(({ timeZone, utcOffsetMinutes }) => timeIn?.get(timeZone ?? "") ?? toTime(utcOffsetMinutes ?? 0))
      .map((time) => time.slice(0, "YYYY-MM-DD".length))
      .sort();
    const utc = instant.toISOString().slice(0, "YYYY-MM-DD".length);
    return { wholeTo: addDays(dates[0] ?? utc, -1), partTo: dates.at(-1) ?? utc };
  };
}
