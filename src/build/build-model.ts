import { getDateColumn, type Model, toRowDate } from "../mart/model.ts";
import type { Topic } from "../mart/topic.ts";
import { coverDates, type DayRange, type KindDay } from "./dirty-days.ts";
import type { Workbench } from "./workbench.ts";

/** Dirty days by topic; a topic is missing until its days are determined. */
export type DirtyDays = Partial<Record<Topic, readonly KindDay[]>>;

export interface BuildModelOptions {
  /** Rebuilds from scratch, regardless of dirty days. */
  isFromScratch: boolean;
  dirtyDays: DirtyDays;
  /** Returns the day ranges in which to build a model from scratch. @default all days at once */
  wholeRanges?: (topic: Topic) => Promise<DayRange[] | undefined>;
}

/** Builds one model as its header declares. Day models rebuild only dirty days, unless `isFromScratch`. */
export async function buildModel(
  workbench: Workbench,
  model: Model,
  { isFromScratch, dirtyDays, wholeRanges }: BuildModelOptions,
): Promise<void> {
  const { engine } = workbench;
  const { name, sql, built } = model;
  if (built.by === "view") {
    await engine.run(`create or replace view ${name} as ${sql}`);
  } else if (built.by === "whole") {
    await workbench.fillTable(model, sql);
  } else if (isFromScratch) {
    await buildFromScratch(workbench, model, await wholeRanges?.(built.topic));
  } else {
    const changed = (dirtyDays[built.topic] ?? []).map(({ kind, date }) => ({
      kind,
      date: toRowDate(model, date),
    }));
    for (const { kinds, from, to } of splitDays(model, built, changed)) {
      const ofKinds = kinds && `kind in (${kinds.map(() => "?").join(", ")})`;
      const days = [withinRange(model), ofKinds].filter(Boolean).join(" and ");
      const bound = [from, to, ...(kinds ?? [])];
      await engine.run(`delete from ${name} where ${days}`, bound);
      await engine.run(`insert into ${name} select * from (${sql}\n) as model where ${days}`, bound);
    }
  }
}

async function buildFromScratch(
  workbench: Workbench,
  model: Model,
  ranges: readonly DayRange[] | undefined,
): Promise<void> {
  const { name, sql } = model;
  const where = ranges ? "where false" : "";
  await workbench.fillTable(model, `select * from (${sql}\n) as model ${where}`);
  for (const { from, to } of ranges ?? []) {
    await workbench.engine.run(
      `insert into ${name} select * from (${sql}\n) as model where ${withinRange(model)}`,
      [from, to],
    );
  }
}

function withinRange(model: Model): string {
  return `${getDateColumn(model)} between cast(? as date) and cast(? as date)`;
}

/**
 * Returns the ranges to rebuild, each with the kinds that have a dirty day in it. A range without `kinds` is rebuilt
 * for every kind.
 */
function splitDays(
  { columns }: Model,
  { reachDays, isAnyKind }: { reachDays: number; isAnyKind: boolean },
  dirtyDays: readonly KindDay[],
): (DayRange & { kinds?: string[] })[] {
  const ranges = coverDates(
    dirtyDays.map(({ date }) => date),
    reachDays,
  );
  if (isAnyKind || !columns.some(({ name }) => name === "kind")) return ranges;
  return ranges.map(({ from, to }) => {
    const within = dirtyDays.filter(({ date }) => date >= from && date <= to);
    return { from, to, kinds: [...new Set(within.map(({ kind }) => kind))] };
  });
}
