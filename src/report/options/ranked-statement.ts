import type { SqlParameter } from "../../engines/engine.ts";
import { sqlName } from "../../engines/sql-text.ts";
import { listGroupingColumns } from "../columns/report-columns.ts";
import { comparedBy } from "./compare-option.ts";
import { buildStatement, type StatementOptions } from "./report-statement.ts";

/**
 * Returns the statement of a report's rows. With `--per`, `--top` limits the rows of each group instead of
 * all: the largest first, and equal ones in the order of their grouping columns.
 * @param file of the rows, below `sql/reports/` without extension
 */
export function buildRankedStatement(
  file: string,
  requested: StatementOptions,
): [sql: string, parameters: SqlParameter[]] {
  const { report, by = [], per = [], top } = requested;
  if (top === undefined || per.length === 0) return buildStatement(file, requested);
  const { top: _top, ...all } = requested;
  const [sql, parameters] = buildStatement(file, all);
  const group = listKeyColumns(file, per).map(sqlName);
  const ties = listKeyColumns(file, by).map(sqlName);
  const ranking = `${sqlName((report && comparedBy[report]) ?? "")} desc`;
  const ranked = [
    "select ranked.*",
    "from (",
    `select r.*, row_number() over (partition by ${group.join(", ")} order by ${[ranking, ...ties].join(", ")}) as "place in group"`,
    `from (\n${dropOrderBy(sql)}\n) as r`,
    ") as ranked",
    'where "place in group" <= cast(? as bigint)',
    `order by ${[...group, '"place in group"'].join(", ")}`,
  ];
  return [ranked.join("\n"), [...parameters, top]];
}

/**
 * Removes the final `order by`: an outer statement reorders rows, so sorting millions before it is wasted.
 * Each grouped report ends with its own; in a package, whose lines are not indented, others begin lines too.
 */
export function dropOrderBy(sql: string): string {
  return sql.slice(0, sql.lastIndexOf("\norder by"));
}

/** Returns the columns that identify the values of `by`: names repeat. */
export function listKeyColumns(file: string, by: readonly string[]): string[] {
  return listGroupingColumns(file, by).filter((name) => by.includes(name) || !name.endsWith("_name"));
}
