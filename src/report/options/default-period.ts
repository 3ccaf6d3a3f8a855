import type { Period } from "../report.ts";
import { addDays } from "../text/local-date.ts";

/** How a zone's clock stands. */
export interface ZoneClock {
  /** IANA name, where one is configured. */
  timeZone: string | null;
  /** Of its newest plays, east positive; counts where no time zone is named. */
  utcOffsetMinutes: number | null;
}

const defaultDays = 28;

/**
 * The dates to report: what was asked for, else the 28 days up to the last one that has ended in every zone at
 * `now`. `from` alone runs to that day (or covers just itself when it is later); `to` alone covers 28 days.
 */
export function resolvePeriod(
  { from, to }: Partial<Period>,
  clocks: readonly ZoneClock[],
  now: Date,
): Period {
  const lastEnded = lastEndedDate(clocks, now);
  const resolvedTo = to ?? (from !== undefined && from > lastEnded ? from : lastEnded);
  return { from: from ?? addDays(resolvedTo, 1 - defaultDays), to: resolvedTo };
}

/** The newest local date that is over in every zone; in UTC where there is no zone. */
export function lastEndedDate(clocks: readonly ZoneClock[], now: Date): string {
  const today = clocks.map((clock) => localDate(clock, now));
  const earliest = today.sort()[0] ?? now.toISOString().slice(0, 10);
  return addDays(earliest, -1);
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
