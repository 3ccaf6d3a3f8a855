import { findLocalDay, type LocalDay } from "./local-day.ts";
import { RuleError } from "./rule-parts.ts";

/** A time as written in a rule's DTSTART or UNTIL. */
interface RuleTime {
  day: LocalDay;
  /** Seconds since the day began; `undefined` for a date. */
  second: number | undefined;
  /** True if the time ends in Z. */
  isUtc: boolean;
}

const shape = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?(\d\d))?)?(Z)?$/i;

/** Returns true for dates that mean "none": year 0, the first date of many libraries, or the epoch. */
function isPlaceholderDate(date: string): boolean {
  return date.startsWith("0000-") || ["0001-01-01", "1969-12-31", "1970-01-01"].includes(date);
}

/**
 * Reads `20261121`, `20261121T080000` and `20261121T080000Z`, optionally with the hyphens and colons of ISO
 * 8601. Replaces a leap second with the second before it.
 * @param name name of the part, for the error message
 * @returns `undefined` for a date that means "none"
 * @throws {RuleError}
 */
function readRuleTime(name: string, text: string): RuleTime | undefined {
  const [, year, month, date, hour, minute, second = "00", utc] = shape.exec(text) ?? [];
  const isUtc = utc !== undefined;
  if (isPlaceholderDate(`${year}-${month}-${date}`)) return undefined;
  const day = findLocalDay(`${year}-${month}-${date}`);
  const isTime = hour === undefined || (Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60);
  if (day === undefined || !isTime) {
    throw new RuleError(`${name} "${text}" is neither a date (YYYYMMDD) nor a time (YYYYMMDDTHHMMSS)`);
  }
  if (hour === undefined) return { day, second: undefined, isUtc };
  return { day, second: Number(hour) * 3600 + Number(minute) * 60 + Math.min(Number(second), 59), isUtc };
}

/** End of a rule: the last moment at which it may have an occurrence. */
export interface Until extends Pick<RuleTime, "day" | "second"> {
  /** True if `day` and `second` are in UTC. Zones then reach the end at different local times. */
  isInstant: boolean;
}

/**
 * Rule editors write a local date as the first or last second of that date with a Z, although they do not
 * mean UTC.
 */
const secondsOfDates = [0, 86_399];

/**
 * Reads UNTIL. Ignores the Z if the value is a mere date: without a time, or with 00:00:00 or 23:59:59.
 * @returns `undefined` for a date that means "no end"
 * @throws {RuleError}
 */
export function readUntil(text: string): Until | undefined {
  const time = readRuleTime("UNTIL", text);
  if (time === undefined) return undefined;
  const { day, second, isUtc } = time;
  return { day, second, isInstant: isUtc && second !== undefined && !secondsOfDates.includes(second) };
}

/** Start of a recurrence. Parts missing from the rule are taken from it, and INTERVAL counts from it. */
export interface Anchor {
  day: LocalDay;
  /** Seconds since the day began. */
  second: number;
  /** First day that may have an occurrence; COUNT counts from there. */
  firstDay: LocalDay;
}

export interface CampaignDates {
  /** `YYYY-MM-DD`. An empty string means "none". */
  startDate?: string | null | undefined;
  /** Used if the start date is missing. */
  addDate?: string | null | undefined;
}

/**
 * Returns the first of these that is given: an embedded DTSTART, start_date, or add_date. A campaign does not
 * run on its add_date yet. Skips dates that mean "none".
 * @throws {RuleError} if that date cannot be parsed
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
  if (date === "" || isPlaceholderDate(date.slice(0, 10))) return undefined;
  const day = findLocalDay(date);
  if (day === undefined) throw new RuleError(`${name} "${date}" is not a date (YYYY-MM-DD)`);
  return day;
}
