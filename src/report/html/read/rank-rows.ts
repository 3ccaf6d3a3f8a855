import { sqlName, sqlText } from "../../../engines/sql-text.ts";
import type { Address } from "../../address/address.ts";
import { createDrillDown } from "../../address/drill-down.ts";
import type { ReportRows } from "../../catalog/report-entry.ts";
import { formatCount, formatPoints, formatQuantity, formatRelativeChange } from "../../text/readable-text.ts";
import { formatDates } from "../../text/spans.ts";
import { formatGroupedTitle, formatWord } from "../../text/titles.ts";
import type { Chart } from "../charts/chart.ts";
import type { PageSources, Row } from "../page-sources.ts";
import type { ReadCharts, TotalledPage } from "../report-page.ts";

/** Maximum bars of a chart, unless its ranking has a limit. */
const maxBars = 15;

export interface Ranking {
  title: string;
  /** Dimensions that group the rows. @default those of the page */
  by?: readonly string[];
  /** Rows from the catalog. @default those of the page */
  source?: ReportRows;
  /** SQL over a row `r`. */
  value: string;
  where?: string;
  /** Columns that identify a row. They order rows with equal values, after `order`. */
  keys: readonly string[];
  /** Order of the rows after their value, in SQL. */
  order?: string;
  /** True for ratios, 0 to 1. @default false */
  isShare?: boolean;
  /** @default false: the largest come first */
  isAscending?: boolean;
  limit?: number;
  /** Changes to the page's options. */
  changes?: Parameters<PageSources["aggregate"]>[1];
  headings: readonly [row: string, value: string];
  /** Noun for several rows. @default the heading of rows, with an s */
  rows?: (count: number) => string;
  textOf(value: number): string;
  labelOf(row: Row, page: TotalledPage): string;
  /** Replaces labels shared by several rows. */
  longLabelOf?(row: Row, page: TotalledPage): string;
  addressOf(row: Row, page: TotalledPage): Address | undefined;
  /** @default all rows */
  isWorthDrawing?(values: readonly number[]): boolean;
  /** A sentence after the summary. */
  note?(page: TotalledPage, values: readonly number[], all: number): string | undefined;
}

/** Draws the rows with the largest values. */
export function rank(ranking: Ranking): ReadCharts {
  return async (page) => {
    const { rows, values, all } = await readRanked(ranking, page, ranking.limit ?? maxBars);
    const [first] = rows;
    if (first === undefined || ranking.isWorthDrawing?.(values) === false) return [];
    const { title, headings, isAscending, note } = ranking;
    const quantity = ranking.rows?.(all) ?? formatQuantity(all, headings[0]);
    const summary = [
      `${quantity}; ${isAscending ? "lowest" : "most"}: ${first.label}, ${first.text}.`,
      ...(page.comparedWith ? [`Compared with ${formatDates(page.comparedWith, undefined)}.`] : []),
      ...(all > rows.length ? [`The first ${formatCount(rows.length)} are shown.`] : []),
      note?.(page, values, all),
    ]
      .filter(Boolean)
      .join(" ");
    return [{ kind: "ranking", title, summary, headings, rows }];
  };
}

/** Returns the first rows, and the number of all rows. */
export async function readRanked(ranking: Ranking, page: TotalledPage, limit: number) {
  const { by, value, where, order, isAscending, labelOf, longLabelOf } = ranking;
  const keys = ranking.keys.map(sqlName);
  const found = await page.aggregate(
    (rows) => `select r.*, cast(${value} as double) as ranked_value, count(*) over () as all_rows
      from ${rows}
      where ${where ?? `${value} is not null`}
      order by ${[`ranked_value${isAscending ? "" : " desc"}`, ...(order ? [order] : []), ...keys].join(", ")}
      limit ${limit}`,
    { ...(by && { by, measures: listMeasures(value) }), ...ranking.changes },
    ranking.source,
  );
  const changes = await readChanges(ranking, page, found);
  const labels = found.map((row) => labelOf(row, page));
  const rows = found.map((row, index) => {
    const label = labels[index] ?? "";
    const isRepeated = labels.indexOf(label) !== labels.lastIndexOf(label);
    const address = ranking.addressOf(row, page);
    return {
      label: (isRepeated && longLabelOf?.(row, page)) || label,
      value: Number(row.ranked_value),
      text: ranking.textOf(Number(row.ranked_value)),
      change: changes[index],
      href: address && page.link(address),
    };
  });
  return { rows, values: rows.map((row) => row.value), all: Number(found[0]?.all_rows ?? 0) };
}

/** Returns the change of each row since the compared period; nothing without a comparison. */
async function readChanges(
  { by, value, keys, isShare, changes, source }: Ranking,
  page: TotalledPage,
  rows: readonly Row[],
): Promise<string[]> {
  if (page.comparedWith === undefined || rows.length === 0) return [];
  const literal = (one: unknown) => (typeof one === "string" ? sqlText(one) : String(one ?? null));
  const isOneOf = rows.map((row) =>
    keys.map((key) => `${sqlName(key)} is not distinct from ${literal(row[key])}`).join(" and "),
  );
  const found = await page.aggregate(
    (all) =>
      `select r.*, cast(${value} as double) as ranked_value from ${all} where (${isOneOf.join(") or (")})`,
    { ...(by && { by, measures: listMeasures(value) }), ...changes },
    source,
    page.comparedWith,
  );
  const keyOf = (row: Row) => JSON.stringify(keys.map((key) => String(row[key])));
  const before = new Map(found.map((row) => [keyOf(row), Number(row.ranked_value ?? 0)]));
  return rows.map((row) => {
    const then = before.get(keyOf(row)) ?? 0;
    const change = Number(row.ranked_value) - then;
    if (change === 0) return "no change";
    const sign = change > 0 ? "+" : "-";
    if (isShare) return `${sign}${formatPoints(Math.abs(change), "pp")}`;
    return then === 0 ? "new" : `${sign}${formatRelativeChange(change, then)}`;
  });
}

function listMeasures(value: string): string[] {
  return Array.from(value.matchAll(/\br\.(\w+)/g), ([, name = ""]) => name);
}

/** Ranks the values of each attribute in `--by`; omits attributes with a single value or only zeros. */
export function rankAttributes(ranking: Pick<Ranking, "title" | "value" | "textOf">): ReadCharts {
  return async (page) => {
    const { options, request, period } = page;
    const names = options.attributes.map(({ name }) => name).filter((name) => options.by.includes(name));
    const charts: Chart[] = [];
    for (const name of names)
      charts.push(
        ...(await rank({
          ...ranking,
          title: formatGroupedTitle(ranking.title, [name]),
          by: [name],
          keys: [name],
          headings: [formatWord(name), ranking.title.toLowerCase()],
          rows: (count) => `${formatQuantity(count, "value")} of ${formatWord(name)}`,
          labelOf: (row) => String(row[name]),
          addressOf: (row) => createDrillDown(request, period, [name], row),
          isWorthDrawing: (values) => values.length > 1 && values.some((value) => value !== 0),
        })(page)),
      );
    return charts;
  };
}
