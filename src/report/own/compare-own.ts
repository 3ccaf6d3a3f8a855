import { sqlName } from "../../engines/sql-text.ts";
import { ownError } from "../../mart/own/own-file.ts";
import { explainOwnError } from "../../mart/own/own-select.ts";
import { inferUnit } from "../columns/query-columns.ts";
import { compareColumns, pickColumns } from "../columns/report-columns.ts";
import { findComparedDays, joinPeriods, pairSteps } from "../compare/compared-statement.ts";
import { noteDays } from "../compare/comparison-summary.ts";
import { comparedFigure } from "../figures.ts";
import type { ReportedDays } from "../findings/reported-days.ts";
import type { Compare, ReportOptions } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { sortRows } from "../published/row-cache.ts";
import type { Report, ReportColumn } from "../report.ts";
import { isNumeric } from "../text/cell-text.ts";
import { chooseOrder, listOwnColumns } from "./own-columns.ts";
import type { OwnReport } from "./own-report.ts";
import { ownStatement } from "./own-statement.ts";

interface Compared extends ReportedDays {
  own: OwnReport;
  compare: Compare;
}

type ComparedReport = Pick<
  Report,
  "period" | "dataDays" | "dataAsOf" | "comparison" | "columns" | "rows" | "notes"
>;

/**
 * Runs an own report over two periods, and joins rows with equal labels: texts, ids and the like, and dates,
 * which are paired in order.
 * @throws {VenueError} `OWN_FILE` if several rows have the same labels
 */
export async function compareOwn(
  mart: PublishedMart,
  options: ReportOptions,
  { own, compare, ...reported }: Compared,
): Promise<ComparedReport> {
  const first = ownStatement(own, { ...options, period: reported.period });
  const plain = await listOwnColumns(mart, own, first);
  assertPlain(own, plain);
  const labels = plain.filter((column) => !isFigure(column));
  const names = labels.map(({ name }) => name);
  const by = names.filter((name) => name === "date");
  const days = findComparedDays({ ...options, by }, compare, reported);
  const { period, other, requested, isPossible } = days;
  const [ofPeriod, ofOther] = [period, other].map((of) => ownStatement(own, { ...options, period: of }));
  if (ofPeriod === undefined || ofOther === undefined) throw new Error("a comparison without periods");
  await assertDistinct(mart, own, names, ofPeriod);
  const columns = compareColumns(plain, new Set(names), ["date"]).map(withComparedFigure);
  const steps = by.length > 0 ? pairSteps("date", period, other) : undefined;
  const sql = joinPeriods({
    ofPeriod: ofPeriod.sql,
    ofOther: ofOther.sql,
    columns,
    labels: names,
    isPossible,
    join:
      names.length === 0
        ? "cross join of_other as t"
        : `full join of_other as t on ${names.map(sameLabel).join(" and ")}`,
    ...(steps && { steps }),
    order: names,
  });
  const parameters = [...(steps?.values ?? []), ...ofPeriod.parameters, ...ofOther.parameters];
  const all = columns.map(({ name }) => name);
  const stream = await sortRows(mart, chooseOrder(options, all))
    .stream(sql, parameters)
    .catch((error) => {
      throw explainOwnError(own, error, Number.POSITIVE_INFINITY);
    });
  return {
    ...reported,
    period,
    comparison: { requested, other, isPossible, summary: own.summary },
    columns,
    rows: pickColumns(stream, columns).rows,
    notes: noteDays({ ...options, by }, days),
  };
}

/** The joined statement names the columns without quotes. */
function assertPlain(own: OwnReport, columns: readonly ReportColumn[]): void {
  const odd = columns.find(({ name }) => !/^[a-z_]\w*$/i.test(name));
  if (odd === undefined) return;
  throw ownError(
    `${own.path}: the column ${JSON.stringify(odd.name)} can't be compared. Name it with letters, digits and _.`,
  );
}

function isFigure(column: ReportColumn): boolean {
  const unit = column.unit ?? inferUnit(column);
  return isNumeric(column) && unit !== "id" && unit !== "ordinal";
}

/** Compares values of every type, also unknown ones. */
function sameLabel(name: string): string {
  if (name === "date") return "n.date = t.step";
  const text = (side: string) => `coalesce(cast(${side}.${sqlName(name)} as varchar), '')`;
  return `${text("n")} = ${text("t")}`;
}

async function assertDistinct(
  mart: PublishedMart,
  own: OwnReport,
  names: readonly string[],
  { sql, parameters, lead }: ReturnType<typeof ownStatement>,
): Promise<void> {
  const group = names.length === 0 ? "" : ` group by ${names.map(sqlName).join(", ")}`;
  const [found] = await mart
    .all<{ times: number }>(
      `select count(*) as times from (\n${sql}\n) as own${group} having count(*) > 1 limit 1`,
      parameters,
    )
    .catch((error) => {
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
