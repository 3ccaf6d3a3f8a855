import type { SqlParameter } from "../../engines/engine.ts";
import { readReportHeader } from "../../mart/report-header.ts";
import { shownColumns } from "../columns/report-columns.ts";
import { comparedBy } from "../options/compare-option.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { ReportColumn } from "../report.ts";
import type { ComparedDays } from "./compared-days.ts";

/**
 * A report's statement over both periods, their rows side by side: what `mart.all` and `mart.stream` take. A row that
 * one of them has not counts there as nothing. What chooses rows by their figures chooses by those of the period.
 */
export function comparedStatement(
  options: ReportOptions,
  { period, other, isPossible }: ComparedDays,
): [sql: string, parameters: SqlParameter[]] {
  const { report, by, top, onlyStates = [] } = options;
  const [ofPeriod, ofPeriodValues] = reportStatement(report, { ...options, period });
  const { top: _top, onlyStates: _states, ...others } = options;
  const [ofOther, ofOtherValues] = reportStatement(report, { ...others, period: other });
  const columns = shownColumns(report, options);
  const labels = by.flatMap((word) => readReportHeader(report).by.get(word) ?? []);
  const keys = columns.filter(({ name }) => labels.includes(name) && !name.endsWith("_name"));
  const join = keys.length === 0 ? "cross" : top !== undefined || onlyStates.length > 0 ? "left" : "full";
  const isByDate = by.includes("date");
  const joined = columns.flatMap((column) => joinedValue(column, columns, labels, isPossible) ?? []);
  const order = [
    ...(top === undefined ? [] : [`${comparedBy[report]} desc`]),
    ...keys.map(({ name }) => name),
  ];
  const sql = [
    "with",
    ...(isByDate ? [`${pairs},\n`] : []),
    `of_period as (select 1 as is_there, r.* from (\n${unordered(ofPeriod)}\n) as r),\n`,
    isByDate
      ? `of_other as (select 1 as is_there, d.day, r.* from (\n${unordered(ofOther)}\n) as r inner join pair as d on d.day_then = r.date),\n`
      : `of_other as (select 1 as is_there, r.* from (\n${unordered(ofOther)}\n) as r),\n`,
    `joined as (\nselect\n${joined.join(",\n")}`,
    `from of_period as n ${join} join of_other as t${join === "cross" ? "" : ` on ${keys.map(sameKey).join(" and ")}`}\n)\n`,
    `select\n${columns.map(shownValue).join(",\n")}\nfrom joined as j`,
    ...(isByDate ? ["left join pair as d on d.day = j.date"] : []),
    ...(order.length > 0 ? [`order by ${order.join(", ")}`] : []),
  ].join("\n");
  const pairValues = isByDate ? [period.from, other.from, period.from, period.to] : [];
  return [sql, [...pairValues, ...ofPeriodValues, ...ofOtherValues]];
}

/**
 * Joined rows come in another order: millions need not be sorted before. Each compared report ends with its own; others begin
 * lines, too, in a package, whose lines have no blanks before them.
 */
function unordered(sql: string): string {
  return sql.slice(0, sql.lastIndexOf("\norder by"));
}

/** The days of the period beside those of the other, the first with the first. */
const pairs = `pair as (
    select n.date as day, t.date as day_then
    from dim_date as n
    inner join dim_date as t
        on date_diff('day', cast(? as date), cast(n.date as date)) = date_diff('day', cast(? as date), cast(t.date as date))
    where n.date between cast(? as date) and cast(? as date)
)`;

/** `undefined` of what follows from other columns. */
function joinedValue(
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

function shownValue({ name, compared }: ReportColumn): string {
  if (name === "date_then") return "d.day_then as date_then";
  return compared?.is === "change" ? `j.${compared.of} - j.${compared.of}_then as ${name}` : `j.${name}`;
}

/** A place may be unknown. */
function sameKey({ name, type }: ReportColumn): string {
  if (name === "date") return "n.date = t.day";
  const none = type === "text" ? "''" : "-1";
  return `coalesce(n.${name}, ${none}) = coalesce(t.${name}, ${none})`;
}
