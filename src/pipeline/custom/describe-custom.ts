import { parseCheckHeader } from "../../build/run-checks.ts";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { parseSelect } from "../../engines/duckdb/sql-tree.ts";
import { type CustomFile, listCustomFiles } from "../../mart/custom/custom-file.ts";
import { listTableNames } from "../../mart/custom/custom-select.ts";
import type { CustomReader } from "../../publish/dictionary/data-dictionary.ts";
import { listCustomReports } from "../../report/custom/list-custom-reports.ts";

/** Describes the custom reports and checks for the data dictionary. Omits files that can't be read. */
export async function describeCustom(parser: DuckDb, folder: string): Promise<CustomReader[]> {
  const readers: CustomReader[] = [];
  const add = async (file: CustomFile, describe: () => Omit<CustomReader, "file" | "reads">) => {
    if (file.problem) return;
    try {
      const reads = listTableNames(await parseSelect(parser, file.sql));
      readers.push({ file: file.path, ...describe(), reads });
    } catch {
      // `venue own test` reports the error.
    }
  };
  for (const report of listCustomReports(folder)) {
    const { name, title, summary: description, columns } = report;
    await add(report, () => ({ kind: "report", name, title, description, columns }));
  }
  for (const check of listCustomFiles(folder, "checks"))
    await add(check, () => {
      const { description } = parseCheckHeader(check.path, check.sql);
      return { kind: "check", name: check.name, title: check.name, description, columns: [] };
    });
  return readers;
}
