import { escapeGlob, sqlName, sqlText } from "../../engines/sql-text.ts";
import type { Storage } from "../../storage/storage.ts";
import { findPointer } from "./pointer.ts";
import { findStoreManifest, type StoreManifest } from "./store-version.ts";

const filesName = "files.json";

/**
 * Writes the files that list the current version's files for readers. Each lists the files of exactly one version.
 * They are written again if another version becomes visible meanwhile, so that they end up describing the version
 * that remains.
 */
export async function writeReaderFiles(storage: Storage): Promise<void> {
  for (;;) {
    const shown = await findPointer(storage);
    if (!shown) return;
    const key = shown.pointer.manifest;
    const manifest = await findStoreManifest(storage, key);
    if (manifest) {
      await storage.put("catalog.sql", describeCatalog(storage, manifest));
      for (const name of ["dictionary.json", "dictionary.html"]) {
        const found = await storage.find(key.replace(/[^/]+$/, name));
        if (found) await storage.put(name, found.content);
      }
      await storage.put(filesName, describeFiles(storage, manifest, key));
    }
    if ((await findPointer(storage))?.objectVersion === shown.objectVersion) return;
  }
}

/** Returns true if the reader files describe this version. Checks only `files.json`, which is written last. */
export async function hasReaderFiles(storage: Storage, manifestKey: string): Promise<boolean> {
  const found = await storage.find(filesName);
  if (!found) return false;
  const { manifest }: { manifest?: string } = JSON.parse(found.content.toString());
  return manifest === storage.addressOf(manifestKey);
}

/** Describes the files for tools that take a list of Parquet files. */
function describeFiles(storage: Storage, manifest: StoreManifest, manifestKey: string): string {
  const { version, built_at, data_as_of } = manifest;
  const tables = Object.entries(manifest.tables).map(([table, { files }]) => [
    table,
    files.map(({ path }) => storage.addressOf(path)),
  ]);
  const description = {
    ...{ version, built_at, data_as_of, manifest: storage.addressOf(manifestKey) },
    tables: Object.fromEntries(tables),
  };
  return `${JSON.stringify(description, null, 1)}\n`;
}

/** Describes the tables as views for DuckDB. */
function describeCatalog(storage: Storage, { version, built_at, tables }: StoreManifest): string {
  const views = Object.entries(tables).flatMap(([table, { columns, files }]) => {
    const list = files.map(({ path }) => sqlText(escapeGlob(storage.addressOf(path)))).join(",\n  ");
    return [
      `create or replace view ${table} as\nselect ${columns.map(({ name }) => sqlName(name)).join(", ")}\n` +
        `from read_parquet([\n  ${list}\n], hive_partitioning = false);`,
      ...columns.map(
        ({ name, description }) => `comment on column ${table}.${sqlName(name)} is ${sqlText(description)};`,
      ),
    ];
  });
  return `-- Tables of ${version}, built ${built_at}, as views for DuckDB.\n${views.join("\n")}\n`;
}
