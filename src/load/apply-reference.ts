import { join } from "node:path";
import type { DuckDb } from "../engines/duckdb.ts";
import { readSql } from "../engines/sql-file.ts";
import { maxId } from "./exact-integer.ts";
import { dropLoadTables } from "./load-variables.ts";
import { ReferenceFileError, type ReferenceRow, readReferenceFile } from "./reference-file.ts";

/** What of the reference files had changed and was applied: their names. */
export interface ReferenceResult {
  applied: string[];
}

/** A reference file, and how it gets into core. */
interface ReferenceTable {
  name: string;
  columns: readonly [id: string, value: string];
  /** @throws {ReferenceFileError} */
  check(row: ReferenceRow, path: string): void;
  /** Files that bring `reference_row` into core. */
  applySql: readonly string[];
}

/**
 * Brings the analyst's CSVs into core, where they changed since they were applied last: time zones of zones, with
 * the local times of their plays, and names of groups.
 * @param folder with the files; one that is missing counts as empty
 * @throws {ReferenceFileError} naming file, line and value; nothing is applied then
 */
export async function applyReference(warehouse: DuckDb, folder: string): Promise<ReferenceResult> {
  const tables = await listTables(warehouse);
  const files = tables.map((table) => {
    const file = readReferenceFile(join(folder, table.name), table.columns);
    checkRows(file.rows, file.path, table);
    return { table, file };
  });
  const applied: string[] = [];
  await warehouse.transaction(async () => {
    for (const { table, file } of files) {
      const known = await warehouse.find("select 1 from core.reference_file where name = ? and sha256 = ?", [
        table.name,
        file.sha256,
      ]);
      if (known) continue;
      await applyRows(warehouse, table, file.rows);
      await warehouse.run("delete from core.reference_file where name = ?", [table.name]);
      await warehouse.run("insert into core.reference_file values (?, ?, get_current_timestamp())", [
        table.name,
        file.sha256,
      ]);
      applied.push(table.name);
    }
  });
  return { applied };
}

async function listTables(warehouse: DuckDb): Promise<ReferenceTable[]> {
  const zones = await warehouse.all<{ name: string }>("select name from pg_timezone_names()");
  const timeZones = new Set(zones.map(({ name }) => name));
  return [
    {
      name: "zone_time_zones.csv",
      columns: ["zone_id", "time_zone"],
      check: ({ values: { time_zone: timeZone = "" }, lineNumber }, path) => {
        if (timeZones.has(timeZone)) return;
        const accepted = "a name of the IANA time zone database, such as Europe/Berlin";
        throw new ReferenceFileError(path, lineNumber, timeZone, accepted);
      },
      applySql: ["load/apply_zone_time_zones.sql", "load/mark_dirty_days.sql", "load/renew_zone_days.sql"],
    },
    {
      name: "group_names.csv",
      columns: ["group_id", "group_name"],
      check: ({ values: { group_name: name = "" }, lineNumber }, path) => {
        if (name !== "") return;
        throw new ReferenceFileError(path, lineNumber, name, "a name that is not empty");
      },
      applySql: ["load/apply_group_names.sql"],
    },
  ];
}

function checkRows(rows: readonly ReferenceRow[], path: string, { columns, check }: ReferenceTable): void {
  const [idColumn] = columns;
  const seen = new Set<number>();
  for (const row of rows) {
    const text = row.values[idColumn] ?? "";
    const id = Number(text);
    if (!/^\d+$/.test(text) || id > maxId) {
      throw new ReferenceFileError(path, row.lineNumber, text, `a ${idColumn} from 0 to ${maxId}`);
    }
    if (seen.has(id)) throw new ReferenceFileError(path, row.lineNumber, text, `each ${idColumn} once`);
    seen.add(id);
    check(row, path);
  }
}

async function applyRows(
  warehouse: DuckDb,
  { columns: [idColumn, valueColumn], applySql }: ReferenceTable,
  rows: readonly ReferenceRow[],
): Promise<void> {
  const json = rows.map(({ values }) => ({ id: Number(values[idColumn]), value: values[valueColumn] }));
  await warehouse.run(readSql("load/begin_reference.sql"));
  await warehouse.run(readSql("load/insert_reference.sql"), [JSON.stringify(json)]);
  for (const file of applySql) await warehouse.run(readSql(file));
  await dropLoadTables(warehouse);
}
