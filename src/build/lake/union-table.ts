import { createHash } from "node:crypto";
import type { Engine } from "../../engines/engine.ts";
import { toLakeColumns } from "../../lake/layout.ts";
import type { MachineManifest } from "../../lake/machine.ts";
import { listReads } from "../../mart/header-parts.ts";
import { listSql, readSql } from "../../util/files/package-files.ts";
import { orderBuildables } from "../build-step.ts";

/** A table of `core` over all machines of a lake, with its select in `sql/lake/`. */
export interface UnionTable {
  /** Without schema. */
  table: string;
  /** `core.` and the table. */
  name: string;
  sql: string;
  /** Tables of `lake` and `core`, as `schema.table`. */
  tables: readonly string[];
}

/** Lists all union tables, each after the tables that its header declares as read. */
export function listUnionTables(): UnionTable[] {
  const tables = listSql("lake").map((file) => {
    const table = file.slice(0, -".sql".length);
    const sql = readSql(`lake/${file}`);
    return { table, name: `core.${table}`, sql, tables: listReads(`lake/${file}`, sql) };
  });
  return orderBuildables(tables);
}

/**
 * Hashes a table's inputs: its select, the machines' files that it reads, and the fingerprints of the tables
 * in `core` that it reads.
 * @param known fingerprints of the tables before it, keyed by `core.` and table name
 */
export function computeFingerprint(
  { sql, tables }: UnionTable,
  machines: readonly MachineManifest[],
  known: ReadonlyMap<string, string>,
): string {
  const parts = tables.map((name) => {
    const [schema, table = ""] = name.split(".");
    return schema === "lake"
      ? machines.map((machine) => listPublishedFiles(machine, table))
      : known.get(name);
  });
  return sha256Of([sql, parts]);
}

/** Lists a machine's files of a table by path, which identifies their content. */
function listPublishedFiles({ name, tables }: MachineManifest, table: string): unknown {
  return [name, tables[table]?.files.map(({ path }) => path)];
}

export function sha256Of(content: unknown): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

export async function fillTable(engine: Engine, { table, name, sql }: UnionTable): Promise<void> {
  const columns = (await listSharedColumns(engine, table)).join(", ");
  await engine.run(`delete from ${name}`);
  await engine.run(`insert into ${name} (${columns}) select ${columns} from (${sql}\n) as ${table}`);
}

/** Returns the columns that a table has both in `core` and in a lake. */
export async function listSharedColumns(engine: Engine, table: string): Promise<string[]> {
  const described = await engine.describe(`select * from core.${table}`);
  return toLakeColumns(table, described).map(({ name }) => name);
}
