import { renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import type { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { loadHistory, loadWalks } from "../../../src/load/history/load-history.ts";
import { readSql } from "../../../src/util/files/package-files.ts";
import { itEachSampled } from "../../support/long-suite.ts";
import { createLoadFixture, musicLine } from "../load-fixture.ts";

/** DuckDB reads the file again for the names. */
const lines = Array.from({ length: 2000 }, (_, song) => `${musicLine({ song_id: song })}\n`);
const content = lines.join("");

/** Calls `change` before the first run of a statement. */
function changeBefore(warehouse: DuckDb, step: string, change: () => void): void {
  const sql = readSql(`load/history/${step}.sql`);
  const { run } = warehouse;
  warehouse.run = async (statement, ...rest) => {
    if (statement === sql) {
      warehouse.run = run;
      change();
    }
    return await run.call(warehouse, statement, ...rest);
  };
}

async function setUp(name = "history.jsonl", bytes: string | Buffer = content) {
  const { warehouse, folder } = await createLoadFixture();
  const path = join(folder, name);
  writeFileSync(path, bytes);
  // Its modification time does not reveal the change.
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  const landing = {
    landingId: "one",
    path,
    kind: "music" as const,
    source: "file" as const,
    requestedAt: new Date("2026-06-01T00:00:00Z"),
    isComplete: false,
  };
  const load = () => loadHistory(warehouse, landing, { loadedAt: new Date() });
  const replace = (text: string | Buffer) => {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };
  return { warehouse, path, landing, load, replace };
}

type Changed = Awaited<ReturnType<typeof setUp>>;

itEachSampled(
  [
    ["is truncated before its rows are looked up", "find_refused", ({ path }) => truncateSync(path, 10_000)],
    ["is emptied before its rows are looked up", "find_refused", ({ path }) => truncateSync(path)],
    [
      "is replaced before its rows are looked up",
      "find_refused",
      ({ replace }) => replace(content.slice(9000)),
    ],
    ["is removed before its rows are looked up", "find_refused", ({ path }) => rmSync(path)],
    [
      "is rewritten with the same length",
      "find_refused",
      ({ path }) => writeFileSync(path, content.replaceAll("A song", "B song")),
    ],
    ["loses lines before DuckDB reads it", "read_lines", ({ path }) => truncateSync(path, 10_000)],
    ["gets lines before DuckDB reads it", "read_lines", ({ replace }) => replace(content + content)],
    [
      "becomes invalid JSON before DuckDB reads it",
      "read_lines",
      ({ replace }) => replace("{\n".repeat(2000)),
    ],
    ["is removed before DuckDB reads it", "read_lines", ({ path }) => rmSync(path)],
  ] as readonly [label: string, step: string, change: (changed: Changed) => void][],
  3,
)("reports a history that %s as changed, and loads none of it", async ([_label, step, change]) => {
  const changed = await setUp();
  const { warehouse, path, load, replace } = changed;
  changeBefore(warehouse, step, () => change(changed));
  await expect(load()).rejects.toMatchObject({
    code: "LANDING_UNREADABLE",
    category: "usage",
    message: `${path} can't be read: it changed while it was being read. None of it was loaded. Load it again once nothing writes to it.`,
  });
  expect(await warehouse.all("select * from core.play")).toEqual([]);
  expect(await warehouse.all("select * from core.load")).toEqual([]);

  replace(content);
  expect(await load()).toMatchObject({ lines: 2000, newPlays: 2000 });
});

it("a gzipped history truncated during reading is not reported as broken", async () => {
  const packed = gzipSync(content);
  const { warehouse, landing, path } = await setUp("history.jsonl.gz", packed);
  const load = loadHistory(warehouse, landing, {
    loadedAt: new Date(),
    onProgress: () => writeFileSync(path, packed.subarray(0, 100)),
  });
  await expect(load).rejects.toThrow(/can't be read: it changed while it was being read\./);
});

it("a history that was always broken is not reported as changed", async () => {
  const { load } = await setUp("history.jsonl.gz", gzipSync(content).subarray(0, 100));
  await expect(load()).rejects.toThrow(/can't be read: unexpected end of file\..* Repair/);
});

it("loads walks one by one if one of them changes", async () => {
  const { warehouse, landing, path } = await setUp();
  const walk = { ...landing, source: "walk" as const, zoneId: 7 };
  changeBefore(warehouse, "find_refused", () => truncateSync(path, 10_000));
  expect(await loadWalks(warehouse, [walk], { loadedAt: new Date() })).toBeUndefined();
  expect(await warehouse.all("select * from core.load")).toEqual([]);
});
