import { addDays, earliest, latest, listDaysBetween } from "../../../util/local-date.ts";
import { createDrillDown } from "../../address/drill-down.ts";
import { describeMissingSources } from "../../findings/missing-sources.ts";
import { explainMissingHistory } from "../../findings/reported-days.ts";
import { buildStatement } from "../../options/report-statement.ts";
import { formatPercent } from "../../text/cell-text.ts";
import {
  compareCounts,
  formatCount,
  formatDuration,
  formatQuantity,
  formatShortDay,
  formatShortSpan,
} from "../../text/readable-text.ts";
import {
  describePartialSpans,
  explainMissingData,
  formatCoveredPeriod,
  formatDates,
  getDayData,
  listSpans,
} from "../../text/spans.ts";
import type { PerDayChart, RankingChart } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { Fact, ReportPage } from "../report-page.ts";
import { drawAttributeRankings } from "./attribute-rankings.ts";
import { describeCampaignPlays } from "./campaign-plays-page.ts";
import { drawZoneMap } from "./zone-map.ts";

type Rows = Awaited<ReturnType<PageSources["read"]>>;
type Day = PerDayChart["days"][number];

const maxItems = 10;

export async function describePlays(sources: PageSources): Promise<ReportPage> {
  const { mart, options, request, period, comparedWith, dataDays, read, link } = sources;
  if (options.by.includes("campaign")) return await describeCampaignPlays(sources);
  const days = listDaysBetween(period.from, period.to);
  const before = comparedWith ?? { from: addDays(period.from, -days.length), to: addDays(period.from, -1) };
  const [total = {}] = await read({});
  const [all] = await mart.all<{ zones: number }>("select count(*) as zones from dim_zone");
  // A previous period with partial data is not compared, because its low count would be misleading.
  const isComparable = getDayData(before.from, dataDays) === "whole";
  const compared = isComparable
    ? { from: earliest(before.from, period.from), to: latest(before.to, period.to) }
    : period;
  const { top: _top, per: _per, ...ofAllRows } = options;
  const asked = { ...ofAllRows, period, measures: ["plays"] };
  const playedDays = await mart.all<Rows[number]>(
    ...buildStatement("plays", { ...asked, period: compared, by: ["date"] }),
  );
  const perDay = new Map(playedDays.map(({ date, plays }) => [String(date), Number(plays)]));
  const kinds = await mart.all<Rows[number]>(...buildStatement("plays", { ...asked, by: ["kind"] }));
  const songs = Number(kinds.find(({ kind }) => kind === "music")?.plays ?? 0);
  const top = await mart.all<Rows[number]>(
    ...buildStatement("plays", { ...asked, by: ["item"], top: maxItems }),
  );
  const plays = Number(total.plays ?? 0);
  const createDay = (date: string): Day => {
    const data = getDayData(date, dataDays);
    const value = data === "none" ? null : (perDay.get(date) ?? 0);
    return {
      date,
      value,
      data,
      href: value ? link(createDrillDown(request, period, ["date"], { date })) : undefined,
    };
  };
  const hrefOf = (row: Rows[number]) => link(createDrillDown(request, period, ["item"], row));
  const drawn = days.map(createDay);
  const drawnBefore = isComparable
    ? listDaysBetween(before.from, before.to).slice(0, days.length).map(createDay)
    : undefined;
  const change = drawnBefore && !comparedWith ? comparePlays(drawn, drawnBefore) : undefined;
  const daysPlayed = days.filter((date) => (perDay.get(date) ?? 0) > 0).length;
  const isFiltered =
    [options.groupIds, options.zoneIds, options.locationIds].some((ids) => ids.length > 0) ||
    options.attributes.some(({ subject, values }) => subject === "zone" && values.length > 0);
  const ofAllZones = isFiltered ? "" : ` of ${formatCount(all?.zones ?? 0)}`;
  const unknown =
    (plays === 0 ? await explainMissingHistory(mart) : undefined) ??
    explainMissingData(period, dataDays) ??
    (plays === 0 ? await describeMissingSources(mart, options) : undefined);
  return {
    headline: unknown ?? summarizePlays(formatCoveredPeriod(period, dataDays), total, change),
    coverage: `plays from ${formatCount(Number(total.zones ?? 0))}${ofAllZones} ${(isFiltered ? Number(total.zones) : all?.zones) === 1 ? "zone" : "zones"}, on ${daysPlayed} of ${formatQuantity(days.length, "day")}`,
    facts: unknown === undefined ? listFacts(total, songs, change) : [],
    charts:
      plays === 0
        ? []
        : [
            ...(await drawAttributeRankings(sources, {
              title: "Plays",
              amountOf: (row) => Number(row.plays),
              textOf: (row) => formatCount(Number(row.plays)),
            })),
            ...(await drawPlaysPerStep({ options, period, dataDays, read })),
            drawPlaysPerDay(drawn, drawnBefore, comparedWith && formatDates(comparedWith, undefined)),
            ...(await drawZoneMap(sources, {
              title: "Map of plays",
              figure: "plays",
              amount: "r.plays",
              textOf: (count) => formatQuantity(count, "play"),
            })),
            ...(top.length > 0 ? [drawTopItems(top, plays, hrefOf)] : []),
          ],
  };
}

/** Compares plays on pairs of days with complete data; `undefined` if there are no such pairs. */
function comparePlays(days: readonly Day[], daysBefore: readonly Day[]): string | undefined {
  const pairs = days.flatMap((day, index) => {
    const before = daysBefore[index];
    return before && day.data === "whole" && before.data === "whole" ? [{ day, before }] : [];
  });
  const sum = (some: readonly Day[]) => some.reduce((total, { value }) => total + (value ?? 0), 0);
  const change = compareCounts(sum(pairs.map(({ day }) => day)), sum(pairs.map(({ before }) => before)));
  if (change === undefined) return undefined;
  if (days.length === 1) return `${change} on the previous day`;
  return pairs.length === days.length
    ? `${change} on the previous ${days.length} days`
    : `${change} on the previous ${days.length} days (${formatQuantity(pairs.length, "day")} compared)`;
}

function summarizePlays(when: string, total: Rows[number], change: string | undefined): string {
  const plays = Number(total.plays ?? 0);
  if (plays === 0) return `No plays ${when}.`;
  const [zones, items] = [Number(total.zones), Number(total.items)];
  const where = `${formatQuantity(plays, "play")} of ${formatQuantity(items, "different item")} in ${formatQuantity(zones, "zone")} ${when}`;
  return change ? `${where}: ${change}.` : `${where}.`;
}

/**
 * Leaves out facts that do not apply.
 * @param songs plays of music, the only plays that can count as short
 */
function listFacts(total: Rows[number], songs: number, change: string | undefined): Fact[] {
  const [plays, measured, short] = [total.plays, total.measured_plays, total.short_plays].map((value) =>
    Number(value ?? 0),
  ) as [number, number, number];
  return [
    { figure: "plays", value: formatCount(plays), ...(change && { note: change }) },
    { figure: "play_seconds", value: formatDuration(Number(total.play_seconds ?? 0)) },
    ...(measured === 0
      ? []
      : [
          {
            figure: "complete_plays",
            value: formatCount(Number(total.complete_plays ?? 0)),
            note: `of ${formatCount(measured)} with a known length`,
          },
        ]),
    ...(songs === 0
      ? []
      : [
          {
            figure: "short_plays",
            value: formatCount(short),
            note: `${formatPercent(short / songs)} of song plays`,
          },
        ]),
  ];
}

function summarizeRange(days: readonly { date: string; value: number }[]): string {
  const [most] = days.toSorted((a, b) => b.value - a.value);
  const [least] = days.toSorted((a, b) => a.value - b.value);
  if (!least || !most || days.length === 1) return "";
  if (least.value === most.value) return `${formatCount(most.value)} on every complete day.`;
  return `Busiest day: ${formatShortDay(most.date)} (${formatCount(most.value)}); quietest: ${formatShortDay(least.date)} (${formatCount(least.value)}).`;
}

function drawPlaysPerDay(
  days: readonly Day[],
  daysBefore: readonly Day[] | undefined,
  beforeName = "the previous period",
): PerDayChart {
  const whole = days.flatMap(({ date, value, data }) =>
    value !== null && data === "whole" ? [{ date, value }] : [],
  );
  const range = summarizeRange(whole);
  return {
    kind: "per-day",
    title: "Plays per day",
    summary: daysBefore
      ? `${range} The dashed line shows ${beforeName}, day by day.`
      : `${range} No complete previous period to compare with.`,
    unit: "plays",
    days,
    ...(daysBefore && { daysBefore, beforeName }),
  };
}

/** Returns a chart of the hours, weeks, months or quarters in `--by`. */
async function drawPlaysPerStep({
  options,
  period,
  dataDays,
  read,
}: Pick<PageSources, "options" | "period" | "dataDays" | "read">): Promise<PerDayChart[]> {
  const step = (["hour", "week", "month", "quarter"] as const).find((word) => options.by.includes(word));
  if (step === undefined) return [];
  const rows = await read({ by: [step], measures: ["plays"] });
  const values = new Map(rows.map((row) => [String(row[step]), Number(row.plays)]));
  const spans = step === "hour" ? [] : listSpans(step, period, dataDays);
  const days: Day[] =
    step === "hour"
      ? Array.from({ length: 24 }, (_, hour) => String(hour)).map((date) => ({
          date,
          name: `${date}:00`,
          value: values.get(date) ?? 0,
        }))
      : spans.map(({ name: date, data }) => ({
          date,
          name: formatShortSpan(date),
          value: data === "none" ? null : (values.get(date) ?? 0),
          data,
        }));
  const [most] = days.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const parts = step === "hour" ? undefined : describePartialSpans(step, spans);
  return [
    {
      kind: "per-day",
      title: step === "hour" ? "Plays per hour of the day" : `Plays per ${step}`,
      summary: `Busiest ${step}: ${most?.name} (${formatCount(most?.value ?? 0)}).${parts === undefined ? "" : ` ${parts}`}`,
      unit: "plays",
      step,
      days,
    },
  ];
}

function drawTopItems(
  rows: Rows,
  plays: number,
  hrefOf: (row: Rows[number]) => string | undefined,
): RankingChart {
  const shown = rows.reduce((sum, row) => sum + Number(row.plays), 0);
  const names = rows.map(({ item_name, kind }) => `${item_name} ${kind}`);
  // Titles shared by several songs are labelled with the item's id.
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return {
    kind: "ranking",
    title: "Most played",
    summary: `The ${formatQuantity(rows.length, "item")} with the most plays: ${formatPercent(shown / plays)} of all plays.`,
    headings: ["item", "plays"],
    rows: rows.map((row) => ({
      label: `${row.item_name ?? "?"} (${repeated.has(`${row.item_name} ${row.kind}`) ? `${row.kind} ${row.item_id}` : row.kind})`,
      value: Number(row.plays),
      text: formatCount(Number(row.plays)),
      href: hrefOf(row),
    })),
  };
}
