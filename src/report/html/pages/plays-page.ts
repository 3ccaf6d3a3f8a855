import { addDays, daysBetween, earliest, latest } from "../../../util/local-date.ts";
import { createDrillDown } from "../../address/drill-down.ts";
import { describeMissingSources } from "../../findings/missing-sources.ts";
import { explainMissingHistory } from "../../findings/reported-days.ts";
import { reportStatement } from "../../options/report-statement.ts";
import { percentText } from "../../text/cell-text.ts";
import {
  changeText,
  countOf,
  countText,
  durationText,
  shortDay,
  shortSpan,
} from "../../text/readable-text.ts";
import {
  coveredPeriodText,
  datesText,
  dayData,
  describePartialSpans,
  explainMissingData,
  listSpans,
} from "../../text/spans.ts";
import type { PerDayChart, RankingChart } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { Fact, ReportPage } from "../report-page.ts";

type Rows = Awaited<ReturnType<PageSources["read"]>>;
type Day = PerDayChart["days"][number];

const shownItems = 10;

export async function describePlays({
  mart,
  options,
  asked,
  period,
  comparedWith,
  dataDays,
  read,
  link,
}: PageSources): Promise<ReportPage> {
  const days = daysBetween(period.from, period.to);
  const before = comparedWith ?? { from: addDays(period.from, -days.length), to: addDays(period.from, -1) };
  const [total = {}] = await read({});
  const [all] = await mart.all<{ zones: number }>("select count(*) as zones from dim_zone");
  // A partial period would look like a fall.
  const isComparable = dayData(before.from, dataDays) === "whole";
  const compared = isComparable
    ? { from: earliest(before.from, period.from), to: latest(before.to, period.to) }
    : period;
  const playedDays = await mart.all<Rows[number]>(
    ...reportStatement("plays_per_day", { ...options, period: compared }),
  );
  const perDay = new Map(playedDays.map(({ date, plays }) => [String(date), Number(plays)]));
  const songs = playedDays
    .filter(({ date }) => String(date) >= period.from && String(date) <= period.to)
    .reduce((sum, row) => sum + Number(row.songs), 0);
  const top = await mart.all<Rows[number]>(
    ...reportStatement("top_items", { ...options, period, top: shownItems }),
  );
  const plays = Number(total.plays ?? 0);
  const dayOf = (date: string): Day => {
    const data = dayData(date, dataDays);
    const value = data === "none" ? null : (perDay.get(date) ?? 0);
    return {
      date,
      value,
      data,
      href: value ? link(createDrillDown(asked, period, ["date"], { date })) : undefined,
    };
  };
  const hrefOf = (row: Rows[number]) => link(createDrillDown(asked, period, ["item"], row));
  const drawn = days.map(dayOf);
  const drawnBefore = isComparable
    ? daysBetween(before.from, before.to).slice(0, days.length).map(dayOf)
    : undefined;
  const change = drawnBefore && !comparedWith ? compare(drawn, drawnBefore) : undefined;
  const daysPlayed = days.filter((date) => (perDay.get(date) ?? 0) > 0).length;
  const isFiltered = [options.groupIds, options.zoneIds, options.locationIds].some((ids) => ids.length > 0);
  const ofAll = isFiltered ? "" : ` of ${countText(all?.zones ?? 0)}`;
  const unknown =
    (plays === 0 ? await explainMissingHistory(mart) : undefined) ??
    explainMissingData(period, dataDays) ??
    (plays === 0 ? await describeMissingSources(mart, options) : undefined);
  return {
    headline: unknown ?? headline(coveredPeriodText(period, dataDays), total, change),
    coverage: `plays from ${countText(Number(total.zones ?? 0))}${ofAll} ${(isFiltered ? Number(total.zones) : all?.zones) === 1 ? "zone" : "zones"}, on ${daysPlayed} of ${countOf(days.length, "day")}`,
    facts: unknown === undefined ? factsOf(total, songs, change) : [],
    charts:
      plays === 0
        ? []
        : [
            ...(await playsPerStep({ options, period, dataDays, read })),
            playsPerDay(drawn, drawnBefore, comparedWith && datesText(comparedWith, undefined)),
            ...(top.length > 0 ? [topItems(top, plays, hrefOf)] : []),
          ],
  };
}

/** Compares only pairs of days with complete data; `undefined` without any. */
function compare(days: readonly Day[], daysBefore: readonly Day[]): string | undefined {
  const pairs = days.flatMap((day, index) => {
    const before = daysBefore[index];
    return before && day.data === "whole" && before.data === "whole" ? [{ day, before }] : [];
  });
  const sum = (some: readonly Day[]) => some.reduce((total, { value }) => total + (value ?? 0), 0);
  const change = changeText(sum(pairs.map(({ day }) => day)), sum(pairs.map(({ before }) => before)));
  if (change === undefined) return undefined;
  if (days.length === 1) return `${change} in the day before`;
  return pairs.length === days.length
    ? `${change} in the ${days.length} days before`
    : `${change} on the same ${countOf(pairs.length, "day")} of the ${days.length} days before`;
}

function headline(when: string, total: Rows[number], change: string | undefined): string {
  const plays = Number(total.plays ?? 0);
  if (plays === 0) return `No plays ${when}.`;
  const [zones, items] = [Number(total.zones), Number(total.items)];
  const where = `${countOf(plays, "play")} of ${countOf(items, "different item")} in ${countOf(zones, "zone")} ${when}`;
  return change ? `${where}: ${change}.` : `${where}.`;
}

/** Leaves out facts that do not apply; `songs` are plays that may be short. */
function factsOf(total: Rows[number], songs: number, change: string | undefined): Fact[] {
  const [plays, measured, short] = [total.plays, total.measured_plays, total.short_plays].map((value) =>
    Number(value ?? 0),
  ) as [number, number, number];
  return [
    { figure: "plays", value: countText(plays), ...(change && { note: change }) },
    { figure: "play_seconds", value: durationText(Number(total.play_seconds ?? 0)) },
    ...(measured === 0
      ? []
      : [
          {
            figure: "complete_plays",
            value: countText(Number(total.complete_plays ?? 0)),
            note: `of ${countText(measured)} whose length is known`,
          },
        ]),
    ...(songs === 0
      ? []
      : [
          {
            figure: "short_plays",
            value: countText(short),
            note: `${percentText(short / songs)} of the songs played`,
          },
        ]),
  ];
}

function summarizeRange(days: readonly { date: string; value: number }[]): string {
  const [most] = days.toSorted((a, b) => b.value - a.value);
  const [least] = days.toSorted((a, b) => a.value - b.value);
  if (!least || !most || days.length === 1) return "";
  if (least.value === most.value) return `${countText(most.value)} on every complete day.`;
  return `Most on ${shortDay(most.date)} (${countText(most.value)}), least on ${shortDay(least.date)} (${countText(least.value)}).`;
}

function playsPerDay(
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
      : `${range} There is no complete previous period to compare with.`,
    unit: "plays",
    days,
    ...(daysBefore && { daysBefore, beforeName }),
  };
}

/** Returns a chart of the hours, weeks, months or quarters in `--by`. */
async function playsPerStep({
  options,
  period,
  dataDays,
  read,
}: Pick<PageSources, "options" | "period" | "dataDays" | "read">): Promise<PerDayChart[]> {
  const step = (["hour", "week", "month", "quarter"] as const).find((word) => options.by.includes(word));
  if (step === undefined) return [];
  const rows = await read({ by: [step] });
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
          name: shortSpan(date),
          value: data === "none" ? null : (values.get(date) ?? 0),
          data,
        }));
  const [most] = days.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const parts = step === "hour" ? undefined : describePartialSpans(step, spans);
  return [
    {
      kind: "per-day",
      title: step === "hour" ? "Plays per hour of the day" : `Plays per ${step}`,
      summary: `Most ${step === "hour" ? "from" : "in"} ${most?.name} (${countText(most?.value ?? 0)}).${parts === undefined ? "" : ` ${parts}`}`,
      unit: "plays",
      step,
      days,
    },
  ];
}

function topItems(
  rows: Rows,
  plays: number,
  hrefOf: (row: Rows[number]) => string | undefined,
): RankingChart {
  const shown = rows.reduce((sum, row) => sum + Number(row.plays), 0);
  const named = rows.map(({ item_name, kind }) => `${item_name} ${kind}`);
  // Songs often share a title.
  const alike = new Set(named.filter((name, index) => named.indexOf(name) !== index));
  return {
    kind: "ranking",
    title: "Most played",
    summary: `The ${countOf(rows.length, "item")} with the most plays: ${percentText(shown / plays)} of all plays.`,
    headings: ["item", "plays"],
    rows: rows.map((row) => ({
      label: `${row.item_name ?? "?"} (${alike.has(`${row.item_name} ${row.kind}`) ? `${row.kind} ${row.item_id}` : row.kind})`,
      value: Number(row.plays),
      text: countText(Number(row.plays)),
      href: hrefOf(row),
    })),
  };
}
