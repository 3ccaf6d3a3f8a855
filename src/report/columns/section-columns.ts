import type { ReportColumn } from "../report.ts";

/** Of a report that tells this and that, each in words of its own. */
export const sectionColumns: readonly ReportColumn[] = [
  { name: "section", type: "text" },
  { name: "subject", type: "text" },
  { name: "value", type: "text" },
  { name: "note", type: "text", wraps: true },
];
