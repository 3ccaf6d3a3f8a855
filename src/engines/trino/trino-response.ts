import { z } from "zod";
import { parseWholeJson } from "../remote/remote-service.ts";
import { narrow, narrowDecimal, type SqlValue } from "../sql-text.ts";

/** A statement's progress, from Trino's statistics. */
export interface TrinoProgress {
  queryId: string;
  /** `QUEUED`, `PLANNING`, `RUNNING`, `FINISHING`, `FINISHED`, `FAILED`. */
  state: string;
  /** 0 to 100; unknown until all work is planned. */
  percent: number | undefined;
  /** Number of rows read so far, in all stages. */
  rows: number;
  bytes: number;
}

const count = z.coerce.number();

const response = z.object({
  id: z.string(),
  nextUri: z.string().optional(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
  /** Integers of 16 or more digits are text. */
  data: z.array(z.array(z.unknown())).optional(),
  updateCount: count.optional(),
  stats: z.object({
    state: z.string(),
    progressPercentage: z.number().optional(),
    processedRows: count.default(0),
    processedBytes: count.default(0),
  }),
  error: z
    .object({
      message: z.string().default("no message"),
      errorName: z.string().default("UNKNOWN"),
      errorType: z.string().default("UNKNOWN"),
    })
    .optional(),
});

/** One response of the statement protocol: a page of the result, or progress. */
export type TrinoResponse = z.infer<typeof response>;

/** Returns `undefined` if the text is not a Trino response. */
export function parseTrinoResponse(text: string): TrinoResponse | undefined {
  try {
    return response.safeParse(parseWholeJson(text)).data;
  } catch {
    return undefined;
  }
}

export function toProgress({ id, stats }: TrinoResponse): TrinoProgress {
  return {
    queryId: id,
    state: stats.state,
    percent: stats.progressPercentage,
    rows: stats.processedRows,
    bytes: stats.processedBytes,
  };
}

/** A Trino type and its DuckDB name. */
interface TrinoType {
  /** DuckDB's name or, if DuckDB has no such type, Trino's name in capitals. */
  word: string;
  /** `varchar`, `decimal`, … without parameters. */
  base: string;
  element?: TrinoType;
}

const words: Readonly<Record<string, string>> = {
  char: "VARCHAR",
  json: "VARCHAR",
  real: "FLOAT",
  row: "STRUCT",
  time: "TIME",
  timestamp: "TIMESTAMP",
  // Type of an uncast null; DuckDB uses INTEGER.
  unknown: "INTEGER",
  varbinary: "BLOB",
  varchar: "VARCHAR",
};

/**
 * Parses a type in Trino's notation, e.g. `timestamp(6) with time zone`, `decimal(4, 2)`,
 * `array(array(bigint))`.
 */
export function parseTrinoType(text: string): TrinoType {
  const element = /^array\((.*)\)$/s.exec(text)?.[1];
  if (element !== undefined) {
    const type = parseTrinoType(element);
    return { base: "array", word: `${type.word}[]`, element: type };
  }
  const [, head = text, inner = "", tail = ""] = /^([^(]*)(?:\((.*)\))?([^()]*)$/s.exec(text) ?? [];
  const base = `${head}${tail}`;
  if (base === "decimal") return { base, word: `DECIMAL(${inner.replaceAll(" ", "")})` };
  return { base, word: words[base] ?? base.toUpperCase() };
}

/** Returns a function that converts a type's values to the values that DuckDB returns for the same select. */
export function createValueReader(type: TrinoType): (value: unknown) => SqlValue {
  const read = createReader(type);
  return (value) => (value === null || value === undefined ? null : read(value));
}

function createReader({ base, element }: TrinoType): (value: unknown) => SqlValue {
  switch (base) {
    case "bigint":
      return (value) => (typeof value === "number" ? value : narrow(BigInt(value as string)));
    // Trino sends NaN and infinities as text.
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
      return (value) => toUtc(String(value));
    case "varbinary":
      return (value) => escapeBytes(Buffer.from(String(value), "base64"));
    case "array": {
      const read = element ? createValueReader(element) : String;
      return (value) => (value as unknown[]).map(read);
    }
    default:
      return (value) => (typeof value === "object" ? JSON.stringify(value) : (value as SqlValue));
  }
}

function withoutTrailingZeros(time: string): string {
  return time.includes(".") ? time.replace(/\.?0+$/, "") : time;
}

/** Converts to UTC, because DuckDB stores instants without a time zone and formats them in UTC. */
function toUtc(text: string): string {
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

/** Formats bytes as DuckDB formats a BLOB. */
function escapeBytes(bytes: Buffer): string {
  return Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x5c && byte !== 0x22 && byte !== 0x27
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("");
}
