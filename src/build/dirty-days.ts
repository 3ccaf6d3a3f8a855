import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { DuckDb } from "../engines/duckdb.ts";
import { readSql } from "../engines/sql-file.ts";
import { packageRoot } from "../util/package-root.ts";
import type { KindDay } from "./day-ranges.ts";

/**
 * Selects of the days that something other than a play has touched since the last build. They read `core` and
 * staging alone: the mart still is as it was.
 */
export function touchedSql(): string[] {
  return readdirSync(join(packageRoot, "sql", "build", "touched"))
    .sort()
    .map((file) => readSql(`build/touched/${file}`));
}

/**
 * The days to build again: those that loads marked, and those otherwise touched. They become unpublished;
 * with `isEveryDay`, all others too.
 */
export async function markDirtyDays(warehouse: DuckDb, isEveryDay: boolean): Promise<KindDay[]> {
  for (const sql of touchedSql()) await warehouse.run(`insert into core.dirty_day (kind, date) ${sql}`);
  const dirtyDays = await warehouse.all<KindDay & Record<string, string>>(
    "select distinct kind, date from core.dirty_day order by kind, date",
  );
  await warehouse.run(
    `insert into core.unpublished_day (kind, date)
    select kind, date from core.dirty_day ${isEveryDay ? `union ${readSql("build/every_day.sql")}` : ""}
    except
    select kind, date from core.unpublished_day`,
  );
  await warehouse.run("delete from core.dirty_day");
  return dirtyDays;
}
