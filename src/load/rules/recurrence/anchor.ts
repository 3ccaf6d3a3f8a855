import { findLocalDay, type LocalDay } from "./local-day.ts";
import { RuleError } from "./rule-error.ts";
import { readRuleTime } from "./rule-time.ts";

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
 * An embedded DTSTART, else start_date, else add_date: on that day itself a campaign does not run yet.
 * @throws {RuleError} when the first of them that is given can't be read
 */
export function findAnchor(dtStart: string | undefined, dates: CampaignDates): Anchor | undefined {
  if (dtStart !== undefined) {
    const { day, second = 0 } = readRuleTime("DTSTART", dtStart);
    return { day, second, firstDay: day };
  }
  const startDay = findDate("start_date", dates.startDate);
  if (startDay !== undefined) return { day: startDay, second: 0, firstDay: startDay };
  const addDay = findDate("add_date", dates.addDate);
  return addDay === undefined ? undefined : { day: addDay, second: 0, firstDay: addDay + 1 };
}

function findDate(name: string, text: string | null | undefined): LocalDay | undefined {
  const date = text?.trim() ?? "";
  if (date === "" || date.startsWith("0000-00-00")) return undefined;
  const day = findLocalDay(date);
  if (day === undefined) throw new RuleError(`${name} "${date}" is no date (YYYY-MM-DD)`);
  return day;
}
