import type { SqlParameter } from "../../engines/engine.ts";
import { addDays, countDaysBetween, earliest, latest } from "../../util/local-date.ts";
import { listGroupingColumns, listShownColumns } from "../columns/report-columns.ts";
import type { ReportedDays } from "../findings/reported-days.ts";
import { comparedBy, resolveComparedPeriod } from "../options/compare-option.ts";
import type { Compare, ReportOptions } from "../options/report-options.ts";
import { buildStatement } from "../options/report-statement.ts";
import type { Comparison, Period, ReportColumn } from "../report.ts";

/**
 * Returns a report's statement over both periods with their rows joined, as arguments for `mart.all` and
 * `mart.stream`. If one period lacks a row, its counts are 0 and its shares null. Options that select rows
 * by their figures use the figures of the reported period.
 */
export function buildComparison(
  options: ReportOptions,
  { period, other, isPossible }: ComparedDays,
): [sql: string, parameters: SqlParameter[]] {
  const { report, by, top, onlyStates = [] } = options;
  const [ofPeriod, ofPeriodValues] = buildStatement(report, { ...options, period });
  const { top: _top, onlyStates: _states, ...others } = options;
  const [ofOther, ofOtherValues] = buildStatement(report, { ...others, period: other });
  const columns = listShownColumns(report, options);
  const labels = listGroupingColumns(report, by);
  const keys = columns.filter(
    ({ name }) => labels.includes(name) && (by.includes(name) || !name.endsWith("_name")),
  );
  const join = keys.length === 0 ? "cross" : top !== undefined || onlyStates.length > 0 ? "left" : "full";
  const order = [
    ...(top === undefined ? [] : [`${comparedBy[report]} desc`]),
    ...keys.map(({ name }) => name),
  ];
  const sql = joinPeriods({
    ofPeriod: dropOrderBy(ofPeriod),
    ofOther: dropOrderBy(ofOther),
    columns,
    labels,
    isPossible,
    join:
      join === "cross"
        ? "cross join of_other as t"
        : `${join} join of_other as t on ${keys.map(buildKeyMatch).join(" and ")}`,
    isByDate: by.includes("date"),
    order,
  });
  return [sql, [...pairValues(by, period, other), ...ofPeriodValues, ...ofOtherValues]];
}

interface JoinedPeriods {
  /** Statements of both periods. */
  ofPeriod: string;
  ofOther: string;
  /** Each figure is followed by its previous value and the change. */
  columns: readonly ReportColumn[];
  /** Columns that are not compared. */
  labels: readonly string[];
  isPossible: boolean;
  /** The join of `of_period as n` with `of_other as t`. */
  join: string;
  /** Pairs the days of both periods; `pairValues` has its parameters. */
  isByDate: boolean;
  order: readonly string[];
}

export function joinPeriods(parts: JoinedPeriods): string {
  const { ofPeriod, ofOther, columns, labels, isPossible, join, isByDate, order } = parts;
  const joined = columns.flatMap((column) => buildJoinedValue(column, columns, labels, isPossible) ?? []);
  return [
    "with",
    ...(isByDate ? [`${pairs},\n`] : []),
    `of_period as (select 1 as is_there, r.* from (\n${ofPeriod}\n) as r),\n`,
    isByDate
      ? `of_other as (select 1 as is_there, d.day, r.* from (\n${ofOther}\n) as r inner join pair as d on d.day_then = r.date),\n`
      : `of_other as (select 1 as is_there, r.* from (\n${ofOther}\n) as r),\n`,
    `joined as (\nselect\n${joined.join(",\n")}`,
    `from of_period as n ${join}\n)\n`,
    `select\n${columns.map(buildShownValue).join(",\n")}\nfrom joined as j`,
    ...(isByDate ? ["left join pair as d on d.day = j.date"] : []),
    ...(order.length > 0 ? [`order by ${order.join(", ")}`] : []),
  ].join("\n");
}

/** Returns the values of the first parameters of `joinPeriods`. */
export function pairValues(by: readonly string[], period: Period, other: Period): SqlParameter[] {
  return by.includes("date") ? [period.from, other.from, period.from, period.to] : [];
}

/**
 * Removes the final `order by`, because the join reorders rows and sorting millions before it is wasted.
 * Searches from the end: in a package, SQL lines are not indented, so an inner `order by` can begin a line
 * too.
 */
function dropOrderBy(sql: string): string {
  return sql.slice(0, sql.lastIndexOf("\norder by"));
}

/** Pairs the days of both periods by position, the first with the first. */
const pairs = `pair as (
    select n.date as day, t.date as day_then
    from dim_date as n
    inner join dim_date as t
        on date_diff('day', cast(? as date), cast(n.date as date)) = date_diff('day', cast(? as date), cast(t.date as date))
    where n.date between cast(? as date) and cast(? as date)
)`;

/** Returns the SQL for a joined column's value; `undefined` for columns computed from others. */
function buildJoinedValue(
  { name, type, compared }: ReportColumn,
  columns: readonly ReportColumn[],
  labels: readonly string[],
  isPossible: boolean,
): string | undefined {
  if (name === "date") return "coalesce(n.date, t.day) as date";
  if (labels.includes(name)) return `coalesce(n.${name}, t.${name}) as ${name}`;
  if (name === "date_then" || compared?.is === "change") return undefined;
  if (!isPossible && compared) return `cast(null as ${type === "share" ? "double" : "bigint"}) as ${name}`;
  const of = compared?.of ?? name;
  const [own, other] = compared ? ["t", "n"] : ["n", "t"];
  const isAlone = !columns.some((column) => column.compared?.of === of);
  if (type === "share" || isAlone) return `${own}.${of} as ${name}`;
  return `case when ${own}.is_there is null and ${other}.${of} is not null then 0 else ${own}.${of} end as ${name}`;
}

function buildShownValue({ name, compared }: ReportColumn): string {
  if (name === "date_then") return "d.day_then as date_then";
  return compared?.is === "change" ? `j.${compared.of} - j.${compared.of}_then as ${name}` : `j.${name}`;
}

/** Groups and locations can be null, so nulls compare as equal. */
function buildKeyMatch({ name, type }: ReportColumn): string {
  if (name === "date") return "n.date = t.day";
  const none = type === "text" ? "''" : "-1";
  return `coalesce(n.${name}, ${none}) = coalesce(t.${name}, ${none})`;
}

export interface ComparedDays extends Omit<Comparison, "summary"> {
  /** Days of `requested` that are compared; all of them if no comparison is possible. */
  period: Period;
  requestedOther: Period;
}

/** Pairs the days of equally long periods, leaving out pairs that the data does not cover completely. */
export function findComparedDays(
  { report, by }: ReportOptions,
  compare: Compare,
  { period: requested, dataDays }: ReportedDays,
): ComparedDays {
  const requestedOther = resolveComparedPeriod(requested, compare, by);
  const first = dataDays?.from;
  // A device's first day is left out, because its state is unknown until the first check.
  const firstWhole = report === "uptime" && first ? addDays(first, 1) : first;
  const clipToData = (days: Period): Period => ({
    from: latest(firstWhole ?? days.from, days.from),
    to: earliest(dataDays?.wholeTo ?? days.to, days.to),
  });
  let [period, other] = [clipToData(requested), clipToData(requestedOther)];
  if (
    countDaysBetween(requested.from, requested.to) ===
    countDaysBetween(requestedOther.from, requestedOther.to)
  ) {
    const front = Math.max(
      countDaysBetween(requested.from, period.from),
      countDaysBetween(requestedOther.from, other.from),
    );
    const back = Math.max(
      countDaysBetween(period.to, requested.to),
      countDaysBetween(other.to, requestedOther.to),
    );
    const trim = ({ from, to }: Period) => ({ from: addDays(from, front), to: addDays(to, -back) });
    [period, other] = [trim(requested), trim(requestedOther)];
  }
  const isPossible = first !== "" && period.from <= period.to && other.from <= other.to;
  return isPossible
    ? { requested, requestedOther, period, other, isPossible }
    : { requested, requestedOther, period: requested, other: requestedOther, isPossible };
}

/** Returns the length of a period in days. */
export function countDays({ from, to }: Period): number {
  return countDaysBetween(from, to) + 1;
}
