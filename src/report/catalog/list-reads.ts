import { compile } from "../compile/compile.ts";
import { compileList } from "../compile/compile-list.ts";
import type { CatalogReport } from "./aggregate-report.ts";
import { listLists, listReports } from "./catalog.ts";
import type { ListReport } from "./list-report.ts";

/** Lists each report with the tables of the mart that it reads. */
export function listReads(): { reports: string[]; reads: string[] }[] {
  return [...listReports(), ...listLists()].map(([name, report]) => ({
    reports: [report.of ?? name],
    reads: listTables(report),
  }));
}

/** Returns the tables that a report reads by any dimension, and with all filters and attributes. */
export function listTables(report: CatalogReport | ListReport): string[] {
  const where = Object.fromEntries(Object.keys(report.filters).map((word) => [word, [1]]));
  const attributes = report.attributes.map((subject) => ({ subject, name: subject, values: ["1"] }));
  // With a whole month.
  const period = { from: "2026-01-01", to: "2026-02-01" };
  const statements = [{}, { where }, { attributes }].flatMap((options) =>
    "dimensions" in report
      ? [[], ...Object.keys(report.dimensions).map((word) => [word])].map((by) =>
          compile(report, { by, period, ...options }),
        )
      : [compileList(report, { period, ...options })],
  );
  const found = statements.flatMap(
    ({ text }) => text.match(/\b(?:(?:fact|dim|bridge)_\w+|mart_info\b)/g) ?? [],
  );
  return [...new Set(found)].sort();
}
