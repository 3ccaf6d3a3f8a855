import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { Engine } from "../../engines/engine.ts";
import { sqlTimestamp } from "../../engines/sql-text.ts";
import { runScript } from "../../engines/statements.ts";
import { readSql } from "../../util/files/package-files.ts";

/** `writePublished`, in one transaction. */
export async function recordPublished(warehouse: DuckDb, version: string, publishedAt: Date): Promise<void> {
  await warehouse.transaction(() => writePublished(warehouse, version, publishedAt));
}

/**
 * Writes down what readers see from now on, so that the next version knows what it restates and which months it
 * need not write again.
 */
export async function writePublished(engine: Engine, version: string, publishedAt: Date): Promise<void> {
  await runScript(engine, readSql("publish/record_published.sql"));
  await engine.run("update core.version set published_at = cast(? as timestamp(6)) where version = ?", [
    sqlTimestamp(publishedAt),
    version,
  ]);
}
