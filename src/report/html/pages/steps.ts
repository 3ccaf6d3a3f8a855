import { daysBetween } from "../../../util/local-date.ts";
import type { Period } from "../../report.ts";
import { type DataDays, type DayData, dayData } from "../../text/data-end.ts";
import { listSpans, sayPartSpans } from "../../text/spans.ts";

/** Rows of a heat map: beyond, nobody finds anything. */
export const shownRows = 40;

/** The columns of a heat map. */
export interface Steps {
  by: "date" | "week" | "month";
  /** In words, e.g. `day by day`. */
  text: string;
  dates: string[];
  data: DayData[];
  /** Which of them are only part of a week or month, in a sentence. */
  parts?: string;
}

/** Columns that one sees at a glance: days, of a longer period weeks, of a very long one months. */
export function stepsOf(period: Period, dataDays: DataDays | undefined): Steps {
  const days = daysBetween(period.from, period.to);
  if (days.length <= 62) {
    const data = days.map((date) => dayData(date, dataDays));
    return { by: "date", text: "day by day", dates: days, data };
  }
  const by = days.length <= 366 ? "week" : "month";
  const spans = listSpans(by, period, dataDays);
  const parts = sayPartSpans(by, spans);
  return {
    by,
    text: `${by} by ${by}`,
    dates: spans.map(({ name }) => name),
    data: spans.map(({ data }) => data),
    ...(parts !== undefined && { parts }),
  };
}
