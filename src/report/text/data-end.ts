import { dayInYear, dayText, periodText } from "./people-text.ts";

/** How far the data of a report's sources goes. Local dates, `YYYY-MM-DD`. */
export interface DataDays {
  /** The last that it covers whole, in every zone. */
  wholeTo: string;
  /** The last of which it has anything. */
  partTo: string;
}

/** Local dates, both inclusive. */
interface Dates {
  from: string;
  to: string;
}

/** Of a local date: whether the data covers it whole, in part, or not at all. */
export type DayData = "whole" | "part" | "none";

/** @param days `undefined` where nobody knows how far the data goes: then all of it counts */
export function dayData(date: string, days: DataDays | undefined): DayData {
  if (days === undefined || date <= days.wholeTo) return "whole";
  return date <= days.partTo ? "part" : "none";
}

/** For a heading: the dates, and where the data ends if that is before they do. */
export function datesText(period: Dates, days: DataDays | undefined): string {
  const dates = period.from === period.to ? period.from : `${period.from} to ${period.to}`;
  const end = dataEndText(period, days);
  return end === undefined ? dates : `${dates} · ${end}`;
}

function dataEndText({ from, to }: Dates, days: DataDays | undefined): string | undefined {
  if (days === undefined || to <= days.wholeTo) return undefined;
  const { wholeTo, partTo } = days;
  if (from > partTo) return `the data ends on ${dayText(partTo)}`;
  if (to <= partTo || wholeTo === partTo) return `the data is complete up to ${dayText(wholeTo)}`;
  return `the data is complete up to ${dayInYear(wholeTo, partTo)}, and ends on ${dayText(partTo)}`;
}

/** For a sentence: the period, and how much of it the data covers whole. */
export function coveredPeriodText(period: Dates, days: DataDays | undefined): string {
  const text = periodText(period);
  if (days === undefined || period.to <= days.wholeTo) return text;
  return period.from > days.wholeTo
    ? `${text} (no day is complete yet)`
    : `${text} (complete up to ${dayInYear(days.wholeTo, period.to)})`;
}

/** What to say of a period that begins after the data ends. */
export function sayNoData(period: Dates, days: DataDays | undefined): string | undefined {
  if (days === undefined || period.from <= days.partTo) return undefined;
  return `There is no data ${periodText(period)}: it ends on ${dayText(days.partTo)}.`;
}
