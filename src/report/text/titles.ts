import type { Report } from "../result-types.ts";
import { formatDates } from "./spans.ts";

/** E.g. `single-plays` → `Single plays`. */
export function formatReportTitle(view: string): string {
  return `${view.charAt(0).toUpperCase()}${view.slice(1).replaceAll("-", " ")}`;
}

/** Formats the name of a flag or attribute for readers, e.g. `store manager`. */
export function formatWord(word: string): string {
  return word.replaceAll("_", " ");
}

/** E.g. `region North, South`. */
export function formatAttributeFilter({ name, text }: { name: string; text: string }): string {
  return `${formatWord(name)} ${text.replaceAll(/,\s*/g, ", ")}`;
}

/** E.g. `Plays by region, week`. */
export function formatGroupedTitle(title: string, by: readonly string[]): string {
  return by.length > 0 ? `${title} by ${by.map(formatWord).join(", ")}` : title;
}

/** Returns a report's scope for its heading: dates, comparison and filters. */
export function describeScope({
  period,
  comparison,
  dataDays,
  filters,
}: Pick<Report, "period" | "comparison" | "dataDays" | "filters">): string[] {
  return [
    ...(period ? [formatDates(period, dataDays)] : []),
    ...(comparison ? [describeComparison(comparison)] : []),
    ...filters,
  ];
}

function describeComparison({ isPossible, other }: NonNullable<Report["comparison"]>): string {
  return isPossible ? `compared with ${formatDates(other, undefined)}` : "no comparison possible";
}

export const rejectSentences: Readonly<Record<string, string>> = {
  invalid_json: "the line is not a complete JSON object",
  not_an_object: "the line is JSON, but not an object with fields",
  missing_field: "zone, item, duration or start is missing",
  wrong_type: "a field contains the wrong type of value, such as text for a number",
  invalid_timestamp: "the start is not a valid time",
  no_utc_offset: "the start has no UTC offset",
  timestamp_out_of_range: "the start is before 2000 or over 24 hours after the history was requested",
  id_out_of_range: "an id is outside the range 0 to 2,251,799,813,685,247 (2^51 − 1)",
  duration_out_of_range: "the duration is outside the range 0 to 2,678,400 s (31 days)",
  invalid_utf8: "the line is not UTF-8 text",
  line_too_long: "the line is too long for a play",
};
