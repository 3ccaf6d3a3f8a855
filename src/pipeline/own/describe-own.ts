import { parseCheckHeader } from "../../build/run-checks.ts";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { parseSelect } from "../../engines/duckdb/sql-tree.ts";
import { listOwnFiles, type OwnFile } from "../../mart/own/own-file.ts";
import { listTableNames } from "../../mart/own/own-select.ts";
import type { OwnReader } from "../../publish/dictionary/data-dictionary.ts";
import { listOwnReports } from "../../report/own/list-own-reports.ts";

/** Describes the own reports and checks for the data dictionary; those that can't be read are left out. */
export async function describeOwn(parser: DuckDb, folder: string): Promise<OwnReader[]> {
  const readers: OwnReader[] = [];
  const add = async (file: OwnFile, describe: () => Omit<OwnReader, "file" | "reads">) => {
    if (file.problem) return;
    try {
      const reads = listTableNames(await parseSelect(parser, file.sql));
      readers.push({ file: file.path, ...describe(), reads });
    } catch {
      // `venue own test` names it.
    }
  };
  for (const report of listOwnReports(folder)) {
    const { name, title, summary: description, columns } = report;
    await add(report, () => ({ kind: "report", name, title, description, columns }));
  }
  for (const check of listOwnFiles(folder, "checks"))
    await add(check, () => {
      const { description } = parseCheckHeader(check.path, check.sql);
      return { kind: "check", name: check.name, title: check.name, description, columns: [] };
    });
  return readers;
}
