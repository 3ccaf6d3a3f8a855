import type { ReportColumn } from "../report.ts";

/** What words of `--by` that several reports know bring as columns. */
export const byColumns = {
  group: [
    { name: "group_id", type: "integer" },
    { name: "group_name", type: "text" },
  ],
  location: [
    { name: "location_id", type: "integer" },
    { name: "location_name", type: "text" },
  ],
  zone: [
    { name: "zone_id", type: "integer" },
    { name: "zone_name", type: "text" },
  ],
  date: [{ name: "date", type: "date" }],
  week: [{ name: "week", type: "text" }],
  month: [{ name: "month", type: "text" }],
} as const satisfies Record<string, readonly ReportColumn[]>;
