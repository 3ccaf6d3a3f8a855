import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readCoreVersion } from "../../src/publish/core/read-core-version.ts";
import { openStorage } from "../../src/storage/open-storage.ts";
import { musicLine } from "../load/load-fixture.ts";
import { itInAll } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** A data folder, and functions that load a play and publish. */
function prepareData(to: string, dataFolder = createTempFolder()) {
  const environment = { VENUE_DATA_DIR: dataFolder, VENUE_HOME: join(dataFolder, "home") };
  const run = (...words: string[]) => runVenue(words, { environment, workingFolder: dataFolder });
  const load = async (song: number) => {
    const file = join(dataFolder, `${song}.jsonl`);
    writeFileSync(file, `${musicLine({ song_id: song })}\n`);
    expect((await run("load", file, "--kind", "music")).code).toBe(0);
  };
  return {
    dataFolder,
    load,
    publish: (...flags: string[]) => run("publish", "--layer", "core", "--to", to, ...flags),
  };
}

itInAll(
  "venue publish --layer core publishes loaded data, unless readers would lose data",
  async () => {
    const to = join(createTempFolder(), "core");
    const playsShown = async () => (await readCoreVersion(await openStorage(to))).manifest.tables.play?.rows;
    const { dataFolder, load, publish } = prepareData(to);
    await load(301);
    const backup = createTempFolder();
    expect((await publish()).stdout).toMatch(
      /^Published v000001 of core to .*: \d+ rows in \d+ files, \d+ of them new\.\n$/,
    );
    cpSync(join(dataFolder, "warehouse.duckdb"), join(backup, "warehouse.duckdb"));
    await load(302);
    expect((await publish()).code).toBe(0);
    expect(await playsShown()).toBe(2);
    for (const other of [prepareData(to), prepareData(to, backup)]) {
      const { code, stderr } = await other.publish();
      expect([code, stderr]).toEqual([4, expect.stringContaining("--accept-loss")]);
      expect(await playsShown()).toBe(2);
    }
    // The versions on this machine are not needed.
    rmSync(join(dataFolder, "published-core"), { recursive: true });
    await load(303);
    expect((await publish()).code).toBe(0);
    expect(await playsShown()).toBe(3);
    expect((await prepareData(to).publish("--accept-loss")).code).toBe(0);
    expect(await playsShown()).toBe(0);
  },
  60_000,
);
