import {
  Bool,
  type Data,
  type DataType,
  DateDay,
  Dictionary,
  Float64,
  Int32,
  Int64,
  makeData,
  TimestampMicrosecond,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import type { ReportColumn, ReportValue } from "../report.ts";
import { epochDays, epochMicros } from "./epoch.ts";
import { ValueRefusedError } from "./value-refused-error.ts";

/** Arrow's type of a report's column. Each call makes one of its own: dictionaries are known by it. */
export function arrowType({ type }: ReportColumn): DataType {
  switch (type) {
    case "integer":
      return new Int64();
    case "number":
    case "share":
      return new Float64();
    case "boolean":
      return new Bool();
    case "date":
      return new DateDay();
    case "instant":
      return new TimestampMicrosecond("UTC");
    case "local_time":
      return new TimestampMicrosecond();
    default:
      return new Dictionary(new Utf8(), new Int32());
  }
}

/**
 * One column of one batch.
 * @throws {ValueRefusedError} for an integer beyond 64 bits, or a time such as `infinity`
 */
export function arrowData(column: ReportColumn, type: DataType, values: readonly ReportValue[]): Data {
  const { nullBitmap, nullCount } = nullsOf(values);
  const shape = { type, length: values.length, nullCount, nullBitmap };
  switch (column.type) {
    case "integer":
      return makeData({ ...shape, data: wideIntegers(values, (value) => integer(value, column)) } as never);
    case "number":
    case "share":
      return makeData({ ...shape, data: Float64Array.from(values, (value) => Number(value ?? 0)) } as never);
    case "boolean":
      return makeData({ ...shape, data: bits(values, (value) => value === true) } as never);
    case "date":
      return makeData({
        ...shape,
        data: Int32Array.from(values, (value) => (value === null ? 0 : timeOf(value, column, epochDays))),
      } as never);
    case "instant":
    case "local_time":
      return makeData({
        ...shape,
        data: wideIntegers(values, (value) => timeOf(value, column, epochMicros)),
      } as never);
    default:
      return makeData({ ...shape, ...dictionaryOf(values) } as never);
  }
}

function nullsOf(values: readonly ReportValue[]): { nullBitmap: Uint8Array | undefined; nullCount: number } {
  const nullCount = values.reduce<number>((count, value) => count + (value === null ? 1 : 0), 0);
  return { nullCount, nullBitmap: nullCount === 0 ? undefined : bits(values, (value) => value !== null) };
}

function bits(values: readonly ReportValue[], isSet: (value: ReportValue) => boolean): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(values.length / 64) * 8);
  values.forEach((value, index) => {
    if (isSet(value)) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7));
  });
  return bytes;
}

/** 64-bit integers from numbers, without making a bigint of each. */
function wideIntegers(
  values: readonly ReportValue[],
  convert: (value: ReportValue) => number | bigint,
): BigInt64Array {
  const wide = new BigInt64Array(values.length);
  const halves = new Int32Array(wide.buffer);
  values.forEach((value, index) => {
    const whole = value === null ? 0 : convert(value);
    if (typeof whole === "bigint") wide[index] = whole;
    else {
      halves[2 * index] = whole | 0;
      halves[2 * index + 1] = Math.floor(whole / 2 ** 32);
    }
  });
  return wide;
}

function integer(value: ReportValue, column: ReportColumn): number | bigint {
  if (typeof value === "number") return value;
  if (typeof value === "bigint" && BigInt.asIntN(64, value) === value) return value;
  throw new ValueRefusedError(column, value);
}

function timeOf(
  value: ReportValue,
  column: ReportColumn,
  parse: (text: string) => number | undefined,
): number {
  const time = parse(String(value));
  if (time === undefined) throw new ValueRefusedError(column, value);
  return time;
}

/** Each text once, and for each value the position of its text. */
function dictionaryOf(values: readonly ReportValue[]): { data: Int32Array; dictionary: object } {
  const positions = new Map<string, number>();
  const data = Int32Array.from(values, (value) => {
    if (value === null) return 0;
    const text = String(value);
    const known = positions.get(text);
    if (known !== undefined) return known;
    positions.set(text, positions.size);
    return positions.size - 1;
  });
  return { data, dictionary: vectorFromArray([...positions.keys()], new Utf8()) };
}
