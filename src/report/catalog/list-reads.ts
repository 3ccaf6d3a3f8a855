import { compile } from "../compile/compile.ts";
import type { CatalogReport } from "./aggregate-report.ts";
import { listReports } from "./catalog.ts";

/** Lists each report with the tables of the mart that it reads. */
export function listReads(): { reports: string[]; reads: string[] }[] {
  return listReports().map(([name, report]) => ({ reports: [report.of ?? name], reads: listTables(report) }));
}

/** Returns the tables that a report reads by any dimension, and with all filters and attributes. */
export function listTables(report: CatalogReport): string[] {
  const where = Object.fromEntries(Object.keys(report.filters).map((word) => [word, [1]]));
  const attributes = report.attributes.map((subject) => ({ subject, name: subject, values: ["1"] }));
  // With a whole month.
  const period = { from: "2026-01-01", to: "2026-02-01" };
  const found = [[], ...Object.keys(report.dimensions).map((word) => [word])].flatMap((by) =>
    [{}, { where }, { attributes }].flatMap(
      (options) =>
        compile(report, { by, period, ...options }).text.match(
          /\b(?:(?:fact|dim|bridge)_\w+|mart_info)\b/g,
        ) ?? [],
    ),
  );
  return [...new Set(found)].sort();
}
