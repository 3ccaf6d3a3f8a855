/** Start of a play, parsed from its `play_start`, or the reason why it can't be parsed. */
export type PlayStart =
  | { playedAtMs: number; offsetMinutes: number }
  | { reason: "invalid_timestamp" | "no_utc_offset" };

const date =
  /(?<year>\d{4})(?:-(?<month>\d\d)-(?<day>\d\d)|(?<basicMonth>\d\d)(?<basicDay>\d\d)|-?(?<dayOfYear>\d{3})|-?W(?<week>\d\d)-?(?<weekday>[1-7]))/;
const time =
  /(?<hour>\d\d)(?::(?<minute>\d\d)(?::(?<second>\d\d))?|(?<basicMinute>\d\d)(?<basicSecond>\d\d)?)?/;
// ISO 8601 also allows U+2212 as a minus sign.
const offset = /(?<z>[Zz])|(?<sign>[+\-\u2212])(?<offsetHours>\d\d)(?::?(?<offsetMinutes>\d\d))?/;
const shape = new RegExp(
  `^${date.source}[Tt ]${time.source}(?:[.,](?<fraction>\\d+))?(?:${offset.source})?$`,
);

const dayMs = 86_400_000;
const maxOffsetMinutes = 14 * 60;

/**
 * Parses an ISO 8601 date-time with a UTC offset, in the extended or the basic format:
 * `2026-11-21T08:00:00+01:00`, `20261121T0800+01`, `2026-325T08:00Z`. Minutes and seconds are optional; a
 * fraction applies to the last part given. Also accepts a space for `T`, and lower case. Fractions of a
 * second are truncated, because whole seconds identify plays.
 */
export function readPlayStart(text: string): PlayStart {
  const parts: Parts | undefined = shape.exec(text)?.groups;
  const localMs = parts && readLocalTime(parts);
  if (!parts || localMs === undefined) return { reason: "invalid_timestamp" };
  const { z, sign, offsetHours, offsetMinutes = "0" } = parts;
  if (z) return { playedAtMs: localMs, offsetMinutes: 0 };
  if (!sign) return { reason: "no_utc_offset" };
  const minutes = Number(offsetHours) * 60 + Number(offsetMinutes);
  if (minutes > maxOffsetMinutes || Number(offsetMinutes) > 59) return { reason: "invalid_timestamp" };
  const signed = minutes === 0 ? 0 : sign === "+" ? minutes : -minutes;
  return { playedAtMs: localMs - signed * 60_000, offsetMinutes: signed };
}

type Parts = Record<string, string | undefined>;

/** Returns the local time as if it were UTC, in ms, truncated to seconds; `undefined` if invalid. */
function readLocalTime(parts: Parts): number | undefined {
  const dateMs = readDate(parts);
  const hour = Number(parts.hour);
  const [minuteText, secondText] = [parts.minute ?? parts.basicMinute, parts.second ?? parts.basicSecond];
  const [minute, second] = [Number(minuteText ?? 0), Number(secondText ?? 0)];
  const fraction = Number(`0.${parts.fraction ?? 0}`);
  // 24:00 is the end of the day. Later times are invalid.
  const isEndOfDay = hour === 24 && minute === 0 && second === 0 && fraction === 0;
  if (dateMs === undefined || minute > 59 || second > 59 || (hour > 23 && !isEndOfDay)) return undefined;
  const partSecs = secondText ? 1 : minuteText ? 60 : 3600;
  // Compensates for rounding errors: in doubles, 0.29 of an hour is 1043.9999999999998 s.
  const restSecs = Math.min(Math.floor(fraction * partSecs + 1e-9), partSecs - 1);
  return dateMs + ((hour * 60 + minute) * 60 + second + restSecs) * 1000;
}

/** Returns midnight of a calendar date, ordinal date or ISO week date; `undefined` if invalid. */
function readDate(parts: Parts): number | undefined {
  const year = Number(parts.year);
  // Date.UTC maps these years to the twentieth century.
  if (year < 100) return undefined;
  const getYear = (ms: number) => new Date(ms).getUTCFullYear();
  if (parts.dayOfYear) {
    const ms = Date.UTC(year, 0, Number(parts.dayOfYear));
    return getYear(ms) === year ? ms : undefined;
  }
  if (parts.week) {
    // The first week contains January 4, and a week belongs to the year of its Thursday.
    const fourthMs = Date.UTC(year, 0, 4);
    const firstMondayMs = fourthMs - ((new Date(fourthMs).getUTCDay() + 6) % 7) * dayMs;
    const mondayMs = firstMondayMs + (Number(parts.week) - 1) * 7 * dayMs;
    return getYear(mondayMs + 3 * dayMs) === year
      ? mondayMs + (Number(parts.weekday) - 1) * dayMs
      : undefined;
  }
  const month = Number(parts.month ?? parts.basicMonth);
  // Date.UTC would turn February 30 into a day in March.
  const ms = Date.UTC(year, month - 1, Number(parts.day ?? parts.basicDay));
  return new Date(ms).getUTCMonth() === month - 1 ? ms : undefined;
}

/** Formats a start as `2026-11-21T08:00:00+01:00`, the only form passed to DuckDB. */
export function writePlayStart(playedAtMs: number, offsetMinutes: number): string {
  const local = new Date(playedAtMs + offsetMinutes * 60_000).toISOString().slice(0, 19);
  const size = Math.abs(offsetMinutes);
  const hours = String(Math.floor(size / 60)).padStart(2, "0");
  return `${local}${offsetMinutes < 0 ? "-" : "+"}${hours}:${String(size % 60).padStart(2, "0")}`;
}
