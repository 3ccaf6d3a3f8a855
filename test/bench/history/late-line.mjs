import { playsPerDay } from "./history.mjs";
import { lineWriter, longestLine } from "./line-writer.mjs";

/** A play from two months before the end, or from the first day, that begins before its zone opens. */
export function lateLine(history) {
  const buffer = Buffer.alloc(longestLine);
  const end = lineWriter(history)(buffer, 0, 0, Math.max(0, history.days - 61) * playsPerDay);
  return buffer.toString("utf8", 0, end).replace(/T\d\d:\d\d:\d\d/, "T07:30:00");
}
