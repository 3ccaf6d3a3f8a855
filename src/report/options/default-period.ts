import { addDays } from "../../util/local-date.ts";
import type { Period } from "../report.ts";
import type { DataDays } from "../text/spans.ts";

/** How a zone's clock stands. */
export interface ZoneClock {
  /** IANA name, where one is configured. */
  timeZone: string | null;
  /** Of its newest plays, east positive; counts where no time zone is named. */
  utcOffsetMinutes: number | null;
}

const defaultDays = 28;

/**
 * The dates to report: what was asked for, else the 28 days up to `lastDay`. `from` alone runs to that day (or covers
 * just itself when it is later); `to` alone covers 28 days.
 */
export function resolvePeriod({ from, to }: Partial<Period>, lastDay: string): Period {
  const resolvedTo = to ?? (from !== undefined && from > lastDay ? from : lastDay);
  return { from: from ?? addDays(resolvedTo, 1 - defaultDays), to: resolvedTo };
}

/** Up to which local dates data goes that is complete up to an instant: whole where they are over in every zone by then. */
export function daysUpTo(clocks: readonly ZoneClock[], instant: Date): Pick<DataDays, "wholeTo" | "partTo"> {
  const dates = clocks.map((clock) => localDate(clock, instant)).sort();
  const utc = instant.toISOString().slice(0, 10);
  return { wholeTo: addDays(dates[0] ?? utc, -1), partTo: dates.at(-1) ?? utc };
}

function localDate({ timeZone, utcOffsetMinutes }: ZoneClock, now: Date): string {
  if (timeZone !== null) {
    const date = findDateIn(timeZone, now);
    if (date) return date;
  }
  return new Date(now.getTime() + (utcOffsetMinutes ?? 0) * 60_000).toISOString().slice(0, 10);
}

/** `undefined` for a name that this Node does not know. */
function findDateIn(timeZone: string, now: Date): string | undefined {
  try {
    // Swedish dates are written YYYY-MM-DD.
    return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(now);
  } catch {
    return undefined;
  }
}
