import { sqlName } from "../../../engines/sql-text.ts";
import { countDaysBetween, listDaysBetween } from "../../../util/local-date.ts";
import { isId } from "../../columns/readable-order.ts";
import { figureOfColumn } from "../../figures.ts";
import { listOwnColumns } from "../../own/own-columns.ts";
import { isOfPeriod } from "../../own/own-report.ts";
import { type OwnStatement, ownStatement } from "../../own/own-statement.ts";
import type { ReportColumn } from "../../report.ts";
import { formatPercent } from "../../text/cell-text.ts";
import { formatCount, formatDayInYear } from "../../text/readable-text.ts";
import { getDayData } from "../../text/spans.ts";
import type { Chart, PerDayChart, RankingChart, TargetChart } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";

/** Describes a report from a user's file: its header's first sentence, and a chart of a date or a share. */
export async function describeOwn(sources: PageSources): Promise<ReportPage> {
  const { mart, options, period } = sources;
  const { own } = options;
  if (own === undefined) throw new Error("an own report without its file");
  const statement = ownStatement(own, { ...options, period });
  const columns = await listOwnColumns(mart, own, statement);
  return { headline: own.summary, facts: [], charts: await drawOwn(sources, columns, statement) };
}

/** Maximum days of a chart: a date in a file may be centuries away. */
const mostDays = 800;

async function drawOwn(
  sources: PageSources,
  columns: readonly ReportColumn[],
  statement: OwnStatement,
): Promise<Chart[]> {
  const date = columns.find(({ type }) => type === "date");
  const share = columns.find(({ type }) => type === "share");
  const label = columns.find(({ name, type }) => type === "text" && name.endsWith("_name"));
  const count = columns.find((column) => isCount(column));
  if (date && count) return await countPerDay(sources, statement, date, count);
  if (date && share) return await sharePerDay(sources, statement, date, share);
  if (label && share) return await rankShares(sources, statement, label, share);
  return [];
}

/** Returns true for whole numbers that can be added. */
function isCount(column: ReportColumn): boolean {
  const isAdded = column.unit === undefined || column.unit === "count";
  return (
    column.type === "integer" &&
    isAdded &&
    !isId(column) &&
    !/(^|_)(year|quarter|month|week|hour)$/.test(column.name)
  );
}

async function countPerDay(
  { mart, options: { own }, period, dataDays }: PageSources,
  { sql, parameters }: OwnStatement,
  date: ReportColumn,
  count: ReportColumn,
): Promise<PerDayChart[]> {
  const day = sqlName(date.name);
  const rows = await mart.all<{ day: string; value: number }>(
    `select ${day} as day, cast(sum(${sqlName(count.name)}) as double) as value
    from (\n${sql}\n) as own where ${day} is not null group by ${day} order by ${day}`,
    parameters,
  );
  const [first, last] = [rows[0]?.day, rows.at(-1)?.day];
  if (first === undefined || last === undefined) return [];
  const shown = own && isOfPeriod(own) ? period : { from: first, to: last };
  if (countDaysBetween(shown.from, shown.to) >= mostDays) return [];
  const values = new Map(rows.map((row) => [row.day, Number(row.value)]));
  const most = rows.reduce((best, row) => (Number(row.value) > Number(best.value) ? row : best));
  const { label } = figureOfColumn(count);
  return [
    {
      kind: "per-day",
      title: `${label} by date`,
      summary: `Most on ${formatDayInYear(most.day, shown.to)} (${formatCount(Number(most.value))}).`,
      unit: label.toLowerCase(),
      days: listDaysBetween(shown.from, shown.to).map((of) => {
        const data = getDayData(of, dataDays);
        return { date: of, value: values.get(of) ?? (data === "none" ? null : 0), data };
      }),
    },
  ];
}

/** Shares of several rows of a day cannot be added. */
async function sharePerDay(
  { mart, dataDays }: PageSources,
  { sql, parameters }: OwnStatement,
  date: ReportColumn,
  share: ReportColumn,
): Promise<TargetChart[]> {
  const rows = await mart.all<{ day: string; share: number | null }>(
    `select ${sqlName(date.name)} as day, cast(${sqlName(share.name)} as double) as share
    from (\n${sql}\n) as own where ${sqlName(date.name)} is not null order by 1`,
    parameters,
  );
  const shares = new Map(rows.map((row) => [row.day, row.share]));
  const [first, last] = [rows[0]?.day, rows.at(-1)?.day];
  if (
    first === undefined ||
    last === undefined ||
    shares.size < rows.length ||
    countDaysBetween(first, last) >= mostDays
  )
    return [];
  const { label } = figureOfColumn(share);
  const [lowest] = rows
    .filter((row) => row.share !== null)
    .toSorted((a, b) => Number(a.share) - Number(b.share));
  return [
    {
      kind: "target",
      title: `${label} by date`,
      summary: lowest
        ? `Lowest on ${formatDayInYear(lowest.day, last)} (${formatPercent(Number(lowest.share))}).`
        : "No day has a value.",
      unit: label.toLowerCase(),
      days: listDaysBetween(first, last).map((day) => ({
        date: day,
        share: shares.get(day) ?? null,
        data: getDayData(day, dataDays),
      })),
    },
  ];
}

const shownRows = 15;

async function rankShares(
  { mart }: PageSources,
  { sql, parameters }: OwnStatement,
  label: ReportColumn,
  share: ReportColumn,
): Promise<RankingChart[]> {
  const rows = await mart.all<{ label: string; share: number; rows: number }>(
    `select ${sqlName(label.name)} as label, cast(${sqlName(share.name)} as double) as share,
      count(*) over () as rows
    from (\n${sql}\n) as own
    where ${sqlName(share.name)} is not null and ${sqlName(label.name)} is not null
    order by 2, 1 limit ${shownRows}`,
    parameters,
  );
  if (rows.length === 0) return [];
  const [name, figure] = [figureOfColumn(label).label, figureOfColumn(share).label];
  const all = Number(rows[0]?.rows ?? 0);
  return [
    {
      kind: "ranking",
      title: `${figure} by ${name.toLowerCase()}`,
      summary: all > rows.length ? `The ${rows.length} lowest of ${formatCount(all)}.` : "Lowest first.",
      headings: [name.toLowerCase(), figure.toLowerCase()],
      rows: rows.map((row) => ({
        label: row.label,
        value: Number(row.share),
        text: formatPercent(Number(row.share), 1),
      })),
    },
  ];
}
