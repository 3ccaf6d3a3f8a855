import type { Report, ReportColumn, ReportRow } from "../../report.ts";
import { datesText } from "../../text/data-end.ts";

export const aboutColumns: readonly ReportColumn[] = [
  { name: "about", type: "text" },
  { name: "value", type: "text" },
];

/** What a report's heading says, for the sheet behind its rows. */
export function aboutRows({
  title,
  period,
  comparison,
  filters,
  dataAsOf,
  version,
  notes,
}: Report): ReportRow[] {
  return [
    ["report", title],
    ...(period ? [["from", period.from] as const, ["to", period.to] as const] : []),
    ...(comparison?.isPossible ? [["compared with", datesText(comparison.other, undefined)] as const] : []),
    ...filters.map((filter) => ["only", filter] as const),
    ["data as of", dataAsOf ?? "unknown"],
    ["version", version],
    ...notes.map((note) => ["note", note] as const),
  ];
}
