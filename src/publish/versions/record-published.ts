import type { DuckDb } from "../../engines/duckdb.ts";
import { readSql } from "../../engines/sql-file.ts";
import { sqlTimestamp } from "../../engines/sql-text.ts";

/**
 * Writes down what readers see from now on, so that the next version knows what it restates and which months it
 * need not write again.
 */
export async function recordPublished(warehouse: DuckDb, version: string, publishedAt: Date): Promise<void> {
  await warehouse.transaction(async () => {
    await warehouse.run(readSql("publish/record_published.sql"));
    await warehouse.run("update core.version set published_at = cast(? as timestamp) where version = ?", [
      sqlTimestamp(publishedAt),
      version,
    ]);
  });
}
