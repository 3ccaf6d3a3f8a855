import type { SqlParameter } from "../../engines/engine.ts";
import { sqlName } from "../../engines/sql-text.ts";
import { addDays, countDaysBetween, earliest, latest } from "../../util/local-date.ts";
import { listGroupingColumns, listShownColumns } from "../columns/report-columns.ts";
import type { ReportedDays } from "../findings/reported-days.ts";
import { comparedBy, resolveComparedPeriod } from "../options/compare-option.ts";
import { buildRankedStatement, dropOrderBy, listKeyColumns } from "../options/ranked-statement.ts";
import type { Compare, ReportOptions } from "../options/report-options.ts";
import { buildStatement } from "../options/report-statement.ts";
import type { Comparison, Period, ReportColumn } from "../report.ts";
import { findStep, listSpans } from "../text/spans.ts";

/**
 * Returns a report's statement over both periods with their rows joined, as arguments for `mart.all` and
 * `mart.stream`. If one period lacks a row, its counts are 0 and its shares null. Options that select rows
 * by their figures use the figures of the reported period.
 */
export function buildComparison(
  options: ReportOptions,
  { requested, requestedOther, period, other, isPossible }: ComparedDays,
): [sql: string, parameters: SqlParameter[]] {
  const { report, by, top, per = [], onlyStates = [] } = options;
  const [ofPeriod, ofPeriodValues] = buildRankedStatement(report, { ...options, period });
  const { top: _top, onlyStates: _states, ...others } = options;
  const [ofOther, ofOtherValues] = buildStatement(report, { ...others, period: other });
  const columns = listShownColumns(report, options);
  const labels = listGroupingColumns(report, by);
  const keyNames = listKeyColumns(report, by);
  const keys = columns.filter(({ name }) => keyNames.includes(name));
  const join = keys.length === 0 ? "cross" : top !== undefined || onlyStates.length > 0 ? "left" : "full";
  const step = findStep(by);
  const steps = step && pairSteps(step, requested, requestedOther);
  const order = [
    ...(top === undefined ? [] : [...listKeyColumns(report, per).map(sqlName), `${comparedBy[report]} desc`]),
    ...keys.map(({ name }) => sqlName(name)),
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
        : `${join} join of_other as t on ${keys.map((key) => buildKeyMatch(key, step)).join(" and ")}`,
    ...(steps && { steps }),
    order,
  });
  return [sql, [...(steps?.values ?? []), ...ofPeriodValues, ...ofOtherValues]];
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
  /** @default no rows over time */
  steps?: PairedSteps;
  /** In SQL. */
  order: readonly string[];
}

/** Its own columns have a space in their names, which no attribute has. */
export function joinPeriods(parts: JoinedPeriods): string {
  const { ofPeriod, ofOther, columns, labels, isPossible, join, steps, order } = parts;
  const step = steps?.step;
  const joined = columns.flatMap(
    (column) => buildJoinedValue(column, { columns, labels, isPossible, step }) ?? [],
  );
  return [
    "with",
    ...(steps ? [`${steps.sql},\n`] : []),
    `of_period as (select 1 as "is there", r.* from (\n${ofPeriod}\n) as r),\n`,
    steps
      ? `of_other as (select 1 as "is there", d."step now", r.* from (\n${ofOther}\n) as r inner join pair as d on d."step then" = r.${step}),\n`
      : `of_other as (select 1 as "is there", r.* from (\n${ofOther}\n) as r),\n`,
    `joined as (\nselect\n${joined.join(",\n")}`,
    `from of_period as n ${join}\n)\n`,
    `select\n${columns.map((column) => buildShownValue(column, step)).join(",\n")}\nfrom joined as j`,
    ...(steps ? [`left join pair as d on d."step now" = j.${step}`] : []),
    ...(order.length > 0 ? [`order by ${order.join(", ")}`] : []),
  ].join("\n");
}

type Step = NonNullable<ReturnType<typeof findStep>>;

interface PairedSteps {
  step: Step;
  /** The relation `pair`. */
  sql: string;
  /** Its parameters, the first of the statement. */
  values: readonly SqlParameter[];
}

/** Pairs the days, weeks, months or quarters of both periods by position, the first with the first. */
export function pairSteps(step: Step, period: Period, other: Period): PairedSteps {
  if (step === "date")
    return { step, sql: pairedDays, values: [period.from, other.from, period.from, period.to] };
  const listNames = (days: Period) => listSpans(step, days, undefined).map(({ name }) => name);
  const names = listNames(other);
  const pairs = listNames(period).flatMap((name, index) => {
    const then = names[index];
    return then === undefined ? [] : [[name, then]];
  });
  const rows = pairs.map(() => "(cast(? as varchar), cast(? as varchar))").join(", ");
  return {
    step,
    sql: `pair as (select * from (values ${rows}) as v ("step now", "step then"))`,
    values: pairs.flat(),
  };
}

const pairedDays = `pair as (
    select n.date as "step now", t.date as "step then"
    from dim_date as n
    inner join dim_date as t
        on date_diff('day', cast(? as date), cast(n.date as date)) = date_diff('day', cast(? as date), cast(t.date as date))
    where n.date between cast(? as date) and cast(? as date)
)`;

interface JoinedColumns {
  columns: readonly ReportColumn[];
  /** Columns of `--by`. */
  labels: readonly string[];
  isPossible: boolean;
  step: Step | undefined;
}

/** Returns the SQL for a joined column's value; `undefined` for columns computed from others. */
function buildJoinedValue(
  { name, type, compared }: ReportColumn,
  { columns, labels, isPossible, step }: JoinedColumns,
): string | undefined {
  if (name === step) return `coalesce(n.${step}, t."step now") as ${step}`;
  const quoted = sqlName(name);
  if (labels.includes(name)) return `coalesce(n.${quoted}, t.${quoted}) as ${quoted}`;
  if (name === `${step}_then` || compared?.is === "change") return undefined;
  if (!isPossible && compared) return `cast(null as ${type === "share" ? "double" : "bigint"}) as ${quoted}`;
  const of = compared?.of ?? name;
  const [own, other] = compared ? ["t", "n"] : ["n", "t"];
  const isAlone = !columns.some((column) => column.compared?.of === of);
  const figure = sqlName(of);
  if (type === "share" || isAlone) return `${own}.${figure} as ${quoted}`;
  return `case when ${own}."is there" is null and ${other}.${figure} is not null then 0 else ${own}.${figure} end as ${quoted}`;
}

function buildShownValue({ name, compared }: ReportColumn, step: Step | undefined): string {
  const quoted = sqlName(name);
  if (name === `${step}_then`) return `d."step then" as ${quoted}`;
  return compared?.is === "change"
    ? `j.${sqlName(compared.of)} - j.${sqlName(`${compared.of}_then`)} as ${quoted}`
    : `j.${quoted}`;
}

/** Groups and locations can be null, so nulls compare as equal. */
function buildKeyMatch({ name, type }: ReportColumn, step: Step | undefined): string {
  if (name === step) return `n.${step} = t."step now"`;
  const none = type === "text" ? "''" : "-1";
  return `coalesce(n.${sqlName(name)}, ${none}) = coalesce(t.${sqlName(name)}, ${none})`;
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
