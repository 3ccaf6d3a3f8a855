import { attributeDimension } from "../catalog/attributes.ts";
import type { ListReport } from "../catalog/list-report.ts";
import { getPeriod, type ListQuery } from "./request.ts";
import { columns } from "./select-pass.ts";
import { and, as, date, join, nothing, type Sql, sql, whole, withTables } from "./sql.ts";

/** Returns the statement for the rows of a list: all in its order, or with `top`, the first by its ranking. */
export function compileList(report: ListReport, query: ListQuery): Sql {
  const { where = {}, only, top } = query;
  const ofAttributes = filterByAttributes(report, query);
  const conditions = [
    ...Object.entries(report.filters).flatMap(([word, filter]) =>
      where[word] ? [filter.where(where[word], query)] : [],
    ),
    ...ofAttributes.conditions,
    ...(only && report.isInState ? [report.isInState(only)] : []),
  ];
  const shown = columns(Object.entries(report.columns).map(([column, { of }]) => as(of, column)));
  const joins = join([report.rows, ...ofAttributes.joins], "\n");
  const kept = conditions.length === 0 ? nothing : sql`\nwhere\n    ${and(conditions)}`;
  const order = top === undefined ? report.order : [...(report.ranking ?? []), ...report.order];
  const limit = top === undefined ? nothing : sql`\nlimit ${whole(top)}`;
  const select = sql`select${shown}\nfrom ${joins}${kept}\norder by ${join(order)}${limit}`;
  const tables = report.tables?.(query) ?? [];
  return tables.length === 0 ? select : withTables(tables, select);
}

function filterByAttributes(
  { attributes: subjects, attributesOn }: ListReport,
  query: ListQuery,
): { joins: readonly Sql[]; conditions: readonly Sql[] } {
  const chosen = (query.attributes ?? [])
    .filter(({ subject, values }) => subjects.includes(subject) && values.length > 0)
    .map((one, index) => ({ ...attributeDimension(one, index + 1), values: one.values }));
  const joins = chosen.map((one) => one.join);
  const conditions = chosen.map(({ filter, values }) => filter.where(values));
  if (attributesOn === "date" || chosen.length === 0) return { joins, conditions };
  const days = attributesOn === "now" ? dayOfData : selectDays(query);
  const zones = sql`f.zone_id in (
        select f.zone_id
        from (select z.zone_id, d.date from dim_zone as z cross join ${days} as d) as f
        ${join(joins, "\n")}
        where ${and(conditions)}
    )`;
  return { joins: [], conditions: [zones] };
}

const dayOfData = sql`(select cast(coalesce(data_as_of, built_at) as date) as date from mart_info)`;

function selectDays(query: ListQuery): Sql {
  const { from, to } = getPeriod(query);
  return sql`(select date from dim_date where date between ${date(from)} and ${date(to)})`;
}
