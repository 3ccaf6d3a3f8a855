import {
  Bool,
  type DataType,
  DateDay,
  Dictionary,
  Float64,
  Int32,
  Int64,
  TimestampMicrosecond,
  Utf8,
} from "apache-arrow";
import type { ReportColumn } from "../../report.ts";

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
