import { addDays } from "../../util/local-date.ts";
import { findNamedPeriod, parseCalendarPeriod, periodWords } from "../address/calendar-period.ts";
import type { Period } from "../result-types.ts";
import { isReportDate, ReportOptionError, refuseDate } from "./option-error.ts";

/** Requested dates or words. Words such as `7d` and `last-week` are relative to the last complete day. */
export type TypedPeriod = Partial<Period>;

const defaultDays = 28;
/** Examples of periods, for help and messages. */
export const periodExamples = `${periodWords.join(", ")}, 2026-W47, 2026-10, 2026-Q4`;

/**
 * Parses `--from` and `--to`. A week, month or quarter is replaced with its dates: `--from` alone covers all of its
 * days, `--to` ends on its last day. Relative words such as `last-week` or, for `--from`, `7d` are resolved later.
 * @throws {ReportOptionError} for other words, dates that reports do not cover, or an end before the start
 */
export function parsePeriod({ from: first, to: last }: TypedPeriod): TypedPeriod {
  const ofFrom = parseDays("--from", first);
  const ofTo = parseDays("--to", last);
  if (last !== undefined && findDayCount(last) !== undefined)
    throw new ReportOptionError(
      "--to",
      ({ option }) =>
        `${option("--to")} (${last}) is a number of days, which only ${option("--from")} takes. Write a date, such as 2026-10-31.`,
    );
  const from = ofFrom?.from;
  const to = ofTo?.to ?? (first !== undefined && ofFrom?.from !== ofFrom?.to ? ofFrom?.to : undefined);
  if (ofFrom && to !== undefined) refuseReversed({ from: ofFrom.from, to });
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

/** Returns the first and last day of a date, week, month or quarter, or a relative word as both of them. */
function parseDays(option: string, text: string | undefined): Period | undefined {
  if (text === undefined) return undefined;
  if (isRelative(text)) return { from: text, to: text };
  const days = parseCalendarPeriod(text);
  if (days === undefined)
    throw refuseDate(
      option,
      text,
      `is not a valid date. Write it as YYYY-MM-DD, or as in 7d, ${periodExamples}.`,
    );
  if (isReportDate(days.from) && isReportDate(days.to)) return days;
  throw refuseDate(option, text);
}

/**
 * Resolves the dates to report, by default the 28 days up to `lastDay`. If only `from` is given, a named period covers
 * all its days; a date starts a period that ends on `lastDay`, or is the only day if it is after `lastDay`. If only
 * `to` is given, the period has 28 days.
 * @throws {ReportOptionError} if a word puts the first day after the last
 */
export function resolvePeriod({ from, to: last }: TypedPeriod, lastDay: string): Period {
  const to = last === undefined ? undefined : (findNamedPeriod(last, lastDay)?.to ?? last);
  const days = from === undefined ? defaultDays : findDayCount(from);
  if (from === undefined || days !== undefined) {
    const end = to ?? lastDay;
    const begin = addDays(end, 1 - (days ?? defaultDays));
    if (from === undefined || isReportDate(begin)) return { from: begin, to: end };
    throw refuseDate("--from", from);
  }
  const named = findNamedPeriod(from, lastDay);
  const begin = named?.from ?? from;
  const end = to ?? named?.to ?? (begin > lastDay ? begin : lastDay);
  refuseReversed({ from: begin, to: end });
  return { from: begin, to: end };
}

/** E.g. 7 for `7d`. */
function findDayCount(text: string): number | undefined {
  const [, days] = /^([1-9]\d{0,3})d$/.exec(text) ?? [];
  return days === undefined ? undefined : Number(days);
}

export function isRelative(text: string): boolean {
  return periodWords.some((word) => word === text) || findDayCount(text) !== undefined;
}

function refuseReversed({ from, to }: Period): void {
  if (isRelative(from) || isRelative(to) || from <= to) return;
  throw new ReportOptionError(
    "--from",
    ({ option, date }) => `${option("--from")} (${date(from)}) is after ${option("--to")} (${date(to)}).`,
  );
}
