import { createHash } from "node:crypto";
import type { Engine } from "../../engines/engine.ts";
import { toLakeColumns } from "../../lake/layout.ts";
import type { MachineManifest } from "../../lake/machine.ts";
import { readsOf } from "../../mart/header-parts.ts";
import { listSql, readSql } from "../../util/files/package-files.ts";
import { orderBuildables } from "../build-step.ts";

/** One select under `sql/lake/`: what a table of `core` is when all machines of a lake are taken together. */
export interface UnionTable {
  /** Without schema. */
  table: string;
  /** `core.` and the table. */
  name: string;
  sql: string;
  /** Tables of `lake` and `core`, as `schema.table`. */
  tables: readonly string[];
}

/** All of them, each after those that its header says that it reads. */
export function listUnionTables(): UnionTable[] {
  const tables = listSql("lake").map((file) => {
    const table = file.slice(0, -".sql".length);
    const sql = readSql(`lake/${file}`);
    return { table, name: `core.${table}`, sql, tables: readsOf(`lake/${file}`, sql) };
  });
  return orderBuildables(tables);
}

/**
 * What decides a table's content: its select, the files of all machines that it reads, and what decides the tables of
 * `core` that it reads.
 * @param known of the tables before it, by `core.` and name
 */
export function fingerprintOf(
  { sql, tables }: UnionTable,
  machines: readonly MachineManifest[],
  known: ReadonlyMap<string, string>,
): string {
  const parts = tables.map((name) => {
    const [schema, table = ""] = name.split(".");
    return schema === "lake" ? machines.map((machine) => publishedOf(machine, table)) : known.get(name);
  });
  return sha256Of([sql, parts]);
}

/** Paths tell what files hold. */
function publishedOf({ name, tables }: MachineManifest, table: string): unknown {
  return [name, tables[table]?.files.map(({ path }) => path)];
}

export function sha256Of(content: unknown): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

/** Makes a table of `core` what its select says, in place of what it held. */
export async function fillTable(engine: Engine, { table, name, sql }: UnionTable): Promise<void> {
  const columns = (await columnsOf(engine, table)).join(", ");
  await engine.run(`delete from ${name}`);
  await engine.run(`insert into ${name} (${columns}) select ${columns} from (${sql}\n) as ${table}`);
}

/** The columns of a table of `core` that a lake has, too. */
export async function columnsOf(engine: Engine, table: string): Promise<string[]> {
  const described = await engine.describe(`select * from core.${table}`);
  return toLakeColumns(table, described).map(({ name }) => name);
}
