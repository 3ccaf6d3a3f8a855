import type { Link } from "../address/address.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { buildAggregate } from "../options/report-statement.ts";
import type { Report } from "../report.ts";
import { chooseReportFile } from "../report-file.ts";
import type { ReportName } from "../report-name.ts";
import { definitionOf, getReportFile } from "../reports.ts";
import type { AnsweredReport } from "../request-context.ts";
import { readRecords } from "../rows/read-records.ts";
import type { PageSources } from "./page-sources.ts";
import type { ReportPage } from "./report-page.ts";

/**
 * Returns the content of a report's page, other than its rows; `undefined` for a query. Call it after reading the
 * rows, because it runs further statements.
 * @param link @default no links
 */
export async function describePage(
  {
    answer,
    context,
    period: ofRows,
    comparison,
  }: Pick<Report, "answer" | "period" | "comparison"> & Partial<Pick<AnsweredReport, "context">>,
  link: Link = () => undefined,
): Promise<ReportPage | undefined> {
  if (answer) return { ...answer, facts: [], charts: [] };
  if (context === undefined) return undefined;
  const { mart, now, days, names } = context;
  const { compare: _compare, ...options } = context.options;
  const { compare: _requested, ...request } = context.request;
  const describe = await pages[options.report]();
  const period = (comparison && ofRows) ?? days.period;
  const { dataDays, dataAsOf } = days;
  // `--top` limits the table but not the summary.
  const { top: _top, per: _per, ...kept } = options;
  const withChanges = (changes: Partial<ReportOptions>): ReportOptions => ({
    ...kept,
    by: [],
    forSentences: true,
    ...changes,
  });
  const page = await describe({
    ...{ mart, options, period, dataDays, dataAsOf, now, names, request, link },
    comparedWith: comparison?.isPossible ? comparison.other : undefined,
    async aggregate(selectFrom, changes = {}) {
      const { from: _from, to: _to, ...changed } = withChanges(changes);
      const file = chooseReportFile(getReportFile(changed.report), changed.by);
      const { takesPeriod = true } = definitionOf(changed);
      return await mart.all(
        ...buildAggregate(file, { ...changed, ...(takesPeriod && { period }) }, selectFrom),
      );
    },
    read: async (changes) => await readRecords(mart, withChanges(changes), period),
  });
  return comparison?.isPossible ? { ...page, headline: comparison.summary } : page;
}

type DescribePage = (sources: PageSources) => Promise<ReportPage>;

/** Page descriptions by report. To add one, add an entry and the file that it loads. */
const pages: Readonly<Record<ReportName, () => Promise<DescribePage>>> = {
  plays: async () => (await import("./pages/plays-page.ts")).describePlays,
  compliance: async () => (await import("./pages/compliance-page.ts")).describeCompliance,
  schedule: async () => (await import("./pages/schedule-page.ts")).describeSchedule,
  delivery: async () => (await import("./pages/delivery-page.ts")).describeDelivery,
  uptime: async () => (await import("./pages/uptime-page.ts")).describeUptime,
  outages: async () => (await import("./pages/outages-page.ts")).describeOutages,
  devices: async () => (await import("./pages/devices-page.ts")).describeDevices,
  "single-plays": async () => (await import("./pages/single-plays-page.ts")).describeSinglePlays,
  loads: async () => (await import("./pages/loads-page.ts")).describeLoads,
  rejects: async () => (await import("./pages/loads-page.ts")).describeRejects,
  quality: async () => (await import("./pages/quality-page.ts")).describeQuality,
  silences: async () => (await import("./pages/silences-page.ts")).describeSilences,
  own: async () => (await import("./pages/own-page.ts")).describeOwn,
};
