import { mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openWarehouse } from "../../src/workspace/warehouse.ts";
import { musicLine } from "../load/load-fixture.ts";
import { readLake } from "../publish/lake/lake-machine.ts";
import { itInAll } from "../support/long-suite.ts";
import { type Finished, type Running, runVenue, startVenue } from "../support/run-venue.ts";
import { stableText } from "../support/stable-text.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** A machine with one play, and an adjacent folder for a lake. */
async function setUp() {
  const workingFolder = createTempFolder();
  const environment = {
    VENUE_DATA_DIR: join(workingFolder, "data"),
    VENUE_HOME: join(workingFolder, "home"),
    VENUE_NOW: "2026-11-21T08:00:00Z",
  };
  const run = (...words: string[]): Promise<Finished> => runVenue(words, { workingFolder, environment });
  const start = (...words: string[]): Running => startVenue(words, { workingFolder, environment });
  writeFileSync(join(workingFolder, "lines.jsonl"), musicLine());
  const { code, stderr } = await run("load", "lines.jsonl", "--kind", "music");
  expect(code, stderr).toBe(0);
  return { workingFolder, lake: join(workingFolder, "lake"), run, start };
}

it("prints commands with paths quoted for a shell", async () => {
  const workingFolder = createTempFolder();
  const { stderr } = await runVenue(["lake", "status", "--lake", "Mia's lake"], {
    workingFolder,
    environment: {},
  });
  expect(stderr).toContain(`--to '${workingFolder}/Mia'\\''s lake'\``);
});

itInAll("publishes into a lake, lists its content, and removes it again", async () => {
  const { workingFolder, lake, run } = await setUp();
  const empty = await run("lake", "status", "--lake", "lake");
  expect([empty.code, empty.stderr]).toEqual([
    2,
    expect.stringContaining(`No machine has published into ${lake} yet.`),
  ]);

  const published = await run("publish", "--layer", "core", "--source", "east", "--to", "lake", "--json");
  expect(published.code, published.stderr).toBe(0);
  const { rows, files } = JSON.parse(published.stdout);
  expect(JSON.parse(published.stdout)).toMatchObject({
    layer: "core",
    to: lake,
    source: "east",
    written: files,
  });
  expect((await run("publish", "--layer", "core", "--source", "west", "--to", lake)).stdout).toMatch(
    new RegExp(
      `^${lake} now holds ${rows} rows of west in ${files} files, ${files} of them written now\\.$`,
      "m",
    ),
  );

  const { sources } = JSON.parse((await run("lake", "status", "--lake", "lake", "--json")).stdout);
  expect(sources).toMatchObject([
    { source: "east", plays: 1, rows, files, published_at: "2026-11-21T08:00:00.000Z", age_seconds: 0 },
    { source: "west", plays: 1, rows, files },
  ]);
  expect(sources[0].from_month).toMatch(/^\d{4}-\d{2}$/);
  expect(sources[0].bytes).toBeGreaterThan(10_000);
  const status = await run("lake", "status", "--lake", "lake", "--now", "2026-11-27T08:00:00Z");
  expect(status.stdout).toMatch(/^source +from +to +plays +rows +MB +published +data_as_of/m);
  expect(status.stdout).toMatch(/^east .* 1 .* 6\.0 days ago/m);

  const typo = await run("lake", "forget", "wset", "--lake", "lake");
  expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining("Did you mean west?")]);
  const forgotten = await run("lake", "forget", "west", "--lake", "lake");
  expect([forgotten.code, forgotten.stdout]).toEqual([
    0,
    expect.stringMatching(/^\/.* no longer has west: \d+ files, [\d.]+ MB were removed\.\n$/),
  ]);
  expect(JSON.parse((await run("lake", "status", "--lake", "lake", "--json")).stdout).sources).toHaveLength(
    1,
  );

  writeFileSync(join(workingFolder, "lake/machines/north.json"), "{");
  const damaged = await run("lake", "status", "--lake", "lake");
  expect([damaged.code, damaged.stdout, damaged.stderr]).toEqual([
    4,
    expect.stringMatching(/^east /m),
    expect.stringContaining("north.json is not a manifest"),
  ]);
});

it("publishes reference files and configured groups even if nothing was built", async () => {
  const { workingFolder, lake, run } = await setUp();
  mkdirSync(join(workingFolder, "data/reference"), { recursive: true });
  writeFileSync(join(workingFolder, "data/reference/group_names.csv"), "group_id,group_name\n7,East\n");
  const words = ["publish", "--layer", "core", "--source", "east", "--to", "lake", "--group-ids", "7,8"];
  const { code, stderr } = await run(...words);
  expect(code, stderr).toBe(0);
  await readLake(lake, async (reader) => {
    expect(await reader.all("select group_id, group_name from lake.group_name")).toEqual([
      { group_id: 7, group_name: "East" },
    ]);
    expect(await reader.all("select group_id from lake.configured_group order by group_id")).toEqual([
      { group_id: 7 },
      { group_id: 8 },
    ]);
  });
});

it("builds from a lake in its own data folder", async () => {
  const { workingFolder, lake, run } = await setUp();
  await run("publish", "--layer", "core", "--source", "east", "--to", "lake");
  const own = await run("build", "--lake", "lake");
  expect([own.code, own.stderr]).toEqual([
    2,
    expect.stringContaining(`holds data collected by this machine; a build from ${lake} would replace it.`),
  ]);
  const elsewhere = (...words: string[]) => run(...words, "--data-dir", join(workingFolder, "union"));
  const built = await elsewhere("build", "--lake", "lake");
  expect([built.code, built.stdout], built.stderr).toEqual([
    0,
    expect.stringMatching(/^From the lake: east\.\n.*Published v000001 in /s),
  ]);
  const { stdout } = await elsewhere("query", "select count(*) as plays from fact_play", "--format", "json");
  expect(JSON.parse(stdout)).toEqual([{ plays: 1 }]);
  expect((await elsewhere("check")).code).toBe(0);
  for (const words of [
    ["build"],
    ["load", "lines.jsonl", "--kind", "music"],
    ["publish", "--layer", "core", "--source", "union", "--to", "lake"],
  ]) {
    const { code, stderr } = await elsewhere(...words);
    expect([words, code, stderr]).toEqual([
      words,
      2,
      expect.stringContaining(`holds data collected by the machines of the lake ${lake}. To build`),
    ]);
  }
});

itInAll("removes a forgotten machine from the figures, even after a killed build", async () => {
  const { workingFolder, run, start } = await setUp();
  await run("publish", "--layer", "core", "--source", "east", "--to", "lake");
  writeFileSync(join(workingFolder, "more.jsonl"), musicLine({ play_start: "2026-03-11T12:00:00+01:00" }));
  await run("load", "more.jsonl", "--kind", "music");
  await run("publish", "--layer", "core", "--source", "west", "--to", "lake");
  const words = ["build", "--lake", "lake", "--data-dir", join(workingFolder, "union")];
  expect((await run(...words)).code).toBe(0);
  await run("lake", "forget", "west", "--lake", "lake");

  const killed = start(...words, "--debug");
  await expect.poll(() => killed.stderr()).toContain("built staging");
  killed.child.kill("SIGKILL");
  expect((await killed.finished).signal).toBe("SIGKILL");

  const { code, stderr } = await run(...words);
  expect([code, stderr]).toEqual([0, expect.stringContaining("west is no longer in the lake")]);
  expect((await run(...words)).stderr).not.toContain("no longer in the lake");
});

itInAll(
  "removes a forgotten machine from the figures, even after a killed publish and a killed build",
  async () => {
    const { workingFolder, run, start } = await setUp();
    await run("publish", "--layer", "core", "--source", "east", "--to", "lake");
    writeFileSync(join(workingFolder, "more.jsonl"), musicLine({ play_start: "2026-03-11T12:00:00+01:00" }));
    await run("load", "more.jsonl", "--kind", "music");
    await run("publish", "--layer", "core", "--source", "west", "--to", "lake");
    const words = ["build", "--lake", "lake", "--data-dir", join(workingFolder, "union")];
    expect((await run(...words)).code).toBe(0);
    // Killed after readers saw the version, before it was recorded.
    const warehouse = await openWarehouse({ path: join(workingFolder, "union", "warehouse.duckdb") });
    await warehouse.run("update core.version set published_at = null");
    warehouse.close();
    await run("lake", "forget", "west", "--lake", "lake");

    const killed = start(...words, "--debug");
    await expect.poll(() => killed.stderr()).toContain("built staging");
    killed.child.kill("SIGKILL");
    expect((await killed.finished).signal).toBe("SIGKILL");

    const { code, stderr } = await run(...words);
    expect([code, stderr]).toEqual([0, expect.stringContaining("west is no longer in the lake")]);
  },
);

itInAll("treats a machine without its manifest as damaged, not removed", async () => {
  const { workingFolder, lake, run } = await setUp();
  for (const source of ["east", "west"])
    await run("publish", "--layer", "core", "--source", source, "--to", "lake");
  const build = () => run("build", "--lake", "lake", "--data-dir", join(workingFolder, "union"));
  expect((await build()).code).toBe(0);

  rmSync(join(lake, "machines/west.json"));
  const refused = await build();
  expect([refused.code, refused.stderr]).toEqual([
    4,
    expect.stringContaining(`The data of west in the lake is damaged: ${lake}/machines/west.json is missing`),
  ]);
  expect((await build()).code).toBe(4);
  await run("publish", "--layer", "core", "--source", "west", "--to", "lake");
  expect((await build()).stderr).not.toContain("warning");
});

itInAll("keeps readers' data if another lake lacks machines", async () => {
  const { workingFolder, run } = await setUp();
  await run("publish", "--layer", "core", "--source", "east", "--to", "lake");
  writeFileSync(join(workingFolder, "more.jsonl"), musicLine({ play_start: "2026-03-11T12:00:00+01:00" }));
  await run("load", "more.jsonl", "--kind", "music", "--data-dir", join(workingFolder, "other"));
  const other = ["publish", "--layer", "core", "--source", "test", "--to", "tests"];
  await run(...other, "--data-dir", join(workingFolder, "other"));
  const build = (lake: string, ...words: string[]) =>
    run("build", "--lake", lake, "--data-dir", join(workingFolder, "union"), ...words);
  expect((await build("lake")).code).toBe(0);

  const mistaken = await build("tests");
  expect([mistaken.code, mistaken.stderr]).toEqual([
    4,
    expect.stringContaining(`instead of ${join(workingFolder, "lake")}. Machines missing from it: east`),
  ]);
  expect((await build("tests")).code).toBe(4);
  expect(readlinkSync(join(workingFolder, "union/published/current"))).toBe("v000001");
  expect((await build("lake")).code).toBe(0);
  const { code, stdout } = await build("tests", "--accept-loss");
  expect([code, stdout]).toEqual([0, expect.stringContaining("From the lake: test.")]);
});

itInAll("does not build from an unreadable lake", async () => {
  const { workingFolder, lake, run } = await setUp();
  await run("publish", "--layer", "core", "--source", "east", "--to", "lake");
  const build = () => run("build", "--lake", "lake", "--data-dir", join(workingFolder, "union"));
  await build();
  const before = readlinkSync(join(workingFolder, "union/published/current"));
  const manifest = join(lake, "machines/east.json");
  const { tables } = JSON.parse(readFileSync(manifest, "utf8"));
  const file = join(lake, tables.play.files[0].path);
  const whole = readFileSync(file);
  const expectRefusal = async (code: number, message: string) => {
    const refused = await build();
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(message)]);
    expect(readlinkSync(join(workingFolder, "union/published/current"))).toBe(before);
  };

  rmSync(file);
  await expectRefusal(4, `${file} is missing`);
  writeFileSync(file, whole.subarray(0, 100));
  await expectRefusal(4, `${file} has 100 bytes, not ${whole.length}`);
  writeFileSync(join(lake, "machines/west.json"), '{"format":99}');
  await expectRefusal(2, "was written by a newer version");
  writeFileSync(join(lake, "machines/west.json"), "{");
  await expectRefusal(4, "west.json is not a manifest");
  rmSync(join(lake, "machines"), { recursive: true });
  await expectRefusal(2, "No machine has published");
});

const refused = [
  ["publish", "--layer", "core", "--to", "lake"],
  ["publish", "--layer", "core", "--source", "a b", "--to", "lake"],
  ["publish", "--source", "east", "--to", "lake"],
  ["lake", "status"],
  ["lake", "forget", "--lake", "lake"],
];

it.each(refused.map((words) => [words]))("refuses %j", async (words) => {
  const workingFolder = createTempFolder();
  const environment = {
    VENUE_DATA_DIR: join(workingFolder, "data"),
    VENUE_HOME: join(workingFolder, "home"),
  };
  const { code, stderr } = await runVenue(words, { workingFolder, environment });
  expect(code).toBe(2);
  expect(stableText(stderr)).toMatchSnapshot();
});
