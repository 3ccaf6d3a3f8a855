import { recordOf } from "../columns/record-of.ts";
import { findEqualNames } from "../findings/equal-names.ts";
import { getReportedDays } from "../findings/reported-days.ts";
import { parseReportOptions } from "../options/parse-report-options.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { resolveChosen } from "../options/resolve-chosen.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { readByReports } from "../published/read-outdated.ts";
import { rememberRows } from "../published/remember-rows.ts";
import type { ReportName } from "../report-name.ts";
import { reports } from "../reports.ts";
import { judgeCampaigns } from "./judge-campaigns.ts";
import { judgeData } from "./judge-data.ts";
import { judgeDevices } from "./judge-devices.ts";
import { judgePlays } from "./judge-plays.ts";
import { judgeUptime } from "./judge-uptime.ts";
import { type Finding, type OverviewSources, type Row, statuses, type Verdict } from "./verdict.ts";

export interface Overview {
  verdicts: readonly Verdict[];
  /** The worst three things of all, those of the worst verdicts first. */
  worst: readonly Finding[];
}

/** How everything stands, at a glance. */
export async function makeOverview(published: PublishedMart, now: Date): Promise<Overview> {
  const mart = rememberRows(readByReports(published));
  const wholeReport = (report: ReportName): Promise<ReportOptions> =>
    resolveChosen(mart, parseReportOptions({ report }));
  const sources: OverviewSources = {
    mart,
    now,
    names: await findEqualNames(mart),
    async read(report, changes = {}) {
      const build = await reports[report].load();
      const { columns, rows } = await build(mart, { ...(await wholeReport(report)), ...changes }, now);
      const found: Row[] = [];
      for await (const row of rows) found.push(recordOf(columns, row));
      return found;
    },
    periodOf: async (report) => (await getReportedDays(mart, await wholeReport(report), now)).period,
  };
  const verdicts: Verdict[] = [];
  for (const judge of [judgePlays, judgeCampaigns, judgeUptime, judgeDevices, judgeData])
    verdicts.push(await judge(sources));
  return { verdicts, worst: worstOf(verdicts) };
}

/** The worst thing of each verdict, then the second of each. */
function worstOf(verdicts: readonly Verdict[]): Finding[] {
  const ranked = [...verdicts].sort((a, b) => statuses.indexOf(b.status) - statuses.indexOf(a.status));
  const most = Math.max(0, ...ranked.map(({ worst }) => worst.length));
  const inTurn = Array.from({ length: most }, (_, place) =>
    ranked.flatMap(({ worst }) => worst[place] ?? []),
  );
  return inTurn.flat().slice(0, 3);
}
