/** When a play started, read from its `play_start`, or why it can't be. */
export type PlayStart =
  | { playedAtMs: number; offsetMinutes: number }
  | { reason: "invalid_timestamp" | "no_utc_offset" };

const shape =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:[.,]\d+)?(?:([Zz])|([+-])(\d{2}):?(\d{2})?)?$/;
const maxOffsetMinutes = 14 * 60;

/**
 * Reads an ISO 8601 date-time with a UTC offset: `2026-11-21T08:00:00+01:00`, also with fractions of a second (cut
 * off: a play is known by its whole second), `+0100`, `+01`, a blank instead of `T`, small letters.
 */
export function readPlayStart(text: string): PlayStart {
  const parts = shape.exec(text);
  if (!parts) return { reason: "invalid_timestamp" };
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const localMs = Date.UTC(year, month - 1, day, hour, minute, second);
  // Date.UTC carries over (February 30 is in March), and takes years below 100 for the twentieth century's.
  const isReal =
    year >= 100 && new Date(localMs).getUTCMonth() === month - 1 && hour < 24 && minute < 60 && second < 60;
  if (!isReal) return { reason: "invalid_timestamp" };
  const [z, sign, offsetHours, offsetMinutes = "0"] = parts.slice(7);
  if (z) return { playedAtMs: localMs, offsetMinutes: 0 };
  if (!sign) return { reason: "no_utc_offset" };
  const minutes = Number(offsetHours) * 60 + Number(offsetMinutes);
  if (minutes > maxOffsetMinutes || Number(offsetMinutes) > 59) return { reason: "invalid_timestamp" };
  const signed = minutes === 0 ? 0 : sign === "-" ? -minutes : minutes;
  return { playedAtMs: localMs - signed * 60_000, offsetMinutes: signed };
}

/** `2026-11-21T08:00:00+01:00`: the one form that DuckDB is given to read. */
export function writePlayStart(playedAtMs: number, offsetMinutes: number): string {
  const local = new Date(playedAtMs + offsetMinutes * 60_000).toISOString().slice(0, 19);
  const size = Math.abs(offsetMinutes);
  const hours = String(Math.floor(size / 60)).padStart(2, "0");
  return `${local}${offsetMinutes < 0 ? "-" : "+"}${hours}:${String(size % 60).padStart(2, "0")}`;
}
