import { findLocalDay, type LocalDay } from "./local-day.ts";
import { RuleError } from "./rule-parts.ts";

/** A time as written in a rule's DTSTART or UNTIL. */
interface RuleTime {
  day: LocalDay;
  /** Seconds since the day began; `undefined` for a date. */
  second: number | undefined;
  /** A Z follows. */
  isUtc: boolean;
}

const shape = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?(\d\d))?)?(Z)?$/i;

/** Returns true for dates that mean "none": year 0, the first date of many libraries, or the epoch. */
function isPlaceholderDate(date: string): boolean {
  return date.startsWith("0000-") || ["0001-01-01", "1969-12-31", "1970-01-01"].includes(date);
}

/**
 * Reads `20261121`, `20261121T080000` and `20261121T080000Z`, optionally with the hyphens and colons of ISO
 * 8601. A leap second counts as the one before it.
 * @param name of the part, for the error
 * @returns `undefined` for a date that means none
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

/** End of a rule, inclusive. */
export interface Until extends Pick<RuleTime, "day" | "second"> {
  /** Day and second are in UTC: zones reach this instant at different local times. */
  isInstant: boolean;
}

/** Rule editors write a local date as its first or its last second, in UTC. */
const secondsOfDates = [0, 86_399];

/**
 * Reads UNTIL. Drops the Z of a date: without a time, at 00:00:00 or at 23:59:59.
 * @returns `undefined` for a date that means no end
 * @throws {RuleError}
 */
export function readUntil(text: string): Until | undefined {
  const time = readRuleTime("UNTIL", text);
  if (time === undefined) return undefined;
  const { day, second, isUtc } = time;
  return { day, second, isInstant: isUtc && second !== undefined && !secondsOfDates.includes(second) };
}

/** Start of a recurrence: it supplies missing parts, and INTERVAL counts from there. */
export interface Anchor {
  day: LocalDay;
  /** Seconds since the day began. */
  second: number;
  /** First day that may have an occurrence; COUNT counts from there. */
  firstDay: LocalDay;
}

export interface CampaignDates {
  /** `YYYY-MM-DD`; none if empty. */
  startDate?: string | null | undefined;
  /** Used without a start date. */
  addDate?: string | null | undefined;
}

/**
 * Returns an embedded DTSTART, else start_date, else add_date, on which a campaign does not run yet. Skips
 * dates that mean none.
 * @throws {RuleError} if the first one given cannot be read
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
