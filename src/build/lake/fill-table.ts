import type { Engine } from "../../engines/engine.ts";
import { toLakeColumns } from "../../lake/layout.ts";
import type { UnionTable } from "./union-table.ts";

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
