import type { DuckDb } from "../engines/duckdb.ts";
import { readSql } from "../engines/sql-file.ts";
import { setVariables } from "./load-variables.ts";
import type { RecordWay } from "./record-way.ts";

/** Records that are tested for repeats at a time: bounds memory. */
const sliceRecords = 2_500_000;

/** The way into a core that has no records of the kind: straight from the file, then repeats taken out. */
export const firstRecords: RecordWay = {
  async read(warehouse) {
    return await insertFrom(warehouse, "landing_text");
  },

  async settle(warehouse, { mended, rejected, blank }) {
    const isAllSound = mended + rejected + blank === 0;
    if (mended > 0) await insertFrom(warehouse, "mended_text");
    const { inserted } = await warehouse.get<{ inserted: number }>(
      "select count(*) as inserted from core.play where kind = getvariable('kind')",
    );
    await warehouse.run(readSql("load/begin_entangled_days.sql"));
    for (const slice of await listSlices(warehouse)) await mergeRepeats(warehouse, slice);
    await setVariables(warehouse, { is_all_sound: isAllSound, line_source: "landing_text" });
    await warehouse.run(readSql("load/group_lines.sql"));
    await warehouse.run(readSql("load/first_results.sql"));
    const { newPlays } = await warehouse.get<{ newPlays: number }>(
      `select count(*) as "newPlays" from core.play where kind = getvariable('kind')`,
    );
    return { newPlays, changed: 0, unchanged: 0, duplicate: inserted - newPlays };
  },
};

async function insertFrom(warehouse: DuckDb, source: "landing_text" | "mended_text"): Promise<number> {
  await setVariables(warehouse, { line_source: source });
  return await warehouse.run(readSql("load/insert_records.sql"));
}

interface Slice {
  from: string;
  to: string;
}

/** Spans of dates with about so many records each. Repeats have the same instant, so they are in one slice. */
async function listSlices(warehouse: DuckDb): Promise<Slice[]> {
  const days = await warehouse.all<{ from: string; to: string; records: number }>(
    readSql("load/count_by_date.sql"),
  );
  const slices: Slice[] = [];
  let records = Number.POSITIVE_INFINITY;
  for (const day of days) {
    const last = slices.at(-1);
    if (last && records + day.records <= sliceRecords) {
      last.to = day.to;
      records += day.records;
    } else {
      slices.push({ from: day.from, to: day.to });
      records = day.records;
    }
  }
  return slices;
}

async function mergeRepeats(warehouse: DuckDb, { from, to }: Slice): Promise<void> {
  const { repeats } = await warehouse.get<{ repeats: number }>(readSql("load/count_repeats.sql"), [from, to]);
  if (repeats === 0) return;
  await setVariables(warehouse, { slice_from: from, slice_to: to });
  await warehouse.run(readSql("load/merge_repeats.sql"));
}
