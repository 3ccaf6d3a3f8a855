import type { Link } from "../address/address.ts";
import { toRecord } from "../columns/report-columns.ts";
import { findEqualNames } from "../findings/names.ts";
import { getReportedDays } from "../findings/reported-days.ts";
import type { ReportOptions, ReportRequest } from "../options/report-options.ts";
import { buildAggregate } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report, ReportValue } from "../report.ts";
import { chooseReportFile } from "../report-file.ts";
import type { ReportName } from "../report-name.ts";
import { definitionOf, getReportFile, reports } from "../reports.ts";
import type { PageSources } from "./page-sources.ts";
import type { ReportPage } from "./report-page.ts";

interface PageContext {
  /** Options as requested, which addresses repeat. */
  request?: ReportRequest | undefined;
  /** @default no links */
  link?: Link | undefined;
  /** The report that provides the page's period and comparison. @default the requested dates, not compared */
  report?: Pick<Report, "period" | "comparison"> | undefined;
}

export async function describeReport(
  mart: PublishedMart,
  { compare: _compare, ...options }: ReportOptions,
  now: Date,
  {
    request: { compare: _requestCompare, ...request } = { ...options, chosen: {} },
    link,
    report,
  }: PageContext = {},
): Promise<ReportPage> {
  const describe = await loadDescription(options.report);
  const { comparison } = report ?? {};
  const reported = await getReportedDays(mart, options, now);
  const { dataDays, dataAsOf } = reported;
  const period = (comparison && report?.period) ?? reported.period;
  // `--top` limits the table but not the summary.
  const { top: _top, per: _per, ...kept } = options;
  const withChanges = (changes: Partial<ReportOptions>) => ({
    ...kept,
    ...period,
    by: [],
    forSentences: true,
    ...changes,
  });
  const page = await describe({
    mart,
    options,
    period,
    dataDays,
    dataAsOf,
    now,
    names: await findEqualNames(mart),
    request,
    comparedWith: comparison?.isPossible ? comparison.other : undefined,
    link: link ?? (() => undefined),
    async aggregate(selectFrom, changes = {}) {
      const { from: _from, to: _to, ...changed } = withChanges(changes);
      const file = chooseReportFile(getReportFile(changed.report), changed.by);
      const { takesPeriod = true } = definitionOf(changed);
      return await mart.all(
        ...buildAggregate(file, { ...changed, ...(takesPeriod && { period }) }, selectFrom),
      );
    },
    async read(changes) {
      const changed = withChanges(changes);
      const build = await reports[changed.report].load();
      const { columns, rows } = await build(mart, changed, now);
      const found: Record<string, ReportValue>[] = [];
      for await (const row of rows) found.push(toRecord(columns, row));
      return found;
    },
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

async function loadDescription(report: ReportName): Promise<DescribePage> {
  return await pages[report]();
}
