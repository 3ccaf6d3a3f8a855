import { addDays } from "../../util/local-date.ts";
import { findNamedPeriod, parseCalendarPeriod, periodWords } from "../address/calendar-period.ts";
import type { Period } from "../result-types.ts";
import { isReportDate, ReportOptionError, refuseDate } from "./option-error.ts";

/** Requested dates or words. Words such as `7d` and `last-week` are relative to the last complete day. */
export type TypedPeriod = Partial<Period>;

const defaultDays = 28;
/** For help. */
export const periodExamples = `${periodWords.join(", ")}, 2026-W47, 2026-10, 2026-Q4`;

/**
 * Parses `--from` and `--to`. A week, month or quarter is replaced by its dates: all of them for `--from` alone, the
 * last day for `--to`. Words such as `last-week` and, for `--from`, `7d` stay until the end of the data is known.
 * @throws {ReportOptionError} for other words, dates that reports do not cover, or a period that ends first
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

/** Returns a word that is relative to the last complete day as both ends. */
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
 * Resolves the dates to report: the requested ones, else the 28 days up to `lastDay`. If only `from` is given, a word
 * stands for all its days, and a date begins a period up to `lastDay`, or is the only day if it is later. If only `to`
 * is given, the period has 28 days.
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
