import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { toTrinoType } from "../../../src/build/trino/core-tables.ts";
import type { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import type { SqlColumn } from "../../../src/engines/engine.ts";
import { sqlText } from "../../../src/engines/sql-text.ts";
import type { TrinoEngine } from "../../../src/engines/trino/trino-engine.ts";

/** Above this, Trino compares the rows: transferring them would take long. */
const maxTransferredRows = 50_000;

export interface Engines {
  duckDb: DuckDb;
  trino: TrinoEngine;
  /** Folder that serves as bucket. */
  bucket: string;
  /** The bucket in Trino. */
  location: string;
}

/** Describes the differing rows of a table; `undefined` if there are none. Doubles agree to nine digits. */
export async function findDifference(engines: Engines, table: string): Promise<string | undefined> {
  const { duckDb, trino } = engines;
  const columns = await duckDb.describe(`select * from ${table}`);
  const names = columns.map(({ name }) => name);
  const found = (await trino.describe(`select * from ${table}`)).map(({ name }) => name);
  if (found.join() !== names.join()) return `columns ${found} instead of ${names}`;
  const { rows } = await duckDb.get<{ rows: number }>(`select count(*) as rows from ${table}`);
  if (rows > maxTransferredRows) return await findOtherRows(engines, table, columns);
  const select = `select ${names.join(", ")} from ${table}`;
  const [expected, answered] = await Promise.all([textsOf(duckDb, select), textsOf(trino, select)]);
  const lacking = subtractRows(expected, answered);
  const odd = subtractRows(answered, expected);
  return describeRows(lacking, odd);
}

/** Exports DuckDB's rows to an external table; Trino computes the difference in both directions. */
async function findOtherRows(
  { duckDb, trino, bucket, location }: Engines,
  table: string,
  columns: readonly SqlColumn[],
): Promise<string | undefined> {
  if (columns.some(({ type }) => type === "DOUBLE"))
    return "doubles in a table that is too long to be compared here";
  const name = table.replace(".", "_");
  const folder = join(bucket, "compared", name);
  mkdirSync(folder, { recursive: true });
  const external = `venue_core.compared.${name}`;
  const list = columns.map((column) => column.name).join(", ");
  await duckDb.run(`copy (select ${list} from ${table}) to ${sqlText(join(folder, "data.parquet"))}`);
  await trino.run("create schema if not exists venue_core.compared");
  await trino.run(
    `create table ${external} (${columns.map((column) => `${column.name} ${toTrinoType(column.type)}`).join(", ")})
    with (external_location = '${location}/compared/${name}', format = 'PARQUET')`,
  );
  const of = (place: string) => `select ${list} from ${place}`;
  const lacking = await textsOf(trino, `${of(external)} except all ${of(table)} limit 20`);
  const odd = await textsOf(trino, `${of(table)} except all ${of(external)} limit 20`);
  await trino.run(`drop table ${external}`);
  rmSync(folder, { recursive: true });
  return describeRows(lacking, odd);
}

type Reader = Pick<DuckDb, "all">;

async function textsOf(engine: Reader, select: string): Promise<string[]> {
  return (await engine.all(select)).map((row) => JSON.stringify(row, toNineDigits));
}

function toNineDigits(_name: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(9)) : value;
}

function subtractRows(rows: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const row of others) counts.set(row, (counts.get(row) ?? 0) + 1);
  return rows.filter((row) => {
    const count = counts.get(row) ?? 0;
    counts.set(row, count - 1);
    return count <= 0;
  });
}

function describeRows(lacking: readonly string[], odd: readonly string[]): string | undefined {
  if (lacking.length === 0 && odd.length === 0) return undefined;
  return `Trino lacks ${lacking.length}: ${lacking.slice(0, 3)}; has beside ${odd.length}: ${odd.slice(0, 3)}`;
}
