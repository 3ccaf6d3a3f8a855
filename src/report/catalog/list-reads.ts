import { compile } from "../compile/compile.ts";
import { compileList } from "../compile/compile-list.ts";
import { fillFile, listReportFiles } from "../compile/fill-file.ts";
import { type Sql, sql } from "../compile/sql.ts";
import type { CatalogReport } from "./aggregate-report.ts";
import { listRows } from "./catalog.ts";
import type { ListReport } from "./list-report.ts";
import { isCompiled } from "./report-entry.ts";

interface ReportReads {
  report: string;
  /** Mart tables, and staging views as `staging.view`. */
  reads: string[];
}

let known: readonly ReportReads[] | undefined;

/** Lists each report with the tables that it reads. */
export function listReads(): readonly ReportReads[] {
  known ??= [
    ...listRows()
      .filter(isCompiled)
      .map((rows) => ({ report: rows.name, reads: listTables(rows) })),
    { report: "quality", reads: listFileTables(listReportFiles("quality")) },
    { report: "compliance", reads: listFileTables(listReportFiles("compliance_explain")) },
  ];
  return known;
}

function listFileTables(files: readonly string[]): string[] {
  const query = { period, where: { zone: [1], group: [1] }, now: new Date(0) };
  return findTables(files.map((file) => fillFile(file, query, { cell: sql`select 1` })));
}

// Contains a whole month, so that `fact_play_month` is read.
const period = { from: "2026-01-01", to: "2026-02-01" };

/** Returns all tables that a report may read, whatever its dimensions, filters and attributes. */
export function listTables(report: CatalogReport | ListReport): string[] {
  const where = Object.fromEntries(Object.keys(report.filters).map((word) => [word, [1]]));
  const attributes = report.attributes.map((subject) => ({ subject, name: subject, values: ["1"] }));
  const options = { period, where, attributes };
  if (!("dimensions" in report))
    return findTables([compileList(report, { period }), compileList(report, options)]);
  return findTables([
    compile(report, { by: [], period }),
    ...Object.keys(report.dimensions).map((word) => compile(report, { by: [word], period })),
    compile(report, { by: [], ...options }),
    ...(report.isInState ? [compile(report, { by: [], period, only: [""] })] : []),
  ]);
}

function findTables(statements: readonly Sql[]): string[] {
  const found = statements.flatMap(
    ({ text }) => text.match(/\b(?:(?:fact|dim|bridge)_\w+|staging\.\w+|mart_info\b)/g) ?? [],
  );
  return [...new Set(found)].sort();
}
