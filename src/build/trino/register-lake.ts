import { basename, dirname } from "node:path/posix";
import type { Engine } from "../../engines/engine.ts";
import { sqlText } from "../../engines/sql-text.ts";
import { LakeDamagedError } from "../../lake/errors.ts";
import { listLakeTables, tableByMonth } from "../../lake/layout.ts";
import type { LakeFile, MachineManifest } from "../../lake/machine.ts";
import { type CoreColumns, mergeColumns } from "../../lake/read-lake.ts";
import { formatColumn, listTableColumns, toTrinoType } from "./core-tables.ts";

export interface RegisterLakeOptions {
  /** Hive catalog; the tables are registered in its schema `lake`. */
  catalog: string;
  machines: readonly MachineManifest[];
  /** This version's tables, which machines of older versions may lack. */
  coreColumns: CoreColumns;
  /** The lake's folder as Trino sees it, e.g. `s3://bucket/lake`. */
  location: string;
  /** @default all tables of a lake */
  tables?: readonly string[];
  signal?: AbortSignal | undefined;
}

/** A folder with one file, registered as a partition of an external table. */
interface Partition {
  machine: string;
  rows: number;
  /**
   * Partition values: the machine, the month (only for plays), and the folder's name, which identifies the
   * content.
   */
  values: string[];
  /** Relative to the lake. */
  folder: string;
}

/**
 * Registers a lake's tables as `lake.play` and so on: one external table each, with exactly one partition per
 * file that the machines' manifests name. Existing registrations are kept.
 * @throws {LakeDamagedError} if Trino sees a different number of rows than a manifest records
 */
export async function registerLake(engine: Engine, options: RegisterLakeOptions): Promise<void> {
  const { catalog, machines, coreColumns, tables = listLakeTables(), signal } = options;
  await engine.run(`create schema if not exists ${catalog}.lake`);
  const found = await listTableColumns(engine, "lake", catalog);
  for (const table of tables) {
    signal?.throwIfAborted();
    const wanted = [
      ...mergeColumns(table, machines, coreColumns).map(({ name, type }) =>
        formatColumn(name, toTrinoType(type)),
      ),
      ...listPartitionColumns(table).map((name) => formatColumn(name, "varchar")),
    ];
    if (found.get(table)?.join() !== wanted.join()) await makeTable(engine, options, table, wanted);
    await registerPartitions(engine, options, table);
  }
}

async function makeTable(
  engine: Engine,
  { catalog, location }: RegisterLakeOptions,
  table: string,
  columns: readonly string[],
): Promise<void> {
  // The table is external, so dropping it keeps its files.
  await engine.run(`drop table if exists ${catalog}.lake.${table}`);
  const keys = listPartitionColumns(table).map(sqlText).join(", ");
  await engine.run(
    `create table ${catalog}.lake.${table} (${columns.join(", ")}) with (
      external_location = ${sqlText(`${location}/core/${table}`)},
      format = 'PARQUET',
      partitioned_by = array[${keys}]
    )`,
  );
}

async function registerPartitions(
  engine: Engine,
  { catalog, machines, location, signal }: RegisterLakeOptions,
  table: string,
): Promise<void> {
  const keys = listPartitionColumns(table);
  const rows = await engine.all<Record<string, string>>(
    `select ${keys.join(", ")} from ${catalog}.lake."${table}$partitions"`,
  );
  const registered = new Set(rows.map((row) => JSON.stringify(keys.map((key) => row[key]))));
  const wanted = new Map(
    machines.flatMap(({ name, tables }) =>
      (tables[table]?.files ?? []).map((file) => {
        const partition = toPartition(table, name, file);
        return [JSON.stringify(partition.values), partition] as const;
      }),
    ),
  );
  const call = async (procedure: string, values: readonly string[], folder?: string) => {
    signal?.throwIfAborted();
    const place = folder === undefined ? "" : `, ${sqlText(`${location}/${folder}`)}`;
    await engine.run(
      `call ${catalog}.system.${procedure}('lake', ${sqlText(table)}, ${array(keys)}, ${array(values)}${place})`,
    );
  };
  for (const key of registered) if (!wanted.has(key)) await call("unregister_partition", JSON.parse(key));
  const added = [...wanted].flatMap(([key, partition]) => (registered.has(key) ? [] : [partition]));
  for (const { values, folder } of added) await call("register_partition", values, folder);
  const others = await findOtherCounts(engine, table, added);
  // These partitions are unregistered, because the next build would assume that registered ones were
  // verified.
  for (const { values } of others) await call("unregister_partition", values);
  const [first] = others;
  if (!first) return;
  const { machine, folder, rows: wantedRows } = first;
  throw new LakeDamagedError(machine, `Trino does not see the ${wantedRows} rows of ${location}/${folder}`);
}

/**
 * Finds partitions whose row count differs from the manifest. Counts are needed because an object store shows
 * a missing file as an empty partition.
 */
async function findOtherCounts(
  engine: Engine,
  table: string,
  partitions: readonly Partition[],
): Promise<Partition[]> {
  if (partitions.length === 0) return [];
  const keys = listPartitionColumns(table);
  const versions = partitions.map(({ values }) => sqlText(values.at(-1) ?? "")).join(", ");
  const rows = await engine.all<Record<string, string | number>>(
    `select ${keys.join(", ")}, count(*) as row_count from lake.${table}
    where file_version in (${versions}) group by ${keys.join(", ")}`,
  );
  const counts = new Map(rows.map((row) => [JSON.stringify(keys.map((key) => row[key])), row.row_count]));
  return partitions.filter(
    ({ values, rows: wanted }) => (counts.get(JSON.stringify(values)) ?? 0) !== wanted,
  );
}

function toPartition(table: string, machine: string, { path, month, rows }: LakeFile): Partition {
  const folder = dirname(path);
  return {
    machine,
    rows,
    values: [machine, ...(table === tableByMonth ? [month ?? ""] : []), basename(folder)],
    folder,
  };
}

function listPartitionColumns(table: string): string[] {
  return ["machine", ...(table === tableByMonth ? ["month"] : []), "file_version"];
}

function array(texts: readonly string[]): string {
  return `array[${texts.map(sqlText).join(", ")}]`;
}
