import { narrow, narrowDecimal, type SqlValue } from "../sql-values.ts";
import type { TrinoType } from "./trino-types.ts";

/** How a value of a type, as it stands in an answer, becomes what the same select gives on DuckDB. */
export function trinoValueReader(type: TrinoType): (value: unknown) => SqlValue {
  const read = readerOf(type);
  return (value) => (value === null || value === undefined ? null : read(value));
}

function readerOf({ base, element }: TrinoType): (value: unknown) => SqlValue {
  switch (base) {
    case "bigint":
      return (value) => (typeof value === "number" ? value : narrow(BigInt(value as string)));
    // NaN and infinities are texts.
    case "double":
      return Number;
    case "decimal":
      return (value) => narrowDecimal(String(value));
    case "real":
      return (value) => Math.fround(Number(value));
    case "timestamp":
    case "time":
      return (value) => withoutTrailingZeros(String(value));
    case "timestamp with time zone":
      return (value) => inUtc(String(value));
    case "varbinary":
      return (value) => escapeBytes(Buffer.from(String(value), "base64"));
    case "array": {
      const read = element ? trinoValueReader(element) : String;
      return (value) => (value as unknown[]).map(read);
    }
    default:
      return (value) => (typeof value === "object" ? JSON.stringify(value) : (value as SqlValue));
  }
}

function withoutTrailingZeros(time: string): string {
  return time.includes(".") ? time.replace(/\.?0+$/, "") : time;
}

/** DuckDB keeps no zone with an instant, and shows it in UTC. */
function inUtc(text: string): string {
  const [, date = "", time = "", fraction = "", zone = ""] =
    /^(\S+) (\d\d:\d\d:\d\d)(\.\d+)? (.+)$/.exec(text) ?? [];
  if (zone === "UTC") return withoutTrailingZeros(`${date} ${time}${fraction}`);
  const offset = /^[+-]\d\d:\d\d$/.test(zone) ? zone : undefined;
  if (offset === undefined) {
    throw new RangeError(`${text} names a time zone; select it "at time zone 'UTC'".`);
  }
  const seconds = new Date(`${date}T${time}${offset}`).toISOString().slice(0, 19).replace("T", " ");
  return withoutTrailingZeros(`${seconds}${fraction}`);
}

/** As DuckDB writes a BLOB. */
function escapeBytes(bytes: Buffer): string {
  return Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x5c && byte !== 0x22 && byte !== 0x27
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("");
}
