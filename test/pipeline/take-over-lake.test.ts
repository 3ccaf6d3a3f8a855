import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { earlierWorld, placeEarlierData, placeEarlierLake } from "../support/earlier-version.ts";
import { isAll, itInAll } from "../support/long-suite.ts";
import { type RunOptions, runVenue, startVenue } from "../support/run-venue.ts";
import { publishedFigures, setNow, setUp, trueFigures } from "../support/service.ts";
import {
  placeLake,
  prepareLoader,
  readExpectedTables,
  readLakeFiles,
  readPublishedTables,
  runWell,
} from "../support/taken-lake.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** Landings that a run has written; none while its folders are being created or removed. */
function listLandings(dataFolder: string): string[] {
  const folder = join(dataFolder, "tmp");
  try {
    const names = readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)));
    return names.filter((name) => name.endsWith(".jsonl"));
  } catch {
    return [];
  }
}

/** Kills a run once it has written this many landings. */
async function killAfter(landings: number, { dataFolder, ...options }: RunOptions & { dataFolder: string }) {
  const running = startVenue(["load", "--lake", "lake"], options);
  const seen = new Set<string>();
  while (running.child.exitCode === null && seen.size < landings) {
    await setTimeout(2);
    for (const name of listLandings(dataFolder)) seen.add(name);
  }
  running.child.kill("SIGKILL");
  await running.finished;
}

itInAll(
  "gives the same tables as builds from the lake: one machine after the other, killed, and repeated",
  async () => {
    const loader = prepareLoader(createTempFolder());
    const lake = join(loader.workingFolder, "lake");
    placeLake(lake);
    rmSync(join(lake, "machines/east.json"));
    await killAfter(2, loader);
    await runWell(loader, "load", "--lake", "lake");
    placeLake(lake);
    for (const landings of [4, 80]) await killAfter(landings, loader);
    const { stdout, stderr } = await runWell(loader, "load", "--lake", "lake", "--json");
    const { loads, listings, known, ...others } = JSON.parse(stdout);
    expect([known > 0, others]).toEqual([true, { machines: ["east", "west"], lacking_reference: [] }]);
    expect(stderr).not.toContain("warning");
    await runWell(loader, "build");
    const expected = readExpectedTables();
    expect(Object.keys(expected).length).toBeGreaterThan(40);
    const found = await readPublishedTables(loader, Object.keys(expected));
    for (const [table, rows] of Object.entries(expected)) expect(found[table], table).toEqual(rows);

    rmSync(join(loader.dataFolder, "reference/group_names.csv"));
    const again = await runWell(loader, "load", "--lake", "lake", "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({
      loads: 0,
      listings: 0,
      known: loads + listings + known,
    });
    expect(again.stderr).toContain("Missing from reference/: 2 lines of east's group_names.csv.");
    const { dirty_days: dirtyDays } = JSON.parse((await runWell(loader, "build", "--json")).stdout);
    expect(dirtyDays).toBe(0);
  },
  300_000,
);

it("takes over a lake of 0.2.0, in a new folder or that of the machine that published it", async () => {
  const version = "0.2.0";
  const setup = await setUp(earlierWorld);
  const { now, figures } = placeEarlierData(setup, version);
  placeEarlierLake(join(setup.workingFolder, "lake"), version);
  const own = await runWell(setup, "load", "--lake", "lake");
  expect(own.stdout).toMatch(/^Took over 0 loads and 0 listings of east; \d\d were loaded before\./);

  const loader = { ...setup, environment: { ...setup.environment, VENUE_DATA_DIR: "loader" } };
  await runWell(loader, "load", "--lake", "lake");
  await runWell(loader, "build");
  expect(await publishedFigures(loader)).toEqual(figures);

  if (!isAll) return;
  const later = new Date(now.getTime() + 24 * 3_600_000);
  setNow(loader, later);
  await runWell(loader, "run");
  expect(await publishedFigures(loader)).toEqual(trueFigures(setup.emulator.world, later));
}, 300_000);

const [play = ""] = readLakeFiles().flatMap(([path]) => (path.includes("/play/machine=west/") ? [path] : []));

it.each<[string, number, (lake: string) => void, string]>([
  ["a missing file", 4, (lake) => rmSync(join(lake, play)), `/lake/${play} is missing or has other content`],
  [
    "a changed file",
    4,
    (lake) => writeFileSync(join(lake, play), "x"),
    `/lake/${play} is missing or has other`,
  ],
  [
    "a damaged manifest",
    4,
    (lake) => writeFileSync(join(lake, "machines/east.json"), "{}"),
    "The data of east in the lake is damaged: ",
  ],
  ["no lake", 2, (lake) => rmSync(join(lake, "machines"), { recursive: true }), "/lake is not a lake"],
])("loads nothing from a lake with %s", async (_label, code, damage, message) => {
  const loader = prepareLoader(createTempFolder());
  placeLake(join(loader.workingFolder, "lake"));
  damage(join(loader.workingFolder, "lake"));
  const finished = await runVenue(["load", "--lake", "lake"], loader);
  expect([finished.code, finished.stderr]).toEqual([code, expect.stringContaining(message)]);
  expect(existsSync(join(loader.dataFolder, "warehouse.duckdb"))).toBe(false);
});

it.each([
  ["lines.jsonl", "--lake", "lake"],
  ["--lake", "lake", "--kind", "music"],
])("load %s %s %s is refused", async (...words) => {
  const { code, stderr } = await runVenue(["load", ...words], prepareLoader(createTempFolder()));
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("--lake takes neither files nor --kind or --from"),
  ]);
});
