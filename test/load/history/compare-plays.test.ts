import { expect, it } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { readSql } from "../../../src/util/files/package-files.ts";

const columns = `zone_id bigint, item_id bigint, played_at timestamp, written_offset_minutes smallint,
  duration_secs integer, location_id bigint, artist_id bigint`;

/**
 * Rows left in `matched` for one record that matches a play in core, because their keys share a hash.
 * @param isLate the record was requested before the play's last change
 */
async function compare(record: string, play: string, isLate = false): Promise<unknown[]> {
  const database = await DuckDb.open();
  try {
    await database.run(`create schema core;
      create table core.play (${columns}, last_load_id bigint);
      insert into core.play values (${play}, 1);
      create table core.load (load_id bigint, requested_at timestamp);
      insert into core.load values (1, '2026-11-02 00:00:00');
      create temp table landing (load_id bigint, requested_at timestamp);
      insert into landing values (2, '2026-11-0${isLate ? 1 : 3} 00:00:00');
      create temp table incoming (line_row bigint, ${columns}, load_id bigint);
      insert into incoming values (0, ${record}, 2);
      create temp table matched (line_row bigint, stored_row bigint, is_changed boolean, is_late boolean);
      insert into matched values (0, 0, true, false)`);
    await database.run(readSql("load/history/compare_plays.sql"));
    return (await database.all<{ is_changed: boolean }>("from matched")).map((row) => row.is_changed);
  } finally {
    database.close();
  }
}

const play = "1, 2, '2026-11-01 08:00:00', 60, 180, 5, 7";

it.each([
  ["another zone", "9, 2, '2026-11-01 08:00:00', 60, 180, 5, 7", []],
  ["another item", "1, 9, '2026-11-01 08:00:00', 60, 180, 5, 7", []],
  ["another instant", "1, 2, '2026-11-01 08:00:01', 60, 180, 5, 7", []],
  ["a longer play", "1, 2, '2026-11-01 08:00:00', 60, 181, 5, 7", [true]],
  ["a shorter play, by another artist", "1, 2, '2026-11-01 08:00:00', 60, 179, 5, 8", [false]],
  ["another offset", "1, 2, '2026-11-01 08:00:00', 120, 180, 5, 7", [true]],
  ["another location", "1, 2, '2026-11-01 08:00:00', 60, 180, 6, 7", [true]],
  ["no location", "1, 2, '2026-11-01 08:00:00', 60, 180, null, 7", [false]],
  ["a higher artist", "1, 2, '2026-11-01 08:00:00', 60, 180, 5, 8", [false]],
  ["a lower artist", "1, 2, '2026-11-01 08:00:00', 60, 180, 5, 6", [true]],
])("%s: the play is changed, unchanged, or another one", async (_name, record, expected) => {
  expect(await compare(record, play)).toEqual(expected);
});

it.each([
  ["another offset", "1, 2, '2026-11-01 08:00:00', 120, 180, 5, 7", [false]],
  ["another location", "1, 2, '2026-11-01 08:00:00', 60, 180, 6, 7", [false]],
  ["another offset, and a longer play", "1, 2, '2026-11-01 08:00:00', 120, 181, 5, 7", [true]],
  ["a lower artist", "1, 2, '2026-11-01 08:00:00', 60, 180, 5, 6", [true]],
])("%s, in an answer to an earlier request", async (_name, record, expected) => {
  expect(await compare(record, play, true)).toEqual(expected);
});
