import { customError } from "../../mart/custom/custom-file.ts";
import { explainCustomError } from "../../mart/custom/custom-select.ts";
import { compareColumns } from "../columns/list-columns.ts";
import { isFigure } from "../columns/readable-order.ts";
import { findComparedDays } from "../compare/compared-statement.ts";
import { notComparable, noteDays } from "../compare/comparison-summary.ts";
import { join, quoted, type Sql, sql, toStatement } from "../compile/sql.ts";
import { comparedFigure } from "../figures.ts";
import type { ReportedDays } from "../findings/reported-days.ts";
import type { Compare, ReportOptions } from "../options/request-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { ColumnType, Report, ReportColumn } from "../result-types.ts";
import { findStep, timeWords } from "../text/spans.ts";
import { listCustomColumns } from "./custom-columns.ts";
import type { CustomReport } from "./custom-report.ts";
import { customStatement } from "./custom-statement.ts";
import { pairCustomRows } from "./pair-periods.ts";

interface ComparedReport
  extends Pick<Report, "columns" | "notes">,
    Required<Pick<Report, "comparison" | "period">> {
  /** Selects its rows. */
  select: Sql;
}

/**
 * Compares a custom report over two periods: joins rows with equal labels, such as texts and ids, and pairs dates,
 * weeks, months or quarters in order.
 * @throws {VenueError} `OWN_FILE` if several rows have the same labels
 */
export async function compareCustom(
  mart: PublishedMart,
  options: ReportOptions,
  { custom, compare, days: reported }: { custom: CustomReport; compare: Compare; days: ReportedDays },
): Promise<ComparedReport> {
  const plain = await listCustomColumns(
    mart,
    custom,
    customStatement(custom, { ...options, period: reported.period }),
  );
  const labels = plain.filter((column) => !isFigure(column));
  const names = labels.map(({ name }) => name);
  const by = listSteps(custom, labels);
  const days = findComparedDays({ ...options, by }, compare, reported);
  const { period, other, requested, requestedOther, isPossible } = days;
  const ofPeriod = customStatement(custom, { ...options, period });
  const ofOther = customStatement(custom, { ...options, period: other });
  for (const statement of [ofPeriod, ofOther]) await assertDistinct(mart, custom, names, statement);
  const columns = compareColumns(plain, new Set(names), by).map(withComparedFigure);
  return {
    period,
    comparison: { requested, other, isPossible, summary: isPossible ? custom.summary : notComparable },
    columns,
    select: pairCustomRows({
      ...{ ofPeriod: ofPeriod.select, ofOther: ofOther.select },
      ...{ columns, requested, requestedOther, isPossible },
      labels: names,
      step: findStep(by),
      isOrdered: /\border\s+by\b(?![^()]*\))/i.test(custom.sql.replaceAll(/--[^\n]*/g, "")),
    }),
    notes: isPossible ? noteDays({ ...options, by }, days) : [notComparable],
  };
}

/**
 * Returns the column whose values are paired in order, if any.
 * @throws {VenueError} `OWN_FILE` for other columns of dates or times, which differ between periods
 */
function listSteps(custom: CustomReport, labels: readonly ReportColumn[]): string[] {
  const steps = labels.filter(({ name }) => (timeWords as readonly string[]).includes(name));
  const isUsable = ({ name, type }: ReportColumn) => type === (name === "date" ? "date" : "text");
  const [, second] = steps;
  const odd =
    steps.find((column) => !isUsable(column)) ??
    labels.find((column) => timeTypes.includes(column.type) && !steps.includes(column)) ??
    second;
  if (odd === undefined) return steps.map(({ name }) => name);
  throw customError(
    `${custom.path}: periods can't be compared with the column ${odd.name}. Rows over time need one column: date, week, month or quarter, as in the relation period.`,
  );
}

const timeTypes: readonly ColumnType[] = ["date", "instant", "local_time"];

async function assertDistinct(
  mart: PublishedMart,
  custom: CustomReport,
  names: readonly string[],
  { select, lead }: ReturnType<typeof customStatement>,
): Promise<void> {
  const group = names.length === 0 ? sql`` : sql` group by ${join(names.map(quoted))}`;
  const counted = sql`select count(*) as times from (\n${select}\n) as own${group} having count(*) > 1 limit 1`;
  const [found] = await mart.all<{ times: number }>(...toStatement(counted)).catch((error) => {
    throw explainCustomError(custom, error, lead + 1);
  });
  if (found === undefined) return;
  throw customError(
    `${custom.path}: several rows have the same ${names.length === 0 ? "labels" : names.join(", ")}, so periods can't be compared. Add a column that distinguishes them.`,
  );
}

function withComparedFigure(column: ReportColumn): ReportColumn {
  const { compared, figure } = column;
  if (compared === undefined || figure === undefined) return column;
  return { ...column, figure: comparedFigure(figure, column.name, compared.is) };
}
