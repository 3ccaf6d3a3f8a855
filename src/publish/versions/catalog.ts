import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { DuckDb } from "../../engines/duckdb.ts";
import { escapeGlob, sqlText } from "../../engines/sql-text.ts";
import type { Manifest } from "../../mart/manifest.ts";
import { renameDurably, syncToDisk } from "../../util/durable-files.ts";

/**
 * Writes `catalog.duckdb`: a view per table over whatever `current` points to, so that DuckDB and the BI tools that
 * speak it open one file. Readers that have the old one open keep it.
 */
export async function writeCatalog(publishedFolder: string, manifest: Manifest): Promise<void> {
  const temporary = join(publishedFolder, ".unfinished-catalog.duckdb");
  rmSync(temporary, { force: true });
  const catalog = await DuckDb.open({ path: temporary });
  try {
    // At once: each statement alone would be written to disk before the next one.
    await catalog.transaction(() => catalog.run(describeViews(publishedFolder, manifest)));
  } finally {
    catalog.close();
  }
  syncToDisk(temporary);
  renameDurably(temporary, join(publishedFolder, "catalog.duckdb"));
}

function describeViews(publishedFolder: string, { tables }: Manifest): string {
  const current = join(resolve(publishedFolder), "current");
  const statements = Object.entries(tables).flatMap(([table, { partitioned, columns }]) => {
    const files = partitioned
      ? join(escapeGlob(current), table, "**", "*.parquet")
      : `${join(current, table)}.parquet`;
    return [
      `create view ${table} as select ${columns.map(({ name }) => name).join(", ")} ` +
        `from read_parquet(${sqlText(files)}${partitioned ? ", hive_partitioning = true" : ""})`,
      ...columns.map(
        ({ name, description }) => `comment on column ${table}.${name} is ${sqlText(description)}`,
      ),
    ];
  });
  return statements.join(";\n");
}
