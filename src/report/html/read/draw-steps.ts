import { listDaysBetween } from "../../../util/local-date.ts";
import { createDrillDown } from "../../address/drill-down.ts";
import type { Period } from "../../result-types.ts";
import { formatPercent } from "../../text/cell-text.ts";
import { formatCount, formatQuantity, formatShortDay, formatShortSpan } from "../../text/readable-text.ts";
import { describePartialSpans, getDayData, listSpans } from "../../text/spans.ts";
import type { PerDayChart } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReadCharts } from "../report-page.ts";

export type Step = "date" | "hour" | "week" | "month" | "quarter";
export type DrawnDay = PerDayChart["days"][number];

interface Steps {
  title: string;
  measure: string;
  /** Counted things, e.g. `plays`. */
  unit: string;
  step: Step;
  /** Introduces the summary. */
  note?: string;
}

/** Draws a count per hour, day, week, month or quarter; nothing if all are 0. */
export function countPerStep({ title, measure, unit, step, note }: Steps): ReadCharts {
  return async (page) => {
    const { days, parts } = await readSteps(page, { measure, step });
    if (days.every(({ value }) => !value)) return [];
    const summary = [note, summarizeRange(days, step), parts].filter(Boolean).join(" ");
    return [{ kind: "per-day", title, summary, unit, ...(step !== "date" && { step }), days }];
  };
}

/** Returns a count per step, in order; 0 for a step without rows, and `null` without data. */
async function readSteps(
  page: PageSources,
  { measure, step }: Pick<Steps, "measure" | "step">,
): Promise<{ days: DrawnDay[]; parts?: string | undefined }> {
  const { period, dataDays } = page;
  if (step === "date") return { days: await readDays(page, measure) };
  const rows = await page.read({ by: [step], measures: [measure] });
  const values = new Map(rows.map((row) => [String(row[step]), Number(row[measure])]));
  if (step === "hour") {
    const hours = Array.from({ length: 24 }, (_, hour) => String(hour));
    return { days: hours.map((date) => ({ date, name: `${date}:00`, value: values.get(date) ?? 0 })) };
  }
  const spans = listSpans(step, period, dataDays);
  return {
    days: spans.map(({ name: date, data }) => ({
      ...{ date, name: formatShortSpan(date), data },
      value: data === "none" ? null : (values.get(date) ?? 0),
    })),
    parts: describePartialSpans(step, spans),
  };
}

/** Returns a count per day of a period, linked to the day. */
export async function readDays(
  page: PageSources,
  measure: string,
  period = page.period,
): Promise<DrawnDay[]> {
  const { request, link } = page;
  const rows = await page.read({ by: ["date"], measures: [measure] }, period);
  const values = new Map(rows.map((row) => [String(row.date), Number(row[measure])]));
  return listDays(page, period, values).map((day) => ({
    ...day,
    href: day.value ? link(createDrillDown(request, page.period, ["date"], { date: day.date })) : undefined,
  }));
}

/**
 * Lists the days of a period with their values.
 * @param without value of a day that has data but no row
 */
export function listDays(
  { dataDays }: PageSources,
  { from, to }: Period,
  values: ReadonlyMap<string, number | null>,
  without: number | null = 0,
): DrawnDay[] {
  return listDaysBetween(from, to).map((date) => {
    const data = getDayData(date, dataDays);
    return { date, value: values.get(date) ?? (data === "none" ? null : without), data };
  });
}

/** Describes the steps with the largest and smallest values among those with complete data. */
export function summarizeRange(days: readonly DrawnDay[], step: Step = "date"): string {
  const known = days.flatMap(({ value, ...day }) => (value === null ? [] : [{ ...day, value }]));
  const complete = known.filter(({ data = "whole" }) => data === "whole");
  const ranked = (complete.length > 0 ? complete : known).toSorted((a, b) => b.value - a.value);
  const [most] = ranked;
  const [least] = ranked.toSorted((a, b) => a.value - b.value || (a.date < b.date ? -1 : 1));
  if (!most || !least) return "";
  const noun = step === "date" ? "day" : step;
  const describe = ({ name, date, value }: (typeof ranked)[number]) =>
    `${name ?? formatShortDay(date)} (${formatCount(value)})`;
  if (most.value > least.value) return `Busiest ${noun}: ${describe(most)}; quietest: ${describe(least)}.`;
  return ranked.length === 1
    ? `Busiest ${noun}: ${describe(most)}.`
    : `${formatCount(most.value)} every complete ${noun}.`;
}

/** Draws a ratio per day, with the number of days below a target; nothing if no ratio is known. */
export function createShareChart(
  { title, unit, target }: { title: string; unit: string; target: number | undefined },
  days: readonly DrawnDay[],
): PerDayChart[] {
  const known = days.flatMap(({ date, value }) => (value === null ? [] : [{ date, value }]));
  const [lowest] = known.toSorted((a, b) => a.value - b.value);
  if (lowest === undefined) return [];
  const unknown = days.filter(({ value, data }) => value === null && data !== "none").length;
  const below = known.filter(({ value }) => value < (target ?? 0)).length;
  const first =
    target === undefined
      ? `Lowest on ${formatShortDay(lowest.date)}, ${formatPercent(lowest.value)}`
      : `Below the target of ${formatPercent(target)} on ${below} of ${formatQuantity(known.length, "monitored day")}`;
  const summary = `${first}${unknown === 0 ? "" : `; unknown on ${formatQuantity(unknown, "day")}`}.`;
  return [
    { kind: "per-day", title, summary, unit, days, isShare: true, ...(target !== undefined && { target }) },
  ];
}
