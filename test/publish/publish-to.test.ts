import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { publishTo } from "../../src/publish/publish-to.ts";
import { silentLogger as logger } from "../../src/util/logger.ts";
import { itInAll } from "../support/long-suite.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { PublishedWarehouse, song } from "./published-warehouse.ts";

const open = PublishedWarehouse.prepareCopies(async (empty) => {
  await empty.addPlays([song("2026-10-05 10:00:00")]);
  await empty.buildAndPublish();
});

let published: PublishedWarehouse;
let to: string;
beforeEach(async () => {
  published = await open();
  to = join(createTempFolder(), "shared folder", "mart");
});

it("copies the published version completely", async () => {
  const { folder } = await published.buildAndPublish();
  await publishTo({ publishedFolder: published.folder, to, logger });
  expect(readdirSync(to).sort()).toEqual(["catalog.duckdb", "current", "v000002"]);
  expect(readlinkSync(join(to, "current"))).toBe("v000002");
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    expect(readFileSync(path.replace(folder, join(to, "v000002"))).equals(readFileSync(path)), path).toBe(
      true,
    );
  }
  const catalog = await DuckDb.open({ path: join(to, "catalog.duckdb"), readOnly: true });
  expect(await catalog.get("select count(*) as plays from fact_play")).toEqual({ plays: 1 });
  catalog.close();
});

itInAll("copies a version once, and a later one next to it", async () => {
  await publishTo({ publishedFolder: published.folder, to, logger });
  cpSync(join(to, "v000001", "manifest.json"), join(to, "v000001", "kept"));
  const { ino, mtimeMs } = statSync(join(to, "catalog.duckdb"));
  await publishTo({ publishedFolder: published.folder, to, logger });
  expect(statSync(join(to, "catalog.duckdb"))).toMatchObject({ ino, mtimeMs });
  expect(existsSync(join(to, "v000001", "kept"))).toBe(true);
  await published.buildAndPublish();
  await publishTo({ publishedFolder: published.folder, to, logger });
  expect(readdirSync(to).sort()).toEqual(["catalog.duckdb", "current", "v000001", "v000002"]);
});

it("completes the steps that a killed copy missed after readers saw the version", async () => {
  await publishTo({ publishedFolder: published.folder, to, logger });
  rmSync(join(to, "catalog.duckdb"));
  await publishTo({ publishedFolder: published.folder, to, logger });
  expect(readdirSync(to).sort()).toEqual(["catalog.duckdb", "current", "v000001"]);
});

it.each<[string, (version: string) => void]>([
  ["lost a file", (version) => rmSync(join(version, "dim_kind.parquet"))],
  ["has a damaged file", (version) => writeFileSync(join(version, "dim_kind.parquet"), "damaged")],
  ["lost its dictionary", (version) => rmSync(join(version, "dictionary.html"))],
])("copies again if the copy %s", async (_damage, damage) => {
  await publishTo({ publishedFolder: published.folder, to, logger });
  damage(join(to, "v000001"));
  await publishTo({ publishedFolder: published.folder, to, logger });
  for (const name of ["dim_kind.parquet", "dictionary.html"]) {
    const copied = readFileSync(join(to, "current", name));
    expect(copied.equals(readFileSync(join(published.last.folder, name))), name).toBe(true);
  }
});

it.each<[string, (version: string) => void]>([
  ["a damaged file", (version) => writeFileSync(join(version, "dim_kind.parquet"), "damaged")],
  ["a version that lost a file", (version) => rmSync(join(version, "dim_kind.parquet"))],
  ["a version that lost its dictionary", (version) => rmSync(join(version, "dictionary.json"))],
])("refuses to copy %s", async (_damage, damage) => {
  damage(published.last.folder);
  const copy = publishTo({ publishedFolder: published.folder, to, logger });
  await expect(copy).rejects.toThrow(expect.objectContaining({ code: "PUBLISHED_FILES_DAMAGED" }));
  expect(readdirSync(to)).toEqual([]);
});

it("distinguishes a version without a manifest from no version", async () => {
  rmSync(join(published.last.folder, "manifest.json"));
  const copy = publishTo({ publishedFolder: published.folder, to, logger });
  await expect(copy).rejects.toThrow(expect.objectContaining({ code: "PUBLISHED_DAMAGED" }));
});

it.runIf(process.platform === "linux")("fails if the folder can't be created", async () => {
  const copy = publishTo({ publishedFolder: published.folder, to: "/proc/venue/copy", logger });
  await expect(copy).rejects.toThrow(/^Can't publish into \/proc\/venue/);
});
