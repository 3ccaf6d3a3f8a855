import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";

export type CoreRow = Record<string, string | number | boolean | null>;

/**
 * Inserts rows into a table of `core`, as a load leaves them. Missing columns are null or, where not
 * nullable, 0, '', true or 2026-01-01. One of a play's instant, local time and date is enough.
 */
export async function insertCoreRows(
  warehouse: DuckDb,
  table: string,
  rows: readonly CoreRow[],
): Promise<void> {
  const columns = await warehouse.all<{ name: string; type: string; isNullable: boolean }>(
    `select column_name as name, data_type as type, is_nullable = 'YES' as "isNullable"
    from information_schema.columns where table_schema = 'core' and table_name = ?`,
    [table],
  );
  const defaults = Object.fromEntries(
    columns.map(({ name, type, isNullable }) => [name, isNullable ? null : plainDefault(type)]),
  );
  const unknown = rows.flatMap((row) => Object.keys(row).filter((name) => !(name in defaults)));
  if (unknown.length > 0) throw new Error(`core.${table} has no column ${unknown[0]}`);
  const whole = rows.map((row) => {
    const given = Object.entries(table === "play" ? completePlay(row) : row).filter(
      ([, value]) => value !== null,
    );
    return { ...defaults, ...Object.fromEntries(given) };
  });
  const structure = JSON.stringify([
    Object.fromEntries(columns.map(({ name, type }) => [name, type.startsWith("ENUM") ? "VARCHAR" : type])),
  ]);
  await warehouse.run(
    `insert into core.${table} by name select unnest(from_json(?, '${structure}'), recursive := true)`,
    [JSON.stringify(whole)],
  );
}

/** Marks every day with plays as changed. */
export async function markAllDirty(warehouse: DuckDb): Promise<void> {
  await warehouse.run("insert into core.dirty_day select distinct kind, date from core.play");
}

/** Rows of a CSV file; an empty cell is null. */
export function readCsvRows(path: string): Record<string, string | null>[] {
  const rows: Record<string, string>[] = parse(readFileSync(path), {
    columns: true,
    skip_empty_lines: true,
    trim: true,
  });
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === "" ? null : value])),
  );
}

function completePlay(row: CoreRow): CoreRow {
  const offsetMinutes = Number(row.utc_offset_minutes ?? 0);
  const playedAt = row.played_at
    ? toInstant(row.played_at)
    : toInstant(row.played_at_local) - offsetMinutes * 60_000;
  const local = toTimestamp(playedAt + offsetMinutes * 60_000);
  return {
    utc_offset_minutes: offsetMinutes,
    written_offset_minutes: offsetMinutes,
    played_at_local: local,
    date: local.slice(0, 10),
    ...row,
    played_at: toTimestamp(playedAt),
  };
}

function toInstant(timestamp: unknown): number {
  return Date.parse(`${String(timestamp).replace(" ", "T")}Z`);
}

function toTimestamp(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19).replace("T", " ");
}

function plainDefault(type: string): string | number | boolean {
  if (type === "VARCHAR") return "";
  if (type === "BOOLEAN") return true;
  if (type === "DATE") return "2026-01-01";
  if (type === "TIMESTAMP") return "2026-01-01 00:00:00";
  return 0;
}
