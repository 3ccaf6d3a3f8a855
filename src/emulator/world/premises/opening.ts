import { type CalendarDay, weekdayOf } from "../calendar-day.ts";
import type { Zone } from "./zone.ts";

/** When a zone was open; epoch ms, the end exclusive. */
export interface Opening {
  opensAtMs: number;
  closesAtMs: number;
}

/** A zone's opening that begins on a local day, and may last into the next; undefined when it stays closed. */
export function findOpening(zone: Zone, day: CalendarDay): Opening | undefined {
  if (zone.closedWeekdays.includes(weekdayOf(day))) return undefined;
  return {
    opensAtMs: zone.clock.instantOf(day, zone.opensMinute),
    closesAtMs: zone.clock.instantOf(day, zone.closesMinute),
  };
}
