import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { itInAll } from "../support/long-suite.ts";
import { Machine } from "../support/machine.ts";
import { setNow, setUp } from "../support/service.ts";

/** Two collectors and a loader of a small world, with a store. */
async function prepare() {
  const world = await setUp({ days: 3, zones: 2, playScale: 0.2 });
  const { groupIds } = world.emulator.world;
  const [eastern = 0, western = 0] = groupIds;
  const store = join(world.workingFolder, "store");
  const environment = { VENUE_LANDINGS: store };
  const east = new Machine(world, "east", [eastern], environment);
  const west = new Machine(world, "west", [western], environment);
  const loader = new Machine(world, "loader", groupIds, environment);
  const collect = (machine: Machine, name: string, ...flags: string[]) =>
    machine.try("collect", "--source", name, ...flags);
  const countPlays = async (machine = loader) =>
    JSON.parse(
      (await machine.run("query", "select count(*) as plays from fact_play", "--format", "json")).stdout,
    )[0].plays;
  return { world, store, east, west, loader, collect, countPlays };
}

/** Paths of the files in a folder of the store. */
function listFiles(store: string, folder: string): string[] {
  return readdirSync(join(store, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

it("collectors leave landings, and a run on another machine publishes them", async () => {
  const { store, east, west, loader, collect, countPlays, world } = await prepare();
  expect(await collect(east, "east")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`moved to ${store}`),
  });
  expect(readdirSync(join(east.setup.dataFolder, "landing"))).toEqual([]);
  expect(await collect(west, "west", "--mode", "walk")).toMatchObject({ code: 0 });
  const descriptions = listFiles(store, "landings").map((file) => readFileSync(file, "utf8"));
  expect(descriptions.join("")).not.toMatch(/http|token|secret/);
  const { stdout } = await loader.run("run", "--json", "--from", store, "--from", "2026-01-01");
  expect(JSON.parse(stdout).load.collectors).toMatchObject([{ name: "east" }, { name: "west" }]);
  expect(await countPlays()).toBeGreaterThan(10);

  // Nothing is loaded twice, and nothing is collected twice.
  expect(JSON.parse((await loader.run("load", "--json")).stdout)).toMatchObject({ loads: [], listings: 0 });
  const before = world.emulator.requests.length;
  expect(await collect(west, "west", "history", "--mode", "walk")).toMatchObject({ code: 0 });
  const pages = world.emulator.requests.slice(before).filter(({ path }) => path.includes("history"));
  expect(pages.length).toBeLessThan(20);

  const status = await loader.try("status", "--max-age", "9999d");
  expect(status.stdout).toMatch(/Collectors, by their last landing:\n {2}east .* old, on /);
});

itInAll(
  "one data folder loads from a store, and one collects under each name, until another takes over",
  async () => {
    const { world, east, west, loader, collect, countPlays } = await prepare();
    const now = world.emulator.now().getTime();
    setNow(world, new Date(now - 86_400_000));
    expect((await collect(east, "east", "--mode", "walk")).code).toBe(0);
    const taken = await collect(west, "east");
    expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining("collects as east since") });
    expect((await collect(west, "west")).code).toBe(0);
    await loader.run("load", "--keep-landing", "0");
    // The second walk has only what is new, and stays in the store.
    setNow(world, new Date(now));
    expect((await collect(east, "east", "--mode", "walk")).code).toBe(0);
    expect((await collect(west, "west")).code).toBe(0);
    await loader.run("run", "--keep-landing", "0");
    const plays = await countPlays();
    expect(await west.try("load")).toMatchObject({ code: 2, stderr: expect.stringContaining("--take-over") });

    // A new loader gets what is in the store; collectors read the rest again.
    rmSync(join(loader.setup.dataFolder), { recursive: true });
    await loader.run("load", "--take-over");
    expect((await collect(west, "west")).code).toBe(0);
    expect((await collect(east, "east", "--mode", "walk")).code).toBe(0);
    await loader.run("run");
    expect(await countPlays()).toBe(plays);
  },
);

itInAll("a damaged landing is named, removed and collected again", async () => {
  const { world, store, east, loader, collect, countPlays } = await prepare();
  const now = world.emulator.now().getTime();
  setNow(world, new Date(now - 86_400_000));
  expect((await collect(east, "east", "--mode", "walk")).code).toBe(0);
  const first = listFiles(store, "content").filter((file) => readFileSync(file).length > 200);
  // A later walk has only what is new.
  setNow(world, new Date(now));
  expect((await collect(east, "east", "--mode", "walk")).code).toBe(0);
  const whole = join(store, "..", "whole");
  cpSync(store, whole, { recursive: true });
  const [description = ""] = listFiles(store, "landings").filter((file) =>
    /"devices"/.test(readFileSync(file, "utf8")),
  );
  const { landing_id: listing } = JSON.parse(readFileSync(description, "utf8"));
  const [content = "", missing = ""] = first.filter((file) => !file.includes(listing));
  writeFileSync(content, readFileSync(content).fill(0, 60, 70));
  rmSync(missing);
  writeFileSync(description, "{");
  const { code, stderr } = await loader.try("load");
  expect(code).toBe(4);
  for (const file of [content, missing, description]) expect(stderr).toContain(file);
  expect(await loader.try("load")).toMatchObject({ code: 0 });
  expect((await collect(east, "east", "--mode", "walk")).code).toBe(0);
  await loader.run("run");
  const plays = await countPlays();

  const other = new Machine({ ...loader.setup }, "other", [], { VENUE_LANDINGS: whole });
  await other.run("run");
  expect(await countPlays(other)).toBe(plays);
});

itInAll("old landings leave the store, a history only after a newer complete one", async () => {
  const { world, store, east, loader, collect } = await prepare();
  expect((await collect(east, "east", "history", "devices", "--mode", "export")).code).toBe(0);
  await loader.run("load", "--keep-landing", "0");
  const left = listFiles(store, "landings").map((file) => JSON.parse(readFileSync(file, "utf8")).source);
  expect(new Set(left)).toEqual(new Set(["export"]));
  setNow(world, new Date(world.emulator.now().getTime() + 3_600_000));
  expect((await collect(east, "east", "history", "--mode", "export")).code).toBe(0);
  await loader.run("load", "--keep-landing", "0");
  expect(listFiles(store, "landings")).toHaveLength(left.length);
  expect(listFiles(store, "content").length).toBeLessThanOrEqual(left.length);
});

describe("reports what is missing:", () => {
  it.each([
    [["collect", "--source", "east"], /--to needs a landing store/],
    [["collect", "--to", "store"], /--source/],
    [["collect", "--to", "store", "--source", "a/b"], /can't be the name of a collector/],
    [["load"], /Name history files, or a landing store/],
    [["load", "plays.jsonl"], /--kind is missing/],
    [["load", "plays.jsonl", "--from", "store"], /can't be combined with files/],
  ])("venue %s", async (words, message) => {
    const world = await setUp({ days: 1, zones: 1 });
    const machine = new Machine(world, "machine", world.emulator.world.groupIds);
    expect(await machine.try(...words)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  });
});
