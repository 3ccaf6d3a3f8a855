import { hasValues, valuesOnDate } from "../catalog/attributes.ts";
import type { ListReport } from "../catalog/list-report.ts";
import type { ListQuery } from "./request.ts";
import { columns } from "./select-pass.ts";
import { and, as, join, nothing, type Sql, sql, whole, withTables } from "./sql.ts";

/** Returns the statement of a list: all rows in its order or, with `top`, the first rows by its ranking. */
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
  const select = sql`select${report.isDistinct ? sql` distinct` : nothing}${shown}\nfrom ${joins}${kept}\norder by ${join(order)}${limit}`;
  const tables = report.tables?.(query) ?? [];
  return tables.length === 0 ? select : withTables(tables, select);
}

function filterByAttributes(
  { attributes: subjects, attributesOn }: ListReport,
  query: ListQuery,
): ReturnType<typeof valuesOnDate> {
  return attributesOn === "date"
    ? valuesOnDate((query.attributes ?? []).filter(({ subject }) => subjects.includes(subject)))
    : { joins: [], conditions: subjects.flatMap((subject) => hasValues(subject, query)) };
}
