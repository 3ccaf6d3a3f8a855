import type { DuckDb } from "../engines/duckdb.ts";
import type { Model } from "../mart/model.ts";
import type { Topic } from "../mart/topic.ts";
import { type DayRange, dayRanges, type KindDay } from "./day-ranges.ts";

/** By topic; a topic whose days were not looked at yet is missing. */
export type DirtyDays = Partial<Record<Topic, readonly KindDay[]>>;

export interface BuildModelOptions {
  /** From nothing, whatever is dirty. */
  isAnew: boolean;
  dirtyDays: DirtyDays;
  /** Of days, by which a model of the topic is built from nothing. @default all days at once */
  wholeRanges?: (topic: Topic) => Promise<DayRange[] | undefined>;
}

/** (Re)builds one model as its header says. Day models rebuild the dirty days alone, unless `isAnew`. */
export async function buildModel(
  warehouse: DuckDb,
  model: Model,
  { isAnew, dirtyDays, wholeRanges }: BuildModelOptions,
): Promise<void> {
  const { name, sql, built } = model;
  if (built.by === "view") {
    await warehouse.run(`create or replace view ${name} as ${sql}`);
  } else if (built.by === "whole") {
    await warehouse.run(`create or replace table ${name} as ${sql}`);
  } else if (isAnew) {
    await buildFromNothing(warehouse, model, await wholeRanges?.(built.topic));
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

async function buildFromNothing(
  warehouse: DuckDb,
  { name, sql }: Model,
  ranges: readonly DayRange[] | undefined,
): Promise<void> {
  const where = ranges ? "where false" : "";
  await warehouse.run(`create or replace table ${name} as select * from (${sql}\n) as model ${where}`);
  for (const { from, to } of ranges ?? []) {
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
