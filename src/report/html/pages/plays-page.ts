import { reportStatement } from "../../options/report-statement.ts";
import type { Period } from "../../report.ts";
import { addDays, daysBetween } from "../../text/local-date.ts";
import {
  changeText,
  countOf,
  countText,
  durationText,
  periodText,
  shortDay,
} from "../../text/people-text.ts";
import type { PerDayChart, RankingChart } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { Fact, ReportPage } from "../report-page.ts";

type Rows = Awaited<ReturnType<PageSources["read"]>>;

const shownItems = 10;

/** What played: how much, day by day beside the period before, and what most. */
export async function describePlays({ mart, options, period, read }: PageSources): Promise<ReportPage> {
  const days = daysBetween(period.from, period.to);
  const before = { from: addDays(period.from, -days.length), to: addDays(period.from, -1) };
  const [total = {}] = await read({});
  const [span] = await mart.all<{ first: string | null; zones: number }>(
    "select min(first_play_date) as first, count(*) as zones from dim_zone",
  );
  // Half a period would look like a fall.
  const isComparable = span?.first != null && span.first <= before.from;
  const compared = isComparable ? { ...period, from: before.from } : period;
  const perDay = valuesOf(
    await mart.all(...reportStatement("plays_per_day", { ...options, period: compared })),
  );
  const top = await mart.all<Rows[number]>(
    ...reportStatement("top_items", { ...options, period, top: shownItems }),
  );
  const plays = Number(total.plays ?? 0);
  const daysBefore = isComparable ? daysBetween(before.from, before.to) : undefined;
  const change = daysBefore && changeText(plays, sumOf(perDay, daysBefore));
  const length = days.length === 1 ? "the day before" : `the ${days.length} days before`;
  const daysPlayed = days.filter((date) => (perDay.get(date) ?? 0) > 0).length;
  const isFiltered = [options.groupIds, options.zoneIds, options.locationIds].some((ids) => ids.length > 0);
  const ofAll = isFiltered ? "" : ` of ${countText(span?.zones ?? 0)}`;
  return {
    headline: headline(period, total, change && `${change} in ${length}`),
    coverage: `plays from ${countText(Number(total.zones ?? 0))}${ofAll} ${isFiltered || span?.zones !== 1 ? "zones" : "zone"}, on ${daysPlayed} of ${countOf(days.length, "day")}`,
    facts: factsOf(total, change && `${change} in ${length}`),
    charts:
      plays === 0
        ? []
        : [playsPerDay(perDay, days, daysBefore), ...(top.length > 0 ? [topItems(top, plays)] : [])],
  };
}

function headline(period: Period, total: Rows[number], change: string | undefined): string {
  const plays = Number(total.plays ?? 0);
  if (plays === 0) return `Nothing played ${periodText(period)}.`;
  const [zones, items] = [Number(total.zones), Number(total.items)];
  const where = `${countOf(plays, "play")} of ${countOf(items, "different item")} in ${countOf(zones, "zone")} ${periodText(period)}`;
  return change ? `${where}: ${change}.` : `${where}.`;
}

function factsOf(total: Rows[number], change: string | undefined): Fact[] {
  const [plays, measured] = [Number(total.plays ?? 0), Number(total.measured_plays ?? 0)];
  const ofPlays = (value: number) =>
    plays > 0 ? `${((value / plays) * 100).toFixed(1)} % of all plays` : "";
  return [
    { figure: "plays", value: countText(plays), ...(change && { note: change }) },
    { figure: "play_seconds", value: durationText(Number(total.play_seconds ?? 0)) },
    {
      figure: "complete_plays",
      value: countText(Number(total.complete_plays ?? 0)),
      note: `of ${countText(measured)} whose length is known`,
    },
    {
      figure: "short_plays",
      value: countText(Number(total.short_plays ?? 0)),
      note: ofPlays(Number(total.short_plays ?? 0)),
    },
  ];
}

function playsPerDay(
  perDay: ReadonlyMap<string, number>,
  dates: readonly string[],
  datesBefore: readonly string[] | undefined,
): PerDayChart {
  const dayOf = (date: string) => ({ date, value: perDay.get(date) ?? 0 });
  const days = dates.map(dayOf);
  const [most] = [...days].sort((a, b) => b.value - a.value);
  const [least] = [...days].sort((a, b) => a.value - b.value);
  const range =
    most && least && days.length > 1
      ? `Most on ${shortDay(most.date)} (${countText(most.value)}), least on ${shortDay(least.date)} (${countText(least.value)}).`
      : "";
  return {
    kind: "per-day",
    title: "Plays per day",
    summary: datesBefore
      ? `${range} The dashed line is the period before, day by day.`
      : `${range} There is no whole period before to compare with.`,
    unit: "plays",
    days,
    ...(datesBefore && { daysBefore: datesBefore.map(dayOf) }),
  };
}

function topItems(rows: Rows, plays: number): RankingChart {
  const shown = rows.reduce((sum, row) => sum + Number(row.plays), 0);
  return {
    kind: "ranking",
    title: "What played most",
    summary: `The ${countOf(rows.length, "item")} with the most plays: ${((shown / plays) * 100).toFixed(1)} % of all plays.`,
    headings: ["item", "plays"],
    rows: rows.map(({ item_name, kind, plays: value }) => ({
      label: `${item_name ?? "?"} (${kind})`,
      value: Number(value),
      text: countText(Number(value)),
    })),
  };
}

function valuesOf(rows: Rows): Map<string, number> {
  return new Map(rows.map(({ date, plays }) => [String(date), Number(plays)]));
}

function sumOf(perDay: ReadonlyMap<string, number>, dates: readonly string[]): number {
  return dates.reduce((sum, date) => sum + (perDay.get(date) ?? 0), 0);
}
