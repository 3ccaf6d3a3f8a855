import type { DuckDb } from "../engines/duckdb.ts";
import { readSql } from "../engines/sql-file.ts";
import { setVariables } from "./load-variables.ts";
import type { RecordWay } from "./record-way.ts";

/**
 * The way into a core that has records of the kind: one look at the file tells which written dates of which zones
 * hold other lines than when they were loaded last, and only those are compared with core.
 */
export const knownRecords: RecordWay = {
  async read(warehouse) {
    await setVariables(warehouse, await chooseKeptDates(warehouse));
    await warehouse.run(readSql("load/look.sql"));
    await takeChangedLines(warehouse);
    return await countSound(warehouse);
  },

  async settle(warehouse) {
    await warehouse.run(readSql("load/compare.sql"));
    // What is looked at after all may show more that has to be.
    while ((await widen(warehouse)) > 0) {
      await warehouse.run(readSql("load/take_changed_lines.sql"));
      await warehouse.run(readSql("load/compare.sql"));
    }
    await warehouse.run(readSql("load/begin_entangled_days.sql"));
    await warehouse.run(readSql("load/merge_records.sql"));
    await setVariables(warehouse, { is_all_sound: false, line_source: "changed_text" });
    await warehouse.run(readSql("load/group_lines.sql"));
    await warehouse.run(readSql("load/merge_results.sql"));
    return await warehouse.get(readSql("load/count_merged.sql"));
  },
};

async function chooseKeptDates(
  warehouse: DuckDb,
): Promise<{ kept_from: string | null; kept_to: string | null }> {
  return await warehouse.get(readSql("load/choose_kept_dates.sql"));
}

async function takeChangedLines(warehouse: DuckDb): Promise<void> {
  const { isAllKept } = await warehouse.get<{ isAllKept: boolean }>(readSql("load/is_all_kept.sql"));
  await warehouse.run(readSql(isAllKept ? "load/take_kept_lines.sql" : "load/take_changed_lines.sql"));
}

async function countSound(warehouse: DuckDb): Promise<number> {
  const { sound } = await warehouse.get<{ sound: number }>(readSql("load/count_sound.sql"));
  return sound;
}

async function widen(warehouse: DuckDb): Promise<number> {
  await warehouse.run(readSql("load/widen.sql"));
  const { widened } = await warehouse.get<{ widened: number }>("select count(*) as widened from widened_day");
  return widened;
}
