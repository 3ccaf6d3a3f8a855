import { type CalendarDay, dayMs } from "../calendar-day.ts";

interface OffsetSpan {
  fromMs: number;
  offsetMinutes: number;
}

/**
 * Wall clock of a time zone over a span of days. Calls `Intl` only in the constructor, once per day, because a
 * lookup per play would take longer than generating the play.
 */
export class ZoneClock {
  /** Spans with a constant offset, in chronological order. Each clock change starts another. */
  readonly #spans: readonly OffsetSpan[];

  constructor(timeZone: string, firstDay: CalendarDay, lastDay: CalendarDay) {
    this.#spans = findOffsetSpans(timeZone, (firstDay - 2) * dayMs, (lastDay + 3) * dayMs);
  }

  /** Returns the wall clock's offset from UTC in minutes, positive if ahead. */
  offsetMinutesAt(instantMs: number): number {
    for (let index = this.#spans.length - 1; index > 0; index -= 1) {
      const span = this.#spans[index];
      if (span && span.fromMs <= instantMs) return span.offsetMinutes;
    }
    return this.#spans[0]?.offsetMinutes ?? 0;
  }

  dayAt(instantMs: number): CalendarDay {
    return Math.floor((instantMs + this.offsetMinutesAt(instantMs) * 60_000) / dayMs);
  }

  /**
   * Returns the instant of a local time, given in minutes after a day's midnight; above 1,440 means the next
   * day. If the time occurs twice, returns the first instant. If it is skipped, the result is later by the
   * skipped amount.
   */
  instantOf(day: CalendarDay, minuteOfDay: number): number {
    const asUtcMs = day * dayMs + minuteOfDay * 60_000;
    const before = asUtcMs - this.offsetMinutesAt(asUtcMs - dayMs) * 60_000;
    const after = asUtcMs - this.offsetMinutesAt(asUtcMs + dayMs) * 60_000;
    const shows = (instantMs: number) => instantMs + this.offsetMinutesAt(instantMs) * 60_000 === asUtcMs;
    return shows(before) || !shows(after) ? before : after;
  }
}

function findOffsetSpans(timeZone: string, fromMs: number, untilMs: number): OffsetSpan[] {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const offsetAt = (instantMs: number) => parseOffset(format.format(instantMs));
  const spans: OffsetSpan[] = [{ fromMs, offsetMinutes: offsetAt(fromMs) }];
  let offsetMinutes = offsetAt(fromMs);
  for (let dayEndMs = fromMs + dayMs; dayEndMs <= untilMs; dayEndMs += dayMs) {
    if (offsetAt(dayEndMs) === offsetMinutes) continue;
    let [low, high] = [dayEndMs - dayMs, dayEndMs];
    while (high - low > 60_000) {
      const middle = Math.floor((low + high) / 120_000) * 60_000;
      if (offsetAt(middle) === offsetMinutes) low = middle;
      else high = middle;
    }
    offsetMinutes = offsetAt(dayEndMs);
    spans.push({ fromMs: high, offsetMinutes });
  }
  return spans;
}

/** Parses the UTC offset at the end of a string (`GMT`, `GMT-04:00` or `GMT+05:30`), in minutes. */
function parseOffset(text: string): number {
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(text) ?? [];
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === "-" ? -size : size;
}
