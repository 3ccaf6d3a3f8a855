import type { DuckDb } from "../engines/duckdb.ts";
import type { Model } from "../engines/model.ts";
import { readSql } from "../engines/sql-file.ts";
import type { Topic } from "../engines/topic.ts";
import { type DayRange, dayRanges, type KindDay } from "./day-ranges.ts";

/** By topic; a topic whose days were not looked at yet is missing. */
export type DirtyDays = Partial<Record<Topic, readonly KindDay[]>>;

/** (Re)builds one model as its header says. Day models rebuild the dirty days alone, unless `isAnew`. */
export async function buildModel(
  warehouse: DuckDb,
  model: Model,
  { isAnew, dirtyDays }: { isAnew: boolean; dirtyDays: DirtyDays },
): Promise<void> {
  const { name, sql, built } = model;
  if (built.by === "view") {
    await warehouse.run(`create or replace view ${name} as ${sql}`);
  } else if (built.by === "day" && built.topic === "campaigns" && isAnew) {
    await buildByMonth(warehouse, model);
  } else if (built.by === "whole" || isAnew) {
    await warehouse.run(`create or replace table ${name} as ${sql}`);
  } else {
    for (const { kinds, from, to } of rangesOf(model, built, dirtyDays[built.topic] ?? [])) {
      const ofKinds = kinds && `kind in (${kinds.map(() => "?").join(", ")})`;
      const days = ["date between cast(? as date) and cast(? as date)", ofKinds]
        .filter(Boolean)
        .join(" and ");
      const bound = [from, to, ...(kinds ?? [])];
      await warehouse.run(`delete from ${name} where ${days}`, bound);
      await warehouse.run(`insert into ${name} select * from (${sql}\n) as model where ${days}`, bound);
    }
  }
}

/** Cells of compliance are many times what they are made from: a month at a time, they take little memory. */
async function buildByMonth(warehouse: DuckDb, { name, sql }: Model): Promise<void> {
  await warehouse.run(`create or replace table ${name} as select * from (${sql}\n) as model where false`);
  const months = await warehouse.all<{ from: string; to: string }>(
    `select distinct date_trunc('month', date)::date as "from", last_day(date) as "to"
    from (${readSql("build/every_day/campaigns.sql")}\n) as days order by 1`,
  );
  for (const { from, to } of months) {
    await warehouse.run(
      `insert into ${name} select * from (${sql}\n) as model where date between cast(? as date) and cast(? as date)`,
      [from, to],
    );
  }
}

/** What was built before, by `schema.table`. */
export async function listBuilt(warehouse: DuckDb): Promise<Map<string, "table" | "view">> {
  const built = await warehouse.all<{ name: string; type: "table" | "view" }>(
    `select schema_name || '.' || table_name as name, 'table' as type from duckdb_tables()
    where schema_name in ('staging', 'mart')
    union all
    select schema_name || '.' || view_name as name, 'view' as type from duckdb_views()
    where schema_name in ('staging', 'mart')`,
  );
  return new Map(built.map(({ name, type }) => [name, type]));
}

/** Ranges to build again, each at once for all kinds that have a dirty day in it; no `kinds`: whatever the kind. */
function rangesOf(
  { columns }: Model,
  { reachDays, isAnyKind }: { reachDays: number; isAnyKind: boolean },
  dirtyDays: readonly KindDay[],
): (DayRange & { kinds?: string[] })[] {
  const ranges = dayRanges(
    dirtyDays.map(({ date }) => date),
    reachDays,
  );
  if (isAnyKind || !columns.some(({ name }) => name === "kind")) return ranges;
  return ranges.map(({ from, to }) => {
    const within = dirtyDays.filter(({ date }) => date >= from && date <= to);
    return { from, to, kinds: [...new Set(within.map(({ kind }) => kind))] };
  });
}
