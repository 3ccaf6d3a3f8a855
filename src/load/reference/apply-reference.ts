import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { DataFolder } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { packageRoot, readSql } from "../../util/files/package-files.ts";
import { appendRows, declareTables } from "../declare-tables.ts";
import { refreshZoneDays } from "../zone-days.ts";
import { type AttributeFileName, attributeFiles } from "./attribute-file.ts";
import {
  type CheckedReference,
  checkReference,
  findMistakes,
  type ReferenceName,
} from "./check-reference.ts";
import type { LineWarning, Separator } from "./reference-file.ts";

/** The script under `sql/load/reference` that stores a file's rows in core; others have attributes. */
const applySql: Readonly<Partial<Record<ReferenceName, string>>> = {
  "zone_time_zones.csv": "apply_zone_time_zones.sql",
  "group_names.csv": "apply_group_names.sql",
  "opening_hours.csv": "apply_opening_hours.sql",
  "dayparts.csv": "apply_dayparts.sql",
};

/**
 * Applies the reference files that changed since they were last applied: time zones of zones, with the local
 * times of their plays, opening hours of zones, names of groups, and dayparts.
 * @param folder with the files; a missing file counts as empty
 * @returns the names of the changed files
 * @throws {ReferenceFileError} with file, line and value; nothing is applied then
 */
export async function applyReference(warehouse: DuckDb, folder: string): Promise<ReferenceName[]> {
  const files = await checkReference(warehouse, folder);
  return await warehouse.transaction(async () => {
    const applied: ReferenceName[] = [];
    for (const file of files) {
      const known = await warehouse.find("select 1 from core.reference_file where name = ? and sha256 = ?", [
        file.name,
        file.sha256,
      ]);
      if (known) continue;
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
  const script = applySql[name];
  if (script === undefined) {
    await appendRows(warehouse, "attribute_row", rows);
    const { subject } = attributeFiles[name as AttributeFileName];
    await warehouse.run("delete from core.attribute where subject = ?", [subject]);
    await warehouse.run("insert into core.attribute select * from temp.attribute_row");
    return;
  }
  await appendRows(warehouse, "reference_row", rows);
  await warehouse.run(readSql(`load/reference/${script}`));
  if (name !== "zone_time_zones.csv") return;
  await warehouse.run(readSql("load/shared/store_findings.sql"));
  await refreshZoneDays(warehouse);
}

export interface ReferenceFinding {
  /** E.g. `opening_hours.csv`. */
  name: string;
  path: string;
  /** Detected separator; `null` if the file is unreadable. */
  separator: Separator | null;
  /** Lines with content; 0 if any is invalid. */
  lines: number;
  mistakes: FileLine[];
  /** Lines that count, but look wrong. */
  warnings: FileLine[];
}

interface FileLine {
  line_number: number;
  message: string;
}

/** Checks the reference files completely and changes nothing. A missing file counts as empty. */
export async function checkReferenceFiles(settings: Settings): Promise<ReferenceFinding[]> {
  const { reference } = new DataFolder(settings.get("VENUE_DATA_DIR"));
  const database = await DuckDb.open();
  try {
    const found = await findMistakes(database, reference);
    const toLine = ({ lineNumber, message }: LineWarning): FileLine => ({
      line_number: lineNumber,
      message,
    });
    return found.map(({ name, path, separator, rows, mistakes, warnings }) => ({
      name,
      path,
      separator: separator ?? null,
      lines: rows.length,
      mistakes: mistakes.map(toLine),
      warnings: warnings.map(toLine),
    }));
  } finally {
    database.close();
  }
}

/** Copies the empty example files into a data folder without reference files. */
export function copyExampleReference({ reference }: DataFolder): void {
  if (!existsSync(reference)) cpSync(join(packageRoot, "data", "reference"), reference, { recursive: true });
}
