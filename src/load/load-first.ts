import type { DuckDb } from "../engines/duckdb.ts";
import { readSql } from "../engines/sql-file.ts";
import { bothSettled } from "./both-settled.ts";
import { countLines, type LineMark } from "./count-lines.ts";
import { checkRows, type LandingToTake, type LinesTaken } from "./lines-taken.ts";
import { setVariables } from "./load-variables.ts";
import { type JudgedLines, lookAtLines } from "./look-at-lines.ts";
import { UnknownFields } from "./unknown-fields.ts";

/** Records that are tested for repeats at a time: bounds memory, and small hash tables are quick. */
const sliceRecords = 500_000;

/**
 * The way into a core that has no records of the landing's zones: DuckDB parses the file once, straight into
 * core.play, every line a row. JavaScript then looks at one line of each set of names, which gives the names, and at
 * those that are no records; at last repeats are merged.
 */
export async function loadFirst(warehouse: DuckDb, landing: LandingToTake): Promise<LinesTaken> {
  const run = (file: string) => warehouse.run(readSql(`load/first/${file}.sql`));
  const unknownFields = new UnknownFields(landing.kind);
  await run("begin");
  await run("set_named_zones");
  await warehouse.run("set preserve_insertion_order = true");
  const [rows, counts] = await bothSettled(
    run("insert_lines"),
    countLines({ ...landing, look: unknownFields.look }),
  );
  checkRows(counts, rows, landing);
  await warehouse.run("set preserve_insertion_order = false");
  await setVariables(warehouse, await warehouse.get(readSql("load/first/find_first_row.sql")));

  await run("group_lines");
  await run("sample_lines");
  await run("want_lines");
  const slices = await listSlices(warehouse);
  const [look, suspects] = await bothSettled(
    lookAtLines(warehouse, landing, counts.marks),
    findRepeats(warehouse, slices),
  );
  await run("read_picked");
  await checkSamples(warehouse);
  const odd = await refuseOddLines(warehouse, landing, counts.marks);
  await run("name_lines");
  await run("end");

  const mended = look.mended + odd.mended;
  if (mended > 0) await run("insert_mended");
  const records = rows - look.rejected - look.markOnly - odd.rejected;
  const repeats = await mergeRepeats(warehouse, mended > 0 ? await listSlices(warehouse) : suspects);
  await run("results");
  if (rows === records && mended + repeats === 0) await run("take_groups");
  else await warehouse.run(readSql("load/group_records.sql"));
  await run("touched");
  return {
    lines: counts.lines,
    blank: counts.blank + look.markOnly,
    rejected: look.rejected + odd.rejected,
    newPlays: records - repeats,
    changed: 0,
    unchanged: 0,
    duplicate: repeats,
    isNewToCore: true,
    unknownFields,
  };
}

/** @throws when rows did not keep the order of the lines: then nothing that was told from it would hold */
async function checkSamples(warehouse: DuckDb): Promise<void> {
  const { misplaced } = await warehouse.get<{ misplaced: number }>(readSql("load/first/count_misplaced.sql"));
  if (misplaced > 0) throw new Error(`${misplaced} rows are not in the place of their lines`);
}

/** Ids that only a cast takes are seen by their text, once per set of names. */
async function refuseOddLines(
  warehouse: DuckDb,
  landing: LandingToTake,
  marks: readonly LineMark[],
): Promise<JudgedLines> {
  await warehouse.run(readSql("load/first/find_odd.sql"));
  const { odd } = await warehouse.get<{ odd: number }>("select count(*) as odd from odd_hash");
  if (odd === 0) return { mended: 0, rejected: 0, markOnly: 0 };
  await warehouse.run(readSql("load/first/refuse_odd.sql"));
  await warehouse.run(readSql("load/first/group_lines.sql"));
  return await lookAtLines(warehouse, landing, marks);
}

/** The slices in which lines seem to repeat each other. */
async function findRepeats(warehouse: DuckDb, slices: readonly Slice[]): Promise<Slice[]> {
  const found: Slice[] = [];
  for (const slice of slices) {
    const { repeats } = await warehouse.get<{ repeats: number }>(readSql("load/first/count_repeats.sql"), [
      slice.from,
      slice.to,
    ]);
    if (repeats > 0) found.push(slice);
  }
  return found;
}

/** Repeated lines become one record each; answers how many lines too many there were. */
async function mergeRepeats(warehouse: DuckDb, slices: readonly Slice[]): Promise<number> {
  await warehouse.run(readSql("load/begin_entangled_days.sql"));
  let repeats = 0;
  for (const { from, to } of slices) {
    await setVariables(warehouse, { slice_from: from, slice_to: to });
    await warehouse.run(readSql("load/first/merge_repeats.sql"));
    const merged = await warehouse.get<{ repeats: number }>(
      "select cast(coalesce(sum(lines - 1), 0) as bigint) as repeats from merged_repeat",
    );
    repeats += merged.repeats;
  }
  return repeats;
}

interface Slice {
  from: string;
  to: string;
}

/** Spans of dates with about so many records each. Repeats have the same instant, so they are in one slice. */
async function listSlices(warehouse: DuckDb): Promise<Slice[]> {
  const days = await warehouse.all<{ from: string; to: string; records: number }>(
    readSql("load/first/count_by_date.sql"),
  );
  const slices: Slice[] = [];
  let records = 0;
  for (const { from, to, records: added } of days) {
    const last = slices.at(-1);
    if (last && records + added <= sliceRecords) {
      last.to = to;
      records += added;
    } else {
      slices.push({ from, to });
      records = added;
    }
  }
  return slices;
}
