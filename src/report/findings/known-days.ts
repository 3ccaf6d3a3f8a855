import type { ReportValue } from "../report.ts";
import { countOf, countText } from "../text/people-text.ts";

/** Of how many days anything is known. @param perDay uptime by date */
export function countKnown(perDay: readonly Readonly<Record<string, ReportValue>>[]): number {
  return perDay.filter(({ availability }) => availability != null).length;
}

/** Behind "of the time that is known": on how many days that is; empty where it is on all of them. */
export function sayKnownDays(known: number, days: number): string {
  return known < days ? ` (${countText(known)} of ${countOf(days, "day")})` : "";
}
