import { sql } from "../compile/sql.ts";
import type { AggregateReport } from "./aggregate-report.ts";
import { campaignPlays } from "./campaign-plays.ts";
import { daypartPlays } from "./daypart-plays.ts";
import { selectOutsideHours } from "./outside-hours.ts";
import { playRows } from "./play-rows.ts";
import type { ReportEntry } from "./report-entry.ts";
import { shareOfPlays } from "./share-of-plays.ts";

const report: AggregateReport & ReportEntry = {
  ...playRows,
  sources: [
    {
      rows: selectOutsideHours,
      keys: ["zone", "item", "artist", "kind", "date", "hour"],
      isLarge: true,
      isOffered: ({ only }) => only !== undefined,
    },
    ...playRows.sources,
  ],
  // `--only` selects the first source, which contains only plays in this state.
  isInState: () => sql`true`,
  summary: "what played, and how often",
  states: ["outside_hours"],
  isCountedByState: true,
  statesTitle: "only … plays",
  variants: { campaign: campaignPlays, daypart: daypartPlays },
  top: "largest",
  pageOrder: "plays",
  compared: "plays",
  collected: ["history"],
  dataOf: ["history"],
  notes: ["other-period", "dayparts", "outside-hours"],
  steps: ["zone", "date"],
};

export const plays: AggregateReport & ReportEntry = {
  ...report,
  byCampaignAttributes: {
    ...report,
    ...shareOfPlays,
    variants: {},
    pageOrder: "weighted_plays",
    compared: "weighted_plays",
    isOfContent: true,
    leadsToCampaigns: true,
    notes: ["other-period", "divided-plays"],
  },
};
