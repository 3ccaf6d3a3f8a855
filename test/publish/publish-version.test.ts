import { randomUUID } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { publishVersion } from "../../src/publish/publish-version.ts";
import { openStorage } from "../../src/storage/open-storage.ts";
import { silentLogger as logger } from "../../src/util/logger.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { testPublishing } from "./publish-suite.ts";
import { PublishedWarehouse, song } from "./published-warehouse.ts";

describe("into a folder", () => {
  testPublishing({
    createTarget: () => join(createTempFolder(), "shared folder"),
    abandonUpload: async (target, key) => {
      const file = join(target, key);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(join(dirname(file), `.unfinished-${randomUUID()}-${basename(file)}`), "half");
    },
    age: (target, key, hours) => {
      const files = readdirSync(target, { recursive: true, encoding: "utf8" });
      for (const file of files.filter((name) => name === key || name.includes(".unfinished-")))
        setAge(join(target, file), hours);
    },
  });
});

function setAge(path: string, hours: number): void {
  const at = new Date(Date.now() - hours * 3_600_000);
  utimesSync(path, at, at);
}

const open = PublishedWarehouse.prepareCopies(async (empty) => {
  await empty.addPlays([song("2026-10-05 10:00:00")]);
  await empty.buildAndPublish();
});

it("continues the folder of an earlier program, links its unchanged files, and writes the catalog", async () => {
  const published = await open();
  const target = join(createTempFolder(), "copy");
  cpSync(published.folder, target, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  await published.addPlays([song("2026-11-01 10:00:00")]);
  const { folder: from } = await published.buildAndPublish();
  const { folder } = await publishVersion({ from, to: await openStorage(target), logger });
  expect(readdirSync(target).sort()).toEqual(["catalog.duckdb", "current", "v000001", folder]);
  expect(readlinkSync(join(target, "current"))).toBe(folder);
  const october = "fact_play/month=2026-10/data.parquet";
  expect(statSync(join(target, folder, october)).ino).toBe(statSync(join(target, "v000001", october)).ino);
  const catalog = await DuckDb.open({ path: join(target, "catalog.duckdb"), readOnly: true });
  expect(await catalog.get("select count(*) as plays from fact_play")).toEqual({ plays: 2 });
  catalog.close();
});

it("distinguishes a version without a manifest from a damaged target", async () => {
  const { last } = await open();
  rmSync(join(last.folder, "manifest.json"));
  const publish = publishVersion({ from: last.folder, to: await openStorage(createTempFolder()), logger });
  await expect(publish).rejects.toThrow(expect.objectContaining({ code: "PUBLISHED_DAMAGED" }));
});

it.runIf(process.platform === "linux")("fails if the folder can't be created", async () => {
  const { last } = await open();
  const publish = publishVersion({ from: last.folder, to: await openStorage("/proc/venue/copy"), logger });
  await expect(publish).rejects.toThrow(/^Can't publish into \/proc\/venue/);
});
