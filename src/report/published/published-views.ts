import { join } from "node:path";
import { fromFile } from "../../engines/duckdb/file-types.ts";
import { sqlName, sqlText } from "../../engines/sql-text.ts";
import type { Manifest, ManifestTable } from "../../mart/manifest.ts";

/** One view per table. Names of files and columns can't be bound; they are our own, and quoted all the same. */
export function viewStatements(versionFolder: string, { tables }: Manifest): string {
  return Object.entries(tables)
    .map(([table, published]) => `create view ${sqlName(table)} as ${viewSelect(versionFolder, published)};`)
    .join("\n");
}

function viewSelect(versionFolder: string, { columns, files }: ManifestTable): string {
  const list = columns.map(({ name, type }) => `${fromFile(sqlName(name), type)} as ${sqlName(name)}`);
  const paths = files.map(({ path }) => sqlText(join(versionFolder, path)));
  return `select ${list.join(", ")} from read_parquet([${paths.join(", ")}], hive_partitioning = false)`;
}
