import { optional } from "./flag.ts";
import { values } from "./flag-values.ts";

/** When a campaign or an asset may play. */
export const periodFlags = { startDate: optional(values.startDate), endDate: optional(values.endDate) };

interface Period {
  startDate: string | undefined;
  endDate: string | undefined;
}

export function checkPeriod({ startDate, endDate }: Period): string | undefined {
  if (startDate === undefined || endDate === undefined || startDate <= endDate) return undefined;
  return `--start-date ${startDate} is after --end-date ${endDate}`;
}

/** ` from 2026-11-01 to 2026-11-30`; empty where no day is named. */
export function describePeriod({ startDate, endDate }: Period): string {
  return `${startDate ? ` from ${startDate}` : ""}${endDate ? ` to ${endDate}` : ""}`;
}
