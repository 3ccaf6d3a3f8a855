import { VenueError } from "../../../util/venue-error.ts";
import type { ReportColumn, ReportValue } from "../../result-types.ts";
import { toSingleLine } from "../../text/cell-text.ts";

/** Converts `YYYY-MM-DD` to days since 1970-01-01; `undefined` for other text. */
export function toEpochDays(date: string): number | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms / 86_400_000;
}

/** Converts `YYYY-MM-DDTHH:MM:SS[.ffffff][Z]`, read as UTC, to microseconds since 1970; `undefined` for other text. */
export function toEpochMicros(text: string): number | undefined {
  const [, whole, fraction = ""] =
    /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?Z?$/.exec(text) ?? [];
  const ms = whole === undefined ? Number.NaN : Date.parse(`${whole}Z`);
  return Number.isNaN(ms) ? undefined : ms * 1000 + Number(fraction.padEnd(6, "0"));
}

/** Returns a decimal's digits as an integer, e.g. 1250 for 12.5 with a scale of 2. */
export function toUnscaled(value: ReportValue, scale: number): bigint {
  const [, sign = "", whole = "0", fraction = "", exponent = "0"] =
    /^(-?)(\d*)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(value)) ?? [];
  const shift = scale + Number(exponent) - fraction.length;
  const digits = BigInt(`${whole}${fraction}`);
  const number = shift < 0 ? digits / 10n ** BigInt(-shift) : digits * 10n ** BigInt(shift);
  return sign === "-" ? -number : number;
}

export function valueRefusedError({ name, type }: ReportColumn, value: ReportValue): VenueError {
  const [kind, others] =
    type === "integer" ? ["64-bit integer", "double or varchar"] : [type.replace("_", " "), "varchar"];
  return new VenueError(
    "VALUE_REFUSED",
    "usage",
    `Column ${toSingleLine(name)} contains ${String(value).slice(0, 100)}, which is not a valid ${kind}. Cast it in the query (to ${others}), or choose --format csv.`,
  );
}
