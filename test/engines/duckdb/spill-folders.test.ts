import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { createSpillName } from "../../../src/engines/duckdb/spill-folders.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

const hasOwn =
  "create temp table own as select i, hash(i + ?) as h, hash(i * 7 + ?) as g from range(3000000) as r (i)";
const isOwn =
  "select cast(count(*) as integer) as strange from own where h <> hash(i + ?) or g <> hash(i * 7 + ?)";

async function openIn(tempDir: string): Promise<DuckDb> {
  const database = await DuckDb.open({ memoryLimit: "60MB", threads: 1, tempDir });
  onTestFinished(() => database.close());
  return database;
}

it("two databases that spill at the same time keep their own files", async () => {
  const tempDir = createTempFolder();
  const [first, second] = [await openIn(tempDir), await openIn(tempDir)];
  await first.run(hasOwn, [1, 1]);
  await second.run(hasOwn, [2, 2]);
  expect(await second.all(isOwn, [2, 2])).toEqual([{ strange: 0 }]);
  second.close();
  expect(await first.all(isOwn, [1, 1])).toEqual([{ strange: 0 }]);
  first.close();
  expect(readdirSync(tempDir)).toEqual([]);
});

it("a database spills to a folder that does not exist yet", async () => {
  const tempDir = join(createTempFolder(), "spilled");
  const database = await openIn(tempDir);
  await database.run(hasOwn, [3, 3]);
  expect(existsSync(tempDir)).toBe(true);
});

it("removes spills of killed processes, and keeps those in use", async () => {
  const parent = createTempFolder();
  const { pid: ended } = spawnSync(process.execPath, ["-e", ""]);
  const living = createSpillName();
  const left = living.replace(`-${process.pid}-`, `-${ended}-`);
  // As in a restarted container.
  const leftBySameNumber = living.replace(/^(spill-\d+)-\d+-/, "$1-12-");
  const [elsewhere, longAgo] = ["spill-1-5-0123abcd-another.host", "spill-1-5-4567abcd-another.host"];
  for (const name of [living, left, leftBySameNumber, elsewhere, longAgo, "spill-2"])
    mkdirSync(join(parent, name));
  const weekAgo = new Date(Date.now() - 8 * 24 * 3_600_000);
  utimesSync(join(parent, longAgo), weekAgo, weekAgo);
  await openIn(parent);
  expect(readdirSync(parent).sort()).toEqual([living, elsewhere, "spill-2"].sort());
});
