import type { SqlParameter } from "../../engines/engine.ts";
import { sqlName } from "../../engines/sql-text.ts";
import type { PublishedMart } from "./published-mart.ts";

/** In which order rows come, and which. */
export interface RowOrder {
  /** Largest, or last, first. Equal ones by the other columns: two engines order them alike. */
  sort?: { column: string; isDown: boolean; others: readonly string[] } | undefined;
  /** Only rows that have this text, in whatever case, in one of the columns. */
  search?: { text: string; columns: readonly string[] } | undefined;
}

/** The same version, whose streams come in another order, or have fewer rows. Columns are those of the statements. */
export function sortedRows(mart: PublishedMart, order: RowOrder): PublishedMart {
  if (!order.sort && !order.search) return mart;
  return {
    ...mart,
    stream: (sql, parameters = []) => mart.stream(...sortedStatement(sql, parameters, order)),
  };
}

function sortedStatement(
  sql: string,
  parameters: readonly SqlParameter[],
  { sort, search }: RowOrder,
): [sql: string, parameters: SqlParameter[]] {
  const found = search?.columns.map(
    (column) =>
      `position(lower(cast(? as varchar)) in lower(coalesce(cast(${sqlName(column)} as varchar), ''))) > 0`,
  );
  const parts = [
    `select * from (\n${sql}\n) as found`,
    ...(found ? [`where ${found.length > 0 ? found.join(" or ") : "false"}`] : []),
    ...(sort ? [orderBy(sort)] : []),
  ];
  return [parts.join("\n"), [...parameters, ...(search?.columns.map(() => search.text) ?? [])]];
}

function orderBy({ column, isDown, others }: NonNullable<RowOrder["sort"]>): string {
  const ties = others.filter((other) => other !== column).map((other) => `${sqlName(other)} asc nulls last`);
  return `order by ${[`${sqlName(column)} ${isDown ? "desc" : "asc"} nulls last`, ...ties].join(", ")}`;
}
