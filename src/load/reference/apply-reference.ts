import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { DataFolder } from "../../config/data-folder.ts";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { packageRoot, readSql } from "../../util/files/package-files.ts";
import { appendRows, declareTables } from "../declare-tables.ts";
import { refreshZoneDays } from "../zone-days.ts";
import { type AttributeFileName, attributeFiles } from "./attribute-file.ts";
import {
  type CheckedReference,
  checkReference,
  listReferenceProblems,
  type ReferenceName,
} from "./check-reference.ts";

/**
 * Applies the reference files that changed since they were last applied: zone time zones (and with them the local
 * times of plays), opening hours, group names, dayparts, campaign targets, footfall and attributes.
 * @param folder folder with the files; a missing file is treated as empty
 * @returns the names of the changed files, and the problems of those that were not applied
 */
export async function applyReference(
  warehouse: DuckDb,
  folder: string,
): Promise<{ applied: ReferenceName[]; problems: string[] }> {
  const files = await checkReference(warehouse, folder);
  return { applied: await applyFiles(warehouse, files), problems: listReferenceProblems(files) };
}

/** Applies files that were checked, except those with mistakes. */
export async function applyFiles(
  warehouse: DuckDb,
  files: readonly CheckedReference[],
): Promise<ReferenceName[]> {
  return await warehouse.transaction(async () => {
    const applied: ReferenceName[] = [];
    const rows = await warehouse.all<{ name: string; sha256: string }>(
      "select name, sha256 from core.reference_file",
    );
    const known = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
    for (const file of files) {
      if (file.mistakes.length > 0 || known.get(file.name) === file.sha256) continue;
      await applyRows(warehouse, file);
      await warehouse.run("delete from core.reference_file where name = ?", [file.name]);
      await warehouse.run("insert into core.reference_file values (?, ?, get_current_timestamp())", [
        file.name,
        file.sha256,
      ]);
      applied.push(file.name);
    }
    return applied;
  });
}

async function applyRows(warehouse: DuckDb, { name, rows }: CheckedReference): Promise<void> {
  await declareTables(warehouse);
  if (name in attributeFiles) {
    await appendRows(warehouse, "attribute_row", rows);
    const { subject } = attributeFiles[name as AttributeFileName];
    await warehouse.run("delete from core.attribute where subject = ?", [subject]);
    await warehouse.run("insert into core.attribute select * from temp.attribute_row");
    return;
  }
  await appendRows(warehouse, "reference_row", rows);
  await warehouse.run(readSql(`load/reference/apply_${name.replace(".csv", ".sql")}`));
  if (name !== "zone_time_zones.csv") return;
  await warehouse.run(readSql("load/shared/store_findings.sql"));
  await refreshZoneDays(warehouse);
}

/** Copies the empty example files into a data folder without reference files. */
export function copyExampleReference({ reference }: DataFolder): void {
  if (!existsSync(reference)) cpSync(join(packageRoot, "data", "reference"), reference, { recursive: true });
}
