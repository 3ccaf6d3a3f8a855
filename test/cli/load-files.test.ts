import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { musicLine } from "../load/load-fixture.ts";
import { runVenue } from "../support/run-venue.ts";
import { stableText } from "../support/stable-text.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** Two loadable files, one invalid file, and one after it. */
function setUp() {
  const workingFolder = createTempFolder();
  const write = (name: string, content: string | Buffer) => writeFileSync(join(workingFolder, name), content);
  write("good.jsonl", `${musicLine()}\n`);
  write("other.jsonl", "no history\n");
  write("broken.jsonl.gz", gzipSync(musicLine().repeat(100)).subarray(0, 60));
  write("last.jsonl", `${musicLine({ song_id: 301 })}\n`);
  const environment = {
    VENUE_DATA_DIR: join(workingFolder, "data"),
    VENUE_HOME: join(workingFolder, "home"),
  };
  return (...args: readonly string[]) => runVenue(args, { workingFolder, environment });
}

const files = ["good.jsonl", "other.jsonl", "broken.jsonl.gz", "last.jsonl"];

it("lists the files loaded before an unreadable file, and those not loaded", async () => {
  const venue = setUp();
  const { stdout, stderr, code } = await venue("load", ...files, "--kind", "music");
  expect(code, stderr).toBe(2);
  expect(stdout).toMatchInlineSnapshot(`
    "Load 1, music file: 1 line = 1 new
    Load 2, music file: 1 line = 1 rejected (see \`venue rejects\`)
    "
  `);
  const [problem, loaded, error] = stderr.split("\n");
  expect(problem).toMatch(/^warning: Load 2: the only line is not music history\./);
  expect(loaded).toBe("warning: Loaded: good.jsonl, other.jsonl. Not loaded: broken.jsonl.gz, last.jsonl.");
  expect(error).toMatch(/^venue: .*broken\.jsonl\.gz can't be read: unexpected end of file\./);
  expect((await venue("load", "last.jsonl", "--kind", "music")).stdout).toMatch(/1 line = 1 new/);
});

it("does the same with --json", async () => {
  const { stdout, code } = await setUp()("load", ...files, "--kind", "music", "--json");
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    loads: [
      { load_id: 1, new_plays: 1 },
      { load_id: 2, rejected: 1 },
    ],
  });
});

it("reports only the error if nothing was loaded", async () => {
  const { stdout, stderr, code } = await setUp()("load", "broken.jsonl.gz", "good.jsonl", "--kind", "music");
  expect(code).toBe(2);
  expect(stdout).toBe("");
  expect(stableText(stderr)).toMatchSnapshot();
});

it("detects a file's format by its content, not its name", async () => {
  const workingFolder = createTempFolder();
  writeFileSync(join(workingFolder, "music.zst"), `${musicLine()}\n`);
  const environment = { VENUE_DATA_DIR: join(workingFolder, "data") };
  const { stdout, stderr, code } = await runVenue(["load", "music.zst", "--kind", "music"], {
    workingFolder,
    environment,
  });
  expect(code, stderr).toBe(0);
  expect(stdout).toBe("Load 1, music file: 1 line = 1 new\n");
});

it("loads plays whose dates or starts lack seconds, and rejects an id with the exceeded limit", async () => {
  const workingFolder = createTempFolder();
  const asset = { location_id: 1, location_name: "L", zone_id: 10, zone_name: "Z", asset_name: "A" };
  const lines = [
    { ...asset, asset_id: 5, duration_secs: 90_000, play_start: "2026-11-18T08:00:00+01:00" },
    { ...asset, asset_id: 5, duration_secs: 86_400, play_start: "2026-11-16T08:00:00+01:00" },
    { ...asset, asset_id: "1234567890123456789", duration_secs: 10, play_start: "2026-11-16T08:00:00+01:00" },
    { ...asset, asset_id: 6, duration_secs: 10, play_start: "2026-11-18T09:00+01:00" },
  ];
  writeFileSync(join(workingFolder, "signage.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
  const environment = { VENUE_DATA_DIR: join(workingFolder, "data") };
  const venue = (...args: string[]) => runVenue(args, { workingFolder, environment });
  expect((await venue("load", "signage.jsonl", "--kind", "signage")).stdout).toBe(
    "Load 1, signage file: 4 lines = 3 new + 1 rejected (see `venue rejects`)\n",
  );
  const { stdout } = await venue("rejects");
  expect(stdout).toMatch(/^load 1 \(signage file\), line 3: id_out_of_range: \{/);
  expect(stdout).toMatch(
    /\nid_out_of_range: an id is outside the range 0 to 2,251,799,813,685,247 \(2\^51 − 1\)\n$/,
  );
  expect(JSON.parse((await venue("rejects", "--json")).stdout).reasons).toEqual({
    id_out_of_range: "an id is outside the range 0 to 2,251,799,813,685,247 (2^51 − 1)",
  });
});

it("lists rejected lines of an existing load, or reports a folder without any", async () => {
  const venue = setUp();
  const none = await venue("rejects");
  expect([none.code, none.stdout]).toEqual([0, expect.stringMatching(/^0 rejected lines in \/.*\/data\.$/m)]);
  await venue("load", "other.jsonl", "--kind", "music");
  expect((await venue("rejects", "--load", "1")).stdout).toMatch("line 1: invalid_json: no history");
  const unknown = await venue("rejects", "--load", "2");
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringMatching(/^venue: \/.*\/data has no load 2\. See/),
  ]);
});
