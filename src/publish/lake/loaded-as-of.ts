import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { sqlName } from "../../engines/sql-text.ts";
import { listLakeTables } from "../../lake/layout.ts";
import { listModels, type Model } from "../../mart/model.ts";

/**
 * The instant before which nothing that the service had is missing, by the model that says so; `undefined` without any
 * load. The warehouse's own models may be those of an older version, or not built at all: views take their place, in a
 * database of their own.
 * @returns ISO instant
 */
export async function findLoadedAsOf(warehouse: DuckDb): Promise<string | undefined> {
  const { home } = await warehouse.get<{ home: string }>("select current_database() as home");
  await warehouse.run("attach ':memory:' as models");
  try {
    await warehouse.run("use models; create schema core; create schema staging; create schema mart");
    for (const table of listLakeTables()) {
      await warehouse.run(`create view core.${table} as select * from ${sqlName(home)}.core.${table}`);
    }
    for (const { name, sql } of listNeeded("staging.freshness")) {
      await warehouse.run(`create view ${name} as ${sql}`);
    }
    const { instant } = await warehouse.get<{ instant: string | null }>(
      "select data_as_of as instant from staging.freshness",
    );
    return instant === null ? undefined : new Date(`${instant.replace(" ", "T")}Z`).toISOString();
  } finally {
    await warehouse.run(`use ${sqlName(home)}; detach models`);
  }
}

/** A model and all that it reads, in the order in which they can be made. */
function listNeeded(name: string, models = listModels()): Model[] {
  const model = models.find((one) => one.name === name);
  if (!model) return [];
  const needed = [...model.reads.flatMap((read) => listNeeded(read, models)), model];
  return [...new Set(needed)];
}
