import type { Engine } from "../../engines/engine.ts";
import { sqlName, sqlText } from "../../engines/sql-text.ts";
import { insertRows } from "../../engines/statements.ts";
import { type CoreManifest, getVersionId, listChangedSince } from "../../mart/core-manifest.ts";
import type { ChangedDay } from "../../mart/pending-days.ts";
import { VenueError } from "../../util/venue-error.ts";
import { formatColumn, toTrinoType } from "./core-tables.ts";

interface RegisterCoreOptions {
  /** Hive catalog, whose schema `core` is replaced. */
  catalog: string;
  manifest: CoreManifest;
  /** The version's folder as Trino sees it, e.g. `s3://bucket/core/v000007`. */
  location: string;
  signal?: AbortSignal | undefined;
}

/**
 * Registers the folders of a version of `core` as external tables, and records the version on the branch.
 * @throws {VenueError} `CORE_DAMAGED` if Trino sees a different number of rows than the manifest lists
 */
export async function registerCore(engine: Engine, options: RegisterCoreOptions): Promise<void> {
  const { catalog, manifest, location, signal } = options;
  const schema = `${sqlName(catalog)}.core`;
  // The tables are external, so dropping them keeps their files.
  await engine.run(`drop schema if exists ${schema} cascade`);
  await engine.run(`create schema ${schema}`);
  for (const [table, { columns }] of Object.entries(manifest.tables)) {
    signal?.throwIfAborted();
    const described = columns.map(({ name, type }) => formatColumn(name, toTrinoType(type)));
    await engine.run(
      `create table ${schema}.${sqlName(table)} (${described.join(", ")})
      with (external_location = ${sqlText(`${location}/${table}`)}, format = 'PARQUET')`,
    );
  }
  await engine.run("delete from core.built_core");
  await insertRows(
    engine,
    "core.built_core",
    { version_id: "varchar", table_name: "varchar", row_count: "bigint" },
    Object.entries(manifest.tables).map(([table, { rows }]) => [getVersionId(manifest), table, rows]),
  );
  await assertRegistered(engine);
}

/** Lists the days that changed since the `core` version of the last published build; `undefined` if unknown. */
export async function findChangedDays(
  engine: Engine,
  manifest: CoreManifest,
): Promise<readonly ChangedDay[] | undefined> {
  const built = await engine.find<{ id: string }>("select version_id as id from core.built_core limit 1");
  return listChangedSince(manifest, built?.id);
}

/**
 * Asserts that Trino sees all rows of the version that the build reads. Rows are counted because, in an object store,
 * a folder whose files were removed looks like an empty table.
 * @throws {VenueError} `CORE_DAMAGED`
 */
export async function assertRegistered(engine: Engine): Promise<void> {
  const wanted = await engine.all<{ table: string; rows: number }>(
    'select table_name as "table", row_count as "rows" from core.built_core order by table_name',
  );
  if (wanted.length === 0) return;
  const counts = wanted.map(
    ({ table }) => `select ${sqlText(table)} as name, count(*) as row_count from core.${table}`,
  );
  const found = await engine.all<{ name: string; row_count: number }>(counts.join(" union all "));
  const rowsOf = new Map(found.map(({ name, row_count }) => [name, row_count]));
  for (const { table, rows } of wanted)
    if (rowsOf.get(table) !== rows) throw coreDamagedError(table, rows, rowsOf.get(table) ?? 0);
}

function coreDamagedError(table: string, rows: number, found: number): VenueError {
  return new VenueError(
    "CORE_DAMAGED",
    "damage",
    `Trino sees ${found} rows of core.${table}, and the version that the build reads has ${rows}. Files were removed or changed. ` +
      "Run `venue publish --layer core` on the machine that loads, and build again.",
  );
}
