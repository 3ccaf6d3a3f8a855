import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { setUpPlays } from "../support/published-plays.ts";
import { runVenue } from "../support/run-venue.ts";

const plays = ["report", "plays", "--by", "zone"];
const query = ["query", "select 1 as one"];

it.each([
  [plays, "plays.csv", /^zone_id,zone_name,plays,/],
  [query, "one.csv", /^one\r\n1\r\n$/],
  [["query", "-- SQL from a page.\nselect 1 as one\n"], "one.csv", /^one\r\n1\r\n$/],
  [["query", "-- A file with Windows line ends.\r\nselect 1 as one\r\n"], "one.csv", /^one\r\n1\r\n$/],
  [["query", "--without a blank\nselect 1 as one\n"], "one.csv", /^one\r\n1\r\n$/],
  [query, "one.json", /^\[\n\{"one":1\}\n\]\n$/],
  [[...plays, "--columns", "plays,zone_id"], "plays.csv", /^plays,zone_id\r\n\d+,11\r\n/],
  [[...plays, "--columns", "zone_id"], "zones.parquet", /^PAR1/],
  [plays, "plays.html", /^<!doctype html>/i],
  [plays, "plays.parquet", /^PAR1/],
  [plays, "plays.xlsx", /^PK/],
  [[...query, "--bom"], "one.csv", /^\u00ef\u00bb\u00bfone\r\n/],
])("venue %j --out %s writes the format of the extension", async (words, file, content) => {
  const setup = await setUpPlays();
  const { code, stderr } = await runVenue([...words, "--out", file], setup);
  expect(code, stderr).toBe(0);
  expect(readFileSync(join(setup.workingFolder, file), "latin1")).toMatch(content);
});

it.each<[string[], ...string[]]>([
  [plays, "--format", "json"],
  [query, "--format", "md"],
  [query, "--json"],
])("venue %j rejects another format for a CSV", async (words, ...flags) => {
  const setup = await setUpPlays();
  const { code, stderr } = await runVenue([...words, ...flags, "--out", "a.csv"], setup);
  expect(code).toBe(2);
  expect(stderr).toContain("--out (a.csv) implies the format csv");
  expect(readdirSync(setup.workingFolder)).not.toContain("a.csv");
});

it.each([plays, query])("venue %j --out - writes to stdout and creates no file", async (...words) => {
  const setup = await setUpPlays();
  const before = readdirSync(setup.workingFolder);
  const { code, stdout } = await runVenue([...words, "--format", "csv", "--out", "-"], setup);
  expect([code, stdout]).toEqual([0, (await runVenue([...words, "--format", "csv"], setup)).stdout]);
  expect(stdout).not.toBe("");
  expect(readdirSync(setup.workingFolder)).toEqual(before);
});

it("--split writes one file per value, in folders that it creates, and prints their paths", async () => {
  const setup = await setUpPlays();
  const { code, stdout, stderr } = await runVenue(
    ["report", "plays", "--by", "date", "--split", "zone", "--out", "lists/{zone}/plays.csv"],
    setup,
  );
  expect(code, stderr).toBe(0);
  const zones = readdirSync(join(setup.workingFolder, "lists")).sort();
  expect(zones.length).toBeGreaterThan(1);
  expect(stdout.trimEnd().split("\n").sort()).toEqual(
    zones.map((zone) => join(setup.workingFolder, "lists", zone, "plays.csv")),
  );
  expect(stderr).toContain(`${zones.length} files written, one per zone`);
});

it.each([
  [
    ["plays", "--split", "zone", "--out", "{city}.csv"],
    "--out has the unknown placeholder {city}. With --split zone, it takes {zone}.",
  ],
  [
    ["plays", "--split", "zone", "--out", "all.csv"],
    "add {zone} to the name in --out, as in lists/{zone}.xlsx",
  ],
  [["plays", "--split", "zone"], "Name them with --out, as in --out lists/{zone}.xlsx"],
  [
    ["plays", "--split", "manager", "--out", "{manager}.csv"],
    '--split does not take "manager". It takes group, location, city, zone.',
  ],
  [
    ["quality", "--split", "zone", "--out", "{zone}.csv"],
    "The quality report does not take --split: its rows have no zones.",
  ],
  [
    ["schedule", "--from", "7d"],
    "--from (7d) is relative to the last complete day, but the schedule begins after that.",
  ],
])("venue report %j suggests what to write instead", async (words, message) => {
  const setup = await setUpPlays();
  const { code, stderr } = await runVenue(["report", ...words], setup);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
