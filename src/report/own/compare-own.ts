import { ownError } from "../../mart/own/own-file.ts";
import { explainOwnError } from "../../mart/own/own-select.ts";
import { isFigure } from "../columns/readable-order.ts";
import { compareColumns } from "../columns/report-columns.ts";
import { findComparedDays } from "../compare/compared-statement.ts";
import { notComparable, noteDays } from "../compare/comparison-summary.ts";
import { join, quoted, type Sql, sql, toStatement } from "../compile/sql.ts";
import { comparedFigure } from "../figures.ts";
import type { ReportedDays } from "../findings/reported-days.ts";
import type { Compare, ReportOptions } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { ColumnType, Report, ReportColumn } from "../report.ts";
import { findStep, timeWords } from "../text/spans.ts";
import { listOwnColumns } from "./own-columns.ts";
import type { OwnReport } from "./own-report.ts";
import { ownStatement } from "./own-statement.ts";
import { pairOwnRows } from "./pair-periods.ts";

interface ComparedReport
  extends Pick<Report, "columns" | "notes">,
    Required<Pick<Report, "comparison" | "period">> {
  /** Selects its rows. */
  select: Sql;
}

/**
 * Compares an own report over two periods: joins rows with equal labels, which are texts, ids and the like, and dates,
 * weeks, months or quarters, which are paired in order.
 * @throws {VenueError} `OWN_FILE` if several rows have the same labels
 */
export async function compareOwn(
  mart: PublishedMart,
  options: ReportOptions,
  { own, compare, days: reported }: { own: OwnReport; compare: Compare; days: ReportedDays },
): Promise<ComparedReport> {
  const plain = await listOwnColumns(mart, own, ownStatement(own, { ...options, period: reported.period }));
  const labels = plain.filter((column) => !isFigure(column));
  const names = labels.map(({ name }) => name);
  const by = listSteps(own, labels);
  const days = findComparedDays({ ...options, by }, compare, reported);
  const { period, other, requested, requestedOther, isPossible } = days;
  const ofPeriod = ownStatement(own, { ...options, period });
  const ofOther = ownStatement(own, { ...options, period: other });
  for (const statement of [ofPeriod, ofOther]) await assertDistinct(mart, own, names, statement);
  const columns = compareColumns(plain, new Set(names), by).map(withComparedFigure);
  return {
    period,
    comparison: { requested, other, isPossible, summary: isPossible ? own.summary : notComparable },
    columns,
    select: pairOwnRows({
      ...{ ofPeriod: ofPeriod.select, ofOther: ofOther.select },
      ...{ columns, requested, requestedOther, isPossible },
      labels: names,
      step: findStep(by),
      isOrdered: /\border\s+by\b/i.test(own.sql),
    }),
    notes: isPossible ? noteDays({ ...options, by }, days) : [notComparable],
  };
}

/**
 * Returns the column whose values are paired in order, if any.
 * @throws {VenueError} `OWN_FILE` for other columns of dates or times, which differ between periods
 */
function listSteps(own: OwnReport, labels: readonly ReportColumn[]): string[] {
  const steps = labels.filter(({ name }) => (timeWords as readonly string[]).includes(name));
  const isUsable = ({ name, type }: ReportColumn) => type === (name === "date" ? "date" : "text");
  const [, second] = steps;
  const odd =
    steps.find((column) => !isUsable(column)) ??
    labels.find((column) => timeTypes.includes(column.type) && !steps.includes(column)) ??
    second;
  if (odd === undefined) return steps.map(({ name }) => name);
  throw ownError(
    `${own.path}: periods can't be compared with the column ${odd.name}. Rows over time take one column: date, week, month or quarter, as in the relation period.`,
  );
}

const timeTypes: readonly ColumnType[] = ["date", "instant", "local_time"];

async function assertDistinct(
  mart: PublishedMart,
  own: OwnReport,
  names: readonly string[],
  { select, lead }: ReturnType<typeof ownStatement>,
): Promise<void> {
  const group = names.length === 0 ? sql`` : sql` group by ${join(names.map(quoted))}`;
  const counted = sql`select count(*) as times from (\n${select}\n) as own${group} having count(*) > 1 limit 1`;
  const [found] = await mart.all<{ times: number }>(...toStatement(counted)).catch((error) => {
    throw explainOwnError(own, error, lead + 1);
  });
  if (found === undefined) return;
  throw ownError(
    `${own.path}: several rows have the same ${names.length === 0 ? "labels" : names.join(", ")}, so periods can't be compared. Add a column that distinguishes them.`,
  );
}

function withComparedFigure(column: ReportColumn): ReportColumn {
  const { compared, figure } = column;
  if (compared === undefined || figure === undefined) return column;
  return { ...column, figure: comparedFigure(figure, column.name, compared.is) };
}
