import type { SqlParameter } from "../../engines/engine.ts";
import { sqlName } from "../../engines/sql-text.ts";
import { groupingColumns } from "../columns/report-columns.ts";
import type { ReportName } from "../report-name.ts";
import { comparedBy } from "./compare-option.ts";
import { reportStatement, type StatementOptions } from "./report-statement.ts";

/**
 * Returns the statement of a report's rows. With `--per`, `--top` limits the rows of each group instead of
 * all: the largest first, and equal ones in the order of their grouping columns.
 */
export function rankedStatement(
  report: ReportName,
  asked: StatementOptions,
): [sql: string, parameters: SqlParameter[]] {
  const { by = [], per = [], top } = asked;
  if (top === undefined || per.length === 0) return reportStatement(report, asked);
  const { top: _top, ...all } = asked;
  const [sql, parameters] = reportStatement(report, all);
  const group = keyColumns(report, per).map(sqlName);
  const ties = keyColumns(report, by).map(sqlName);
  const ranking = `${sqlName(comparedBy[report] ?? "")} desc`;
  const ranked = [
    "select ranked.*",
    "from (",
    `select r.*, row_number() over (partition by ${group.join(", ")} order by ${[ranking, ...ties].join(", ")}) as place`,
    `from (\n${withoutOrder(sql)}\n) as r`,
    ") as ranked",
    "where place <= cast(? as bigint)",
    `order by ${[...group, "place"].join(", ")}`,
  ];
  return [ranked.join("\n"), [...parameters, top]];
}

/**
 * Removes the final `order by`: an outer statement reorders rows, so sorting millions before it is wasted.
 * Each grouped report ends with its own; in a package, whose lines are not indented, others begin lines too.
 */
export function withoutOrder(sql: string): string {
  return sql.slice(0, sql.lastIndexOf("\norder by"));
}

/** Returns the columns that identify the values of `by`: names repeat. */
export function keyColumns(report: ReportName, by: readonly string[]): string[] {
  return groupingColumns(report, by).filter((name) => by.includes(name) || !name.endsWith("_name"));
}
