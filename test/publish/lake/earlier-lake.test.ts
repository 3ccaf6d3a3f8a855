import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openWarehouse } from "../../../src/workspace/warehouse.ts";
import { earlierWorld, placeEarlierData, placeEarlierLake } from "../../support/earlier-version.ts";
import { runVenue } from "../../support/run-venue.ts";
import { publishedFigures, type Setup, setNow, setUp } from "../../support/service.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { LakeMachine, readLake, song } from "./lake-machine.ts";

const commit = "86df097";

it("a lake of version 0.2.0 gives the figures of its machine, without any table that is new since then", async () => {
  const machine = await setUp(earlierWorld);
  const { now, figures } = placeEarlierData(machine, commit);
  setNow(machine, now);
  const builder: Setup = {
    ...machine,
    dataFolder: join(machine.workingFolder, "builder"),
    environment: { ...machine.environment, VENUE_DATA_DIR: "builder" },
  };
  placeEarlierLake(join(machine.workingFolder, "lake"), commit);
  await run(machine, "build");
  await run(builder, "build", "--lake", "lake");
  expect(await publishedFigures(builder)).toEqual(figures);
  for (const report of [
    ["plays", "--by", "zone,item"],
    ["compliance", "--by", "campaign,zone"],
    ["devices"],
  ]) {
    const words = ["report", ...report, "--format", "csv"];
    expect(await run(builder, ...words), report[0]).toBe(await run(machine, ...words));
  }
});

async function run(setup: Setup, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runVenue(words, setup);
  expect(code, stderr).toBe(0);
  return stdout;
}

it("a lake of version 0.2.0 is continued by its own machine", async () => {
  const folder = createTempFolder();
  const lake = join(folder, "lake");
  placeEarlierData({ dataFolder: folder, environment: { VENUE_HOME: join(folder, "home") } }, commit);
  placeEarlierLake(lake, commit);
  const warehouse = await openWarehouse({ path: join(folder, "warehouse.duckdb"), threads: 1 });
  onTestFinished(() => warehouse.close());
  const east = LakeMachine.of("east", lake, warehouse);
  await east.add("play", song("2026-09-25 10:00:00"));
  const { manifest } = await east.publish();
  expect(manifest.software_version).toBe("1.2.3");
  await readLake(lake, (reader) => east.expectSame(reader));
});
