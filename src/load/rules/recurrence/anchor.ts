import { findLocalDay, type LocalDay } from "./local-day.ts";
import { RuleError } from "./rule-error.ts";
import { meansNoDate, readRuleTime } from "./rule-time.ts";

/** Where a recurrence begins: what its parts don't say is taken from there, and INTERVAL counts from there. */
export interface Anchor {
  day: LocalDay;
  /** Seconds since the day began. */
  second: number;
  /** The first day that may have an occurrence, and that COUNT counts from. */
  firstDay: LocalDay;
}

export interface CampaignDates {
  /** `YYYY-MM-DD`; empty: none. */
  startDate?: string | null | undefined;
  /** Read where there is no start date. */
  addDate?: string | null | undefined;
}

/**
 * An embedded DTSTART, else start_date, else add_date: on that day itself a campaign does not run yet. A date that means
 * none is passed over.
 * @throws {RuleError} when the first of them that is given can't be read
 */
export function findAnchor(dtStart: string | undefined, dates: CampaignDates): Anchor | undefined {
  const start = dtStart === undefined ? undefined : readRuleTime("DTSTART", dtStart);
  if (start !== undefined) return { day: start.day, second: start.second ?? 0, firstDay: start.day };
  const startDay = findDate("start_date", dates.startDate);
  if (startDay !== undefined) return { day: startDay, second: 0, firstDay: startDay };
  const addDay = findDate("add_date", dates.addDate);
  return addDay === undefined ? undefined : { day: addDay, second: 0, firstDay: addDay + 1 };
}

function findDate(name: string, text: string | null | undefined): LocalDay | undefined {
  const date = text?.trim() ?? "";
  if (date === "" || meansNoDate(date.slice(0, 10))) return undefined;
  const day = findLocalDay(date);
  if (day === undefined) throw new RuleError(`${name} "${date}" is no date (YYYY-MM-DD)`);
  return day;
}
