import type { AggregateReport } from "./aggregate-report.ts";
import { campaignPlays } from "./campaign-plays.ts";
import { daypartPlays } from "./daypart-plays.ts";
import { playRows } from "./play-rows.ts";
import type { ReportEntry } from "./report-entry.ts";

export const plays: AggregateReport & ReportEntry = {
  ...playRows,
  summary: "what played, and how often",
  variants: { campaign: campaignPlays, daypart: daypartPlays },
  top: "largest",
  pageOrder: "plays",
  compared: "plays",
  collected: ["history"],
  dataOf: ["history"],
  notes: ["other-period", "dayparts"],
  steps: ["zone", "date"],
};
