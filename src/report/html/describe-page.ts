import { sqlName } from "../../engines/sql-text.ts";
import type { Link } from "../address/address.ts";
import { catalog } from "../catalog/catalog.ts";
import { chooseRows, takesPeriod } from "../catalog/report-entry.ts";
import { customStatement } from "../custom/custom-statement.ts";
import { aggregateRows, compileRows } from "../options/build-statement.ts";
import type { ReportOptions } from "../options/request-options.ts";
import type { ReportName } from "../report-name.ts";
import type { AnsweredReport, RequestContext } from "../request-context.ts";
import type { Report } from "../result-types.ts";
import { readRecords } from "../rows/read-records.ts";
import { formatQuantity } from "../text/readable-text.ts";
import { formatCoveredPeriod } from "../text/spans.ts";
import type { Chart } from "./charts/chart.ts";
import type { Changes, PageSources, Row } from "./page-sources.ts";
import { listFacts } from "./read/list-facts.ts";
import type { PageDeclaration, ReportPage } from "./report-page.ts";

/**
 * Returns the content of a report's page, other than its rows; `undefined` for a query. Call it after the rows are
 * read, because it runs further statements.
 * @param link @default no links
 * @param hasCharts false omits charts, which take most of the time
 */
export async function describePage(
  {
    answer,
    context,
    period,
    comparison,
  }: Pick<Report, "answer" | "period" | "comparison"> & Partial<Pick<AnsweredReport, "context">>,
  link: Link = () => undefined,
  { hasCharts = true } = {},
): Promise<ReportPage | undefined> {
  if (answer) return { ...answer, facts: [], charts: [] };
  if (context === undefined) return undefined;
  const comparedWith = comparison?.isPossible ? comparison.other : undefined;
  const sources = createSources(context, { period: comparison && period, comparedWith, link });
  const declare = (await pages[context.options.report]?.()) ?? declareRows;
  const declared = await declare(sources);
  const page = await readPage(hasCharts ? declared : { ...declared, charts: [] }, sources);
  return comparison?.isPossible ? { ...page, headline: comparison.summary } : page;
}

/** Reads the data that a page declares. */
async function readPage(declared: PageDeclaration, sources: PageSources): Promise<ReportPage> {
  const { heading, explain, headline, coverage, facts, breakdown, hrefOf } = declared;
  const total = (await (declared.total?.(sources) ?? sources.read({}).then(([row]) => row))) ?? {};
  const page = {
    ...{ ...sources, total, when: formatCoveredPeriod(sources.period, sources.dataDays) },
    count: (name: string) => Number(total[name] ?? 0),
  };
  const unknown = await explain?.(page);
  const charts: Chart[] = [];
  for (const readCharts of declared.charts) charts.push(...(await readCharts(page)));
  return {
    ...(heading !== undefined && { heading }),
    headline: unknown ?? (await headline(page)),
    ...(coverage && { coverage: await coverage(page) }),
    facts: unknown === undefined ? await listFacts(facts, page) : [],
    charts,
    ...(breakdown && { breakdown: await breakdown(page) }),
    ...(hrefOf && { hrefOf }),
  };
}

function createSources(
  { mart, now, days, names, ...context }: RequestContext,
  {
    period = days.period,
    ...shown
  }: { period: Report["period"]; comparedWith: Report["period"]; link: Link },
): PageSources {
  const { compare: _compare, ...options } = context.options;
  const { compare: _requested, ...request } = context.request;
  // `--top` limits the table but not the summary.
  const { top: _top, per: _per, ...kept } = options;
  const withChanges = ({ report, ...changes }: Changes): ReportOptions => ({
    ...{ ...kept, by: [], forSentences: true },
    ...changes,
    ...(report && { report, entry: catalog[report] }),
  });
  // Results are cached, because the headline, key numbers and charts share some rows.
  const known = new Map<string, Promise<Row[]>>();
  const readOnce = (request: readonly unknown[], read: () => Promise<Row[]>) => {
    const key = JSON.stringify(request);
    const rows = known.get(key) ?? read();
    known.set(key, rows);
    return rows;
  };
  const aggregate: PageSources["aggregate"] = (selectFrom, changes = {}, counted, of = period) => {
    const { from: _from, to: _to, ...changed } = withChanges(changes);
    const inputs = { ...changed, period: of };
    const rows = changed.custom
      ? customStatement(changed.custom, inputs).select
      : compileRows(counted ?? chooseRows(changed.entry, changed.by), inputs);
    const statement = aggregateRows(rows, selectFrom);
    return readOnce(statement, () => mart.all(...statement));
  };
  return {
    ...{ mart, options, period, dataDays: days.dataDays, dataAsOf: days.dataAsOf, now, names, request },
    ...{ ...shown, aggregate },
    async sum(aggregates, changes) {
      const columns = Object.entries(aggregates).map(([name, of]) => `${of} as ${sqlName(name)}`);
      const [row = {}] = await aggregate((rows) => `select ${columns.join(", ")} from ${rows}`, changes);
      return row;
    },
    read: (changes, of = period) =>
      readOnce([changes, of], () => readRecords(mart, withChanges(changes), of)),
  };
}

type DeclarePage = (sources: PageSources) => PageDeclaration | Promise<PageDeclaration>;

/** Declares the page of a report that has no specific page. It shows the number of rows. */
function declareRows({ options }: PageSources): PageDeclaration {
  return {
    total: ({ sum }) => sum({ rows: "count(*)" }),
    headline: ({ count, when }) =>
      `${count("rows") === 0 ? "No rows" : formatQuantity(count("rows"), "row")}${takesPeriod(options.entry) ? ` ${when}` : ""}.`,
    facts: [],
    charts: [],
  };
}

/** Pages by report. To add one, add an entry and the file that it loads. */
const pages: Readonly<Partial<Record<ReportName, () => Promise<DeclarePage>>>> = {
  plays: async () => (await import("./pages/plays-page.ts")).declarePlays,
  compliance: async () => (await import("./pages/compliance-page.ts")).declareCompliance,
  schedule: async () => (await import("./pages/schedule-page.ts")).declareSchedule,
  delivery: async () => (await import("./pages/delivery-page.ts")).declareDelivery,
  impressions: async () => (await import("./pages/impressions-page.ts")).declareImpressions,
  stores: async () => (await import("./pages/stores-page.ts")).declareStores,
  uptime: async () => (await import("./pages/uptime-page.ts")).declareUptime,
  outages: async () => (await import("./pages/outages-page.ts")).declareOutages,
  devices: async () => (await import("./pages/devices-page.ts")).declareDevices,
  "single-plays": async () => (await import("./pages/single-plays-page.ts")).declareSinglePlays,
  loads: async () => (await import("./pages/loads-page.ts")).declareLoads,
  rejects: async () => (await import("./pages/loads-page.ts")).declareRejects,
  quality: async () => (await import("./pages/quality-page.ts")).declareQuality,
  silences: async () => (await import("./pages/outages-page.ts")).declareSilences,
  repeats: async () => (await import("./pages/repeats-page.ts")).declareRepeats,
  own: async () => (await import("./pages/custom-page.ts")).declareCustom,
};
