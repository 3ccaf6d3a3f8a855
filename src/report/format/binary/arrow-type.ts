import {
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Dictionary,
  Float64,
  Int32,
  Int64,
  TimestampMicrosecond,
  Utf8,
} from "apache-arrow";
import type { ReportColumn } from "../../report.ts";

/** All that DuckDB's decimals need. */
const decimalBits = 128;

/** Arrow's type of a report's column. Each call makes one of its own: dictionaries are known by it. */
export function arrowType({ type, decimal }: ReportColumn): DataType {
  if (decimal) return new Decimal(decimal.scale, decimal.width, decimalBits);
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
