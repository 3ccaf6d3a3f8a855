import { findLocalDay, type LocalDay } from "./local-day.ts";
import { RuleError } from "./rule-error.ts";
import { readRuleTime } from "./rule-time.ts";

/** Where a recurrence begins: what its parts don't say is taken from there, and INTERVAL and COUNT count from there. */
export interface Anchor {
  day: LocalDay;
  /** Seconds since the day began. */
  second: number;
}

export interface CampaignDates {
  /** `YYYY-MM-DD`; empty: none. */
  startDate?: string | null | undefined;
  /** Read where there is no start date. */
  addDate?: string | null | undefined;
}

/**
 * An embedded DTSTART, else start_date, else add_date.
 * @throws {RuleError} when the first of them that is given can't be read
 */
export function findAnchor(dtStart: string | undefined, dates: CampaignDates): Anchor | undefined {
  if (dtStart !== undefined) {
    const { day, second = 0 } = readRuleTime("DTSTART", dtStart);
    return { day, second };
  }
  return findDate("start_date", dates.startDate) ?? findDate("add_date", dates.addDate);
}

function findDate(name: string, text: string | null | undefined): Anchor | undefined {
  const date = text?.trim() ?? "";
  if (date === "" || date.startsWith("0000-00-00")) return undefined;
  const day = findLocalDay(date);
  if (day === undefined) throw new RuleError(`${name} "${date}" is no date (YYYY-MM-DD)`);
  return { day, second: 0 };
}
