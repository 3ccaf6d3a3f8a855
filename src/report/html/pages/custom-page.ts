import { sqlName } from "../../../engines/sql-text.ts";
import { countDaysBetween } from "../../../util/local-date.ts";
import { isId } from "../../columns/readable-order.ts";
import { listCustomColumns } from "../../custom/custom-columns.ts";
import { type CustomRanking, isOfPeriod, listPlaceholders } from "../../custom/custom-report.ts";
import { customStatement } from "../../custom/custom-statement.ts";
import { figureOfColumn } from "../../figures.ts";
import type { ReportColumn } from "../../result-types.ts";
import { formatPercent } from "../../text/cell-text.ts";
import { formatDay, formatQuantity } from "../../text/readable-text.ts";
import type { PageSources } from "../page-sources.ts";
import { createShareChart, listDays, summarizeRange } from "../read/draw-steps.ts";
import { formatFigure } from "../read/list-facts.ts";
import { rank } from "../read/rank-rows.ts";
import type { PageDeclaration, ReadCharts } from "../report-page.ts";

/** Declares a custom report's page: the first sentence of its header, and a chart of a date or a ratio. */
export async function declareCustom({ mart, options, period }: PageSources): Promise<PageDeclaration> {
  const { custom } = options;
  if (custom === undefined) throw new Error("a custom report without its file");
  const columns = await listCustomColumns(mart, custom, customStatement(custom, { ...options, period }));
  const { headline, ranking } = custom;
  return {
    total: async () => ({}),
    headline: (page) => (headline === undefined ? custom.summary : fillHeadline(headline, columns, page)),
    facts: [],
    charts: ranking ? [rankRows(ranking, columns)] : chooseCharts(columns),
  };
}

async function fillHeadline(
  headline: string,
  columns: readonly ReportColumn[],
  { sum }: PageSources,
): Promise<string> {
  const placeholders = listPlaceholders(headline);
  const selected = placeholders.map(({ is, column }, index) => [
    `value_${index}`,
    column === undefined ? "count(*)" : `${is}(${sqlName(column)})`,
  ]);
  const values = await sum(Object.fromEntries(selected));
  return placeholders.reduce((text, { text: placeholder, column: name }, index) => {
    const value = values[`value_${index}`] ?? null;
    const column = columns.find((one) => one.name === name);
    const written =
      column?.type === "date" && value !== null
        ? formatDay(String(value))
        : formatFigure(value, column?.unit);
    return text.replace(placeholder, () => written);
  }, headline);
}

function rankRows({ value, label }: CustomRanking, columns: readonly ReportColumn[]): ReadCharts {
  const [figure, name] = [value, label].map((one) => columns.find((column) => column.name === one));
  const [title, noun] = [figure, name].map((column) => (column ? figureOfColumn(column).label : ""));
  return rank({
    title: `${title} by ${noun?.toLowerCase()}`,
    value: `r.${sqlName(value)}`,
    keys: [label],
    isShare: figure?.unit === "share",
    headings: [noun?.toLowerCase() ?? "", title?.toLowerCase() ?? ""],
    rows: (count) => formatQuantity(count, "row"),
    textOf: (amount) => formatFigure(amount, figure?.unit),
    labelOf: (row) => String(row[label] ?? "(none)"),
    addressOf: () => undefined,
  });
}

/** Maximum days of a chart: a date in a file may be centuries away. */
const mostDays = 800;

function chooseCharts(columns: readonly ReportColumn[]): ReadCharts[] {
  const date = columns.find(({ type }) => type === "date");
  const share = columns.find(({ type }) => type === "share");
  const label = columns.find(({ name, type }) => type === "text" && name.endsWith("_name"));
  const count = columns.find((column) => isCount(column));
  if (date && count) return [countPerDay(date, count)];
  if (date && share) return [sharePerDay(date, share)];
  return label && share ? [rankShares(label, share)] : [];
}

/** Returns true for integers that can be added up. */
function isCount(column: ReportColumn): boolean {
  const isAdded = column.unit === undefined || column.unit === "count";
  return (
    column.type === "integer" &&
    isAdded &&
    !isId(column) &&
    !/(^|_)(year|quarter|month|week|hour)$/.test(column.name)
  );
}

function countPerDay(date: ReportColumn, count: ReportColumn): ReadCharts {
  return async (page) => {
    const { custom } = page.options;
    const rows = await readDated(page, date, `cast(sum(${sqlName(count.name)}) as double)`, true);
    const shown = custom && isOfPeriod(custom) ? page.period : spanOf(rows);
    if (rows.length === 0 || shown === undefined) return [];
    const { label } = figureOfColumn(count);
    const days = listDays(page, shown, new Map(rows.map((row) => [row.date, Number(row.value)])));
    const [title, unit] = [`${label} by date`, label.toLowerCase()];
    return [{ kind: "per-day", title, summary: summarizeRange(days), unit, days }];
  };
}

/** Draws a ratio per day, unless a day has several rows, because ratios cannot be added. */
function sharePerDay(date: ReportColumn, share: ReportColumn): ReadCharts {
  return async (page) => {
    const rows = await readDated(page, date, `cast(${sqlName(share.name)} as double)`, false);
    const period = spanOf(rows);
    if (period === undefined || new Set(rows.map((row) => row.date)).size < rows.length) return [];
    const { label } = figureOfColumn(share);
    const look = { title: `${label} by date`, unit: label.toLowerCase(), target: undefined };
    const shares = new Map(rows.map((row) => [row.date, row.value]));
    return createShareChart(look, listDays(page, period, shares, null));
  };
}

interface DatedValue {
  date: string;
  value: number | null;
}

async function readDated(
  { aggregate }: PageSources,
  { name }: ReportColumn,
  value: string,
  isSum: boolean,
): Promise<DatedValue[]> {
  const rows = await aggregate(
    (rows) =>
      `select ${sqlName(name)} as date, ${value} as value from ${rows} where ${sqlName(name)} is not null ${isSum ? "group by 1" : ""} order by 1`,
  );
  return rows.map(({ date, value: found = null }) => ({
    date: String(date),
    value: found === null ? null : Number(found),
  }));
}

/** Returns the first and last date; `undefined` if there are none, or too many days between them. */
function spanOf(rows: readonly DatedValue[]): { from: string; to: string } | undefined {
  const [from, to] = [rows[0]?.date, rows.at(-1)?.date];
  if (from === undefined || to === undefined || countDaysBetween(from, to) >= mostDays) return undefined;
  return { from, to };
}

function rankShares(label: ReportColumn, share: ReportColumn): ReadCharts {
  const [name, figure] = [figureOfColumn(label).label, figureOfColumn(share).label];
  return rank({
    title: `${figure} by ${name.toLowerCase()}`,
    value: `r.${sqlName(share.name)}`,
    where: `${sqlName(share.name)} is not null and ${sqlName(label.name)} is not null`,
    isAscending: true,
    keys: [label.name],
    isShare: true,
    headings: [name.toLowerCase(), figure.toLowerCase()],
    rows: (count) => formatQuantity(count, "row"),
    textOf: (value) => formatPercent(value),
    labelOf: (row) => String(row[label.name]),
    addressOf: () => undefined,
  });
}
