import { type CalendarDay, dayMs } from "../calendar-day.ts";

/** Template for locations and zones. */
export interface Premises {
  name: string;
  street: string;
  city: string;
  state: string;
  zip: string;
  latitude: string;
  longitude: string;
  timeZone: string;
  /** Each room is a zone. */
  rooms: readonly Room[];
}

interface Room {
  name: string;
  /** Name from the 31st day on. */
  renamedTo?: string;
  opensMinute: number;
  /** Above 1,440 if the zone closes on the next day. */
  closesMinute: number;
  closedWeekdays?: readonly number[];
}

const hours = (opens: number, closes: number) => ({ opensMinute: opens * 60, closesMinute: closes * 60 });
const sunday = 0;

/** Twelve zones in nine locations and four time zones, three of which change their clocks in autumn. */
export const premises: readonly Premises[] = [
  {
    name: "Harbor Market",
    street: "210 South Street",
    city: "New York",
    state: "NY",
    zip: "10002",
    latitude: "40.7105",
    longitude: "-73.9869",
    timeZone: "America/New_York",
    rooms: [
      { name: "Harbor Market Floor", ...hours(7, 22) },
      { name: "Harbor Market Café", renamedTo: 'Harbor Café & "Bakery"', ...hours(6.5, 21) },
    ],
  },
  {
    name: "Fulton Bar",
    street: "88 Fulton Street",
    city: "New York",
    state: "NY",
    zip: "10038",
    latitude: "40.7091",
    longitude: "-74.0051",
    timeZone: "America/New_York",
    rooms: [{ name: "Fulton Bar", ...hours(17, 26) }],
  },
  {
    name: "Sunset Gym",
    street: "6500 Sunset Boulevard",
    city: "Los Angeles",
    state: "CA",
    zip: "90028",
    latitude: "34.0981",
    longitude: "-118.3304",
    timeZone: "America/Los_Angeles",
    rooms: [
      { name: "Sunset Gym Floor", ...hours(5, 23) },
      { name: "Sunset Gym Studio", ...hours(6, 22) },
    ],
  },
  {
    name: "Pico Deli",
    street: "3100 West Pico Boulevard",
    city: "Los Angeles",
    state: "CA",
    zip: "90019",
    latitude: "34.0472",
    longitude: "-118.3181",
    timeZone: "America/Los_Angeles",
    rooms: [{ name: "Pico Deli", ...hours(8, 20) }],
  },
  {
    name: "Kantstraße Markt",
    street: "Kantstraße 41",
    city: "Berlin",
    state: "BE",
    zip: "10625",
    latitude: "52.5064",
    longitude: "13.3126",
    timeZone: "Europe/Berlin",
    rooms: [{ name: "Kantstraße Markt", ...hours(7, 22), closedWeekdays: [sunday] }],
  },
  {
    name: "Spree Bar",
    street: "Schiffbauerdamm 8",
    city: "Berlin",
    state: "BE",
    zip: "10117",
    latitude: "52.5222",
    longitude: "13.3859",
    timeZone: "Europe/Berlin",
    rooms: [{ name: "Spree Bar", ...hours(17, 27) }],
  },
  {
    name: "Alex Fitness",
    street: "Alexanderplatz 3",
    city: "Berlin",
    state: "BE",
    zip: "10178",
    latitude: "52.5219",
    longitude: "13.4132",
    timeZone: "Europe/Berlin",
    rooms: [{ name: "Alex Fitness", ...hours(0, 24) }],
  },
  {
    name: "Indiranagar Store",
    street: "100 Feet Road 612",
    city: "Bengaluru",
    state: "KA",
    zip: "560038",
    latitude: "12.9719",
    longitude: "77.6412",
    timeZone: "Asia/Kolkata",
    rooms: [
      { name: "Indiranagar Store", ...hours(10, 22) },
      { name: "Indiranagar Upstairs", ...hours(10, 22) },
    ],
  },
  {
    name: "Andheri Gym",
    street: "Veera Desai Road 17",
    city: "Mumbai",
    state: "MH",
    zip: "400053",
    latitude: "19.1334",
    longitude: "72.8344",
    timeZone: "Asia/Kolkata",
    rooms: [{ name: "Andheri Gym", ...hours(5, 23) }],
  },
];

interface OffsetSpan {
  fromMs: number;
  offsetMinutes: number;
}

/**
 * Wall clock of a time zone over a span of days. Calls `Intl` only in the constructor, once per day, because
 * a lookup per play would cost more than generating the play.
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
   * Returns the instant at which the wall clock shows this many minutes after a day's midnight; above 1,440
   * means the next day. If the time occurs twice, returns the first instant; if it is skipped, the result is
   * later by the skipped amount.
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
