import type { DuckDb } from "../engines/duckdb.ts";
import { readSql } from "../engines/sql-file.ts";
import { bothSettled } from "./both-settled.ts";
import { countLines, type LineMark } from "./count-lines.ts";
import { checkRows, type LandingToTake, type LinesTaken } from "./lines-taken.ts";
import { loadFirst } from "./load-first.ts";
import { setVariables } from "./load-variables.ts";
import { type JudgedLines, lookAtLines } from "./look-at-lines.ts";
import { UnknownFields } from "./unknown-fields.ts";

/**
 * The way into a core that has records of the kind: one look at the file tells which written dates of which zones
 * hold other lines than when they were loaded last, and only those are compared with core.
 */
export async function loadKnown(warehouse: DuckDb, landing: LandingToTake): Promise<LinesTaken> {
  const run = (file: string) => warehouse.run(readSql(`load/known/${file}.sql`));
  const unknownFields = new UnknownFields(landing.kind);
  await setVariables(warehouse, await chooseKeptDates(warehouse));
  const [, counts] = await bothSettled(run("look"), countLines({ ...landing, look: unknownFields.look }));
  const { rows } = await warehouse.get<{ rows: number }>(
    "select cast(coalesce(sum(lines), 0) as bigint) as rows from seen_day",
  );
  checkRows(counts, rows, landing);
  if (await isNewToCore(warehouse)) return await loadFirst(warehouse, landing);

  await takeChangedLines(warehouse);
  const refused = await judgeRefused(warehouse, rows, landing, counts.marks);
  await run("compare");
  // What is looked at after all may show more that has to be.
  while ((await widen(warehouse)) > 0) {
    await run("take_changed_lines");
    await run("compare");
  }
  await warehouse.run(readSql("load/begin_entangled_days.sql"));
  await run("merge_records");
  await run("group_lines");
  await run("merge_results");
  await warehouse.run(readSql("load/group_records.sql"));
  return {
    lines: counts.lines,
    blank: counts.blank + refused.markOnly,
    rejected: refused.rejected,
    ...(await countMerged(warehouse)),
    isNewToCore: false,
    unknownFields,
  };
}

async function chooseKeptDates(
  warehouse: DuckDb,
): Promise<{ kept_from: string | null; kept_to: string | null }> {
  return await warehouse.get(readSql("load/known/choose_kept_dates.sql"));
}

async function isNewToCore(warehouse: DuckDb): Promise<boolean> {
  const { isNew } = await warehouse.get<{ isNew: boolean }>(readSql("load/known/is_new_to_core.sql"));
  return isNew;
}

async function takeChangedLines(warehouse: DuckDb): Promise<void> {
  const { isAllKept } = await warehouse.get<{ isAllKept: boolean }>(readSql("load/known/is_all_kept.sql"));
  await warehouse.run(readSql(`load/known/${isAllKept ? "take_kept_lines" : "take_changed_lines"}.sql`));
}

async function judgeRefused(
  warehouse: DuckDb,
  rows: number,
  landing: LandingToTake,
  marks: readonly LineMark[],
): Promise<JudgedLines> {
  const { sound } = await warehouse.get<{ sound: number }>(readSql("load/known/count_sound.sql"));
  if (sound === rows) return { mended: 0, rejected: 0, markOnly: 0 };
  await warehouse.run("set preserve_insertion_order = true");
  await warehouse.run(readSql("load/known/want_refused.sql"));
  await warehouse.run("set preserve_insertion_order = false");
  return await lookAtLines(warehouse, landing, marks);
}

async function widen(warehouse: DuckDb): Promise<number> {
  await warehouse.run(readSql("load/known/widen.sql"));
  const { widened } = await warehouse.get<{ widened: number }>("select count(*) as widened from widened_day");
  return widened;
}

async function countMerged(
  warehouse: DuckDb,
): Promise<Pick<LinesTaken, "newPlays" | "changed" | "unchanged" | "duplicate">> {
  return await warehouse.get(readSql("load/known/count_merged.sql"));
}
