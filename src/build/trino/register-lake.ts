import { dirname } from "node:path/posix";
import type { Engine } from "../../engines/engine.ts";
import { sqlText } from "../../engines/sql-text.ts";
import { listLakeTables, tableByMonth } from "../../lake/lake-tables.ts";
import type { LakeFile, MachineManifest } from "../../lake/machine-manifest.ts";
import { unionColumns } from "../../lake/union-columns.ts";
import { columnText, listTableColumns, trinoType } from "./table-columns.ts";

export interface RegisterLakeOptions {
  /** The Hive catalog, whose schema `lake` gets the tables. */
  catalog: string;
  machines: readonly MachineManifest[];
  /** Where Trino sees the lake's folder, e.g. `s3://bucket/lake`. */
  location: string;
  signal?: AbortSignal | undefined;
}

/** A folder with one file, which a partition of an external table stands for. */
interface Partition {
  /** Of the partition's columns: the machine, of plays the month, and the folder's name, which tells what the file holds. */
  values: string[];
  /** Relative to the lake. */
  folder: string;
}

/**
 * Makes a lake readable as `lake.play` and so on: one external table per table, with a partition for each file that the
 * machines' manifests name, and no other. What is registered already stays.
 */
export async function registerLake(engine: Engine, options: RegisterLakeOptions): Promise<void> {
  const { catalog, machines, location, signal } = options;
  await engine.run(`create schema if not exists ${catalog}.lake`);
  const found = await listTableColumns(engine, "lake", catalog);
  for (const table of listLakeTables()) {
    signal?.throwIfAborted();
    const wanted = [
      ...unionColumns(location, table, machines).map(({ name, type }) => columnText(name, trinoType(type))),
      ...partitionColumns(table).map((name) => columnText(name, "varchar")),
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
  // An external table: its files stay.
  await engine.run(`drop table if exists ${catalog}.lake.${table}`);
  const keys = partitionColumns(table).map(sqlText).join(", ");
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
  const keys = partitionColumns(table);
  const rows = await engine.all<Record<string, string>>(
    `select ${keys.join(", ")} from ${catalog}.lake."${table}$partitions"`,
  );
  const registered = new Set(rows.map((row) => JSON.stringify(keys.map((key) => row[key]))));
  const wanted = new Map(
    machines.flatMap(({ name, tables }) =>
      (tables[table]?.files ?? []).map((file) => {
        const partition = partitionOf(table, name, file);
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
  for (const [key, { values, folder }] of wanted) {
    if (!registered.has(key)) await call("register_partition", values, folder);
  }
}

function partitionOf(table: string, machine: string, { path, month }: LakeFile): Partition {
  const folder = dirname(path);
  const version = folder.slice(folder.lastIndexOf("/") + 1);
  return { values: [machine, ...(table === tableByMonth ? [month ?? ""] : []), version], folder };
}

function partitionColumns(table: string): string[] {
  return ["machine", ...(table === tableByMonth ? ["month"] : []), "file_version"];
}

function array(texts: readonly string[]): string {
  return `array[${texts.map(sqlText).join(", ")}]`;
}
