import { randomUUID } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { sqlName, sqlText } from "../../engines/sql-text.ts";
import { type Manifest, versionGlob } from "../../mart/manifest.ts";
import { renameDurably, syncToDisk } from "../../util/files/durable-files.ts";
import { resolveLinks } from "../../util/files/folders.ts";

export const catalogName = "catalog.duckdb";

/**
 * Writes `catalog.duckdb`: one view per table of the current version, so that DuckDB and BI tools need to open only
 * one file. Readers with an open catalog keep the previous one.
 * @param place final location of the folder
 */
export async function writeCatalog(
  publishedFolder: string,
  manifest: Manifest,
  place = publishedFolder,
): Promise<void> {
  // The name identifies it as a leftover if this process is killed.
  const temporary = join(resolve(publishedFolder), `.unfinished-${randomUUID()}-${catalogName}`);
  try {
    await writeDatabase(temporary, [
      ...describeStandIns(publishedFolder),
      ...describeViews(manifest),
      ...describeFolder(place),
    ]);
    syncToDisk(temporary);
    renameDurably(temporary, join(publishedFolder, catalogName));
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Writes a new database with hundreds of statements, too small to gain from threads or an optimizer. */
export async function writeDatabase(path: string, statements: readonly string[]): Promise<void> {
  const database = await DuckDb.open({ path, threads: 1 });
  try {
    await database.run("pragma disable_optimizer");
    // Uses a transaction, because otherwise each statement would be written to disk separately.
    await database.transaction(() => database.run(statements.join(";\n")));
    // Checkpoints explicitly, because closing would hide disk errors.
    await database.run("checkpoint");
  } finally {
    database.close();
  }
}

function describeViews({ tables }: Manifest): string[] {
  return Object.entries(tables).flatMap(([table, { files: listed, columns }]) => {
    const files = `current/${versionGlob(table, listed)}`;
    return [
      `create view ${table} as select ${columns.map(({ name }) => sqlName(name)).join(", ")} ` +
        `from read_parquet(${buildEscapeExpression("folder_read()")} || ${sqlText(files)}, hive_partitioning = false) ` +
        "where reads_own_folder()",
      ...columns.map(
        ({ name, description }) => `comment on column ${table}.${sqlName(name)} is ${sqlText(description)}`,
      ),
    ];
  });
}

/**
 * Returns placeholder macros that `describeFolder` replaces. DuckDB binds the macros of a view when it creates the
 * view, which would take several times as long with the final macros.
 */
function describeStandIns(publishedFolder: string): string[] {
  return [
    `create macro folder_read() as ${sqlText(join(resolve(publishedFolder), sep))}`,
    "create macro reads_own_folder() as true",
  ];
}

/**
 * Returns SQL that finds the folder. DuckDB has no paths relative to a database, and the arguments of `read_parquet`
 * cannot depend on attached databases. So the folder is guessed, and each query compares it with the path of the
 * catalog that holds the view.
 *
 * The guess is the folder in which the catalog was written. If `temp_directory`, which by default is next to the
 * database that the session opened, is in another folder, that folder is used. Relative paths are ignored, because
 * DuckDB resolves them against the working directory, which may have changed.
 *
 * The type `catalog_mark` identifies the catalog among the attached databases, which can have any name.
 */
function describeFolder(place: string): string[] {
  const mark = sqlText(randomUUID());
  const temporary = "current_setting('temp_directory')";
  const isElsewhere = [
    `ends_with(${temporary}, '${catalogName}.tmp')`,
    `regexp_matches(${temporary}, '^([A-Za-z]:)?[/\\\\]')`,
    `${buildFolderExpression(temporary)} <> ${sqlText(join(resolve(place), sep))}`,
  ];
  return [
    `create type catalog_mark as enum (${mark})`,
    `create or replace macro folder_read() as case when ${isElsewhere.join(" and ")} then ${buildFolderExpression(temporary)} ` +
      `else ${sqlText(join(resolveFolder(resolve(place)), sep))} end`,
    `create or replace macro reads_own_folder() as (
      select case
        when count(*) > 1 then error(
          'The same ${catalogName} is attached from ' || min(path) || ' and ' || max(path) || '. Detach one of them.'
        )
        when ${buildFolderExpression("min(path)")} = folder_read() then true
        else error(
          coalesce(min(path), 'This catalog') || ' would read the files of ' || folder_read() ||
          '. Open ' || coalesce(min(path), '${catalogName}') || ' by its full path, in a session of its own that does not set temp_directory.'
        )
      end
      from duckdb_databases() where database_name in (
        select database_name from duckdb_types() where type_name = 'catalog_mark' and labels = [${mark}]
      )
    )`,
  ];
}

/** Resolves links in the path, even if the folder does not exist yet. */
function resolveFolder(folder: string): string {
  const target = resolveLinks(folder);
  return existsSync(target) ? target : join(resolveFolder(dirname(target)), basename(target));
}

/** Returns an SQL expression for a file's folder, with a trailing separator. */
function buildFolderExpression(path: string): string {
  return `regexp_replace(${path}, '[^/\\\\]*$', '')`;
}

/** Returns an SQL expression that escapes a folder for readers that take patterns. */
function buildEscapeExpression(folder: string): string {
  return `regexp_replace(${folder}, '([*?[])', '[\\1]', 'g')`;
}
