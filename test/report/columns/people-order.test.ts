import { expect, it } from "vitest";
import { orderForPeople } from "../../../src/report/columns/people-order.ts";
import { reportColumns } from "../../../src/report/columns/report-columns.ts";
import type { ReportName } from "../../../src/report/report-name.ts";
import { reports } from "../../../src/report/reports.ts";

/** The first and the last columns, as people read them. */
function ordered(report: ReportName, by: readonly string[]): { leading: string[]; last: string[] } {
  const columns = reportColumns(reports[report].file, by);
  const { positions, leading } = orderForPeople(columns, reports[report].threshold);
  const names = positions.map((position) => columns[position]?.name ?? "");
  expect(names.toSorted()).toEqual(columns.map(({ name }) => name).toSorted());
  return { leading: names.slice(0, leading), last: names.slice(-2) };
}

it.each<[ReportName, string[], string[], string[]]>([
  ["compliance", ["campaign"], ["campaign_name", "kind", "compliance"], ["campaign_key", "campaign_id"]],
  ["uptime", ["zone", "date"], ["zone_name", "date", "availability"], ["resolution_seconds", "zone_id"]],
  ["plays", ["hour"], ["hour"], ["zones", "items"]],
  ["outages", [], ["zone_name", "location_name", "down_seconds"], ["zone_id", "device_id"]],
  ["quality", [], ["section", "subject", "value", "note"], ["value", "note"]],
])("%s by %j begins with what rows are about, and ends with ids", (report, by, leading, last) => {
  expect(ordered(report, by)).toEqual({ leading, last });
});

it("keeps ids first where nothing else tells rows apart", () => {
  const columns = [
    { name: "device_id", type: "integer" },
    { name: "availability", type: "share" },
  ] as const;
  expect(orderForPeople(columns, "availability")).toEqual({ positions: [0, 1], leading: 2 });
});
