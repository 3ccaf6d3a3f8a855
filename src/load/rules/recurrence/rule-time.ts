import { findLocalDay, type LocalDay } from "./local-day.ts";
import { RuleError } from "./rule-error.ts";

/** A time, as a rule's DTSTART and UNTIL write it. */
export interface RuleTime {
  day: LocalDay;
  /** Seconds since the day began; `undefined`: a date alone. */
  second: number | undefined;
  /** A Z follows. */
  isUtc: boolean;
}

const shape = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?(\d\d))?)?(Z)?$/i;

/** Whether a date (`YYYY-MM-DD`) is written for "none": year 0, the first date of many libraries, or the epoch. */
export function meansNoDate(date: string): boolean {
  return date.startsWith("0000-") || ["0001-01-01", "1969-12-31", "1970-01-01"].includes(date);
}

/**
 * Reads `20261121`, `20261121T080000` and `20261121T080000Z`, also with the hyphens and colons of ISO 8601. A leap
 * second counts as the one before it.
 * @param name of the part, for the error
 * @returns `undefined` for a date that means none
 * @throws {RuleError}
 */
export function readRuleTime(name: string, text: string): RuleTime | undefined {
  const [, year, month, date, hour, minute, second = "00", utc] = shape.exec(text) ?? [];
  const isUtc = utc !== undefined;
  if (meansNoDate(`${year}-${month}-${date}`)) return undefined;
  const day = findLocalDay(`${year}-${month}-${date}`);
  const isTime = hour === undefined || (Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60);
  if (day === undefined || !isTime) {
    throw new RuleError(`${name} "${text}" is neither a date (YYYYMMDD) nor a time (YYYYMMDDTHHMMSS)`);
  }
  if (hour === undefined) return { day, second: undefined, isUtc };
  return { day, second: Number(hour) * 3600 + Number(minute) * 60 + Math.min(Number(second), 59), isUtc };
}
