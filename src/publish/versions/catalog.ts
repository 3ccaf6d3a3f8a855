import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { escapeGlob, sqlText } from "../../engines/sql-text.ts";
import type { Manifest } from "../../mart/manifest.ts";
import { renameDurably, syncToDisk } from "../../util/files/durable-files.ts";

export const catalogName = "catalog.duckdb";

/**
 * Writes `catalog.duckdb`: a view per table over whatever `current` points to, so that DuckDB and the BI tools that
 * speak it open one file, wherever the folder lies by then. Readers that have the old one open keep it.
 * @param place where the folder will lie
 */
export async function writeCatalog(
  publishedFolder: string,
  manifest: Manifest,
  place = publishedFolder,
): Promise<void> {
  const temporary = join(publishedFolder, `.unfinished-${catalogName}`);
  rmSync(temporary, { force: true });
  const catalog = await DuckDb.open({ path: temporary });
  try {
    // At once: each statement alone would be written to disk before the next one.
    await catalog.transaction(() => catalog.run(describeViews(place, manifest)));
    // Closing does it, too, but says nothing where the disk fails.
    await catalog.run("checkpoint");
  } finally {
    catalog.close();
  }
  syncToDisk(temporary);
  renameDurably(temporary, join(publishedFolder, catalogName));
}

function describeViews(place: string, { tables }: Manifest): string {
  const folder = folderOfCatalog(place);
  const statements = Object.entries(tables).flatMap(([table, { partitioned, columns }]) => {
    const files = `current/${table}${partitioned ? "/**/*.parquet" : ".parquet"}`;
    return [
      `create view ${table} as select ${columns.map(({ name }) => name).join(", ")} ` +
        `from read_parquet(${folder} || ${sqlText(files)}, hive_partitioning = false)`,
      ...columns.map(
        ({ name, description }) => `comment on column ${table}.${name} is ${sqlText(description)}`,
      ),
    ];
  });
  return statements.join(";\n");
}

/**
 * An expression for the folder that the catalog lies in, with its slash, and with what a glob would take for more than
 * itself escaped. DuckDB reads relative paths from where a program was started, and names the folder of the database that
 * it opened in one place alone: it puts temporary files beside it. To a catalog that is attached to another database, or
 * where that setting was changed, the folder is its place when it was written.
 */
function folderOfCatalog(place: string): string {
  const temporary = "current_setting('temp_directory')";
  const escaped = `regexp_replace(regexp_replace(${temporary}, '[^/\\\\]*$', ''), '([*?[])', '[\\1]', 'g')`;
  const written = sqlText(`${escapeGlob(resolve(place))}/`);
  return `case when ends_with(${temporary}, '${catalogName}.tmp') then ${escaped} else ${written} end`;
}
