import { addDays, isLocalDate, latest } from "../../util/local-date.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period } from "../result-types.ts";
import { ReportOptionError, refuseDate } from "./option-error.ts";
import type { ReportOptions } from "./request-options.ts";

const defaultDays = 7;
/** Days beyond the day of the data for which rules are always expanded. */
const maxDays = 60;

/**
 * Resolves the days that a schedule covers: by default the seven days after the day of the data (in UTC). If only
 * `from` is given, it covers seven days from then on.
 * @throws {ReportOptionError} for a day before the day of the data or over 60 days after it, or a word for past days
 */
export function resolveSchedulePeriod(
  { dataAsOf }: Pick<PublishedMart, "dataAsOf">,
  { from, to }: Pick<ReportOptions, "from" | "to">,
  now: Date,
): Period {
  const dataDay = (dataAsOf ?? now.toISOString()).slice(0, "YYYY-MM-DD".length);
  const lastDay = addDays(dataDay, maxDays);
  for (const [option, date] of [
    ["--from", from],
    ["--to", to],
  ] as const) {
    if (date !== undefined && !isLocalDate(date))
      throw refuseDate(
        option,
        date,
        "is relative to the last complete day, but the schedule begins after that. Write a date as YYYY-MM-DD.",
      );
    if (date === undefined || (date >= dataDay && date <= lastDay)) continue;
    throw new ReportOptionError(
      option,
      (wording) =>
        `${wording.option(option)} (${wording.date(date)}) is outside the schedule: it covers ${wording.date(dataDay)}, the day of the data, to ${wording.date(lastDay)}.`,
    );
  }
  const firstDay = from ?? (to === dataDay ? to : addDays(dataDay, 1));
  const usualLast = addDays(firstDay, defaultDays - 1);
  return { from: firstDay, to: to ?? (usualLast < lastDay ? usualLast : latest(firstDay, lastDay)) };
}
