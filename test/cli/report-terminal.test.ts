import { expect, it } from "vitest";
import { setUpPlays } from "../support/published-plays.ts";
import { hasTerminals, startOnTerminal } from "../support/run-on-terminal.ts";
import { runVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";

it.skipIf(!hasTerminals)("a comparison is said once, above columns by their labels", async () => {
  const words = ["report", "plays", "--by", "zone", "--compare", "before"];
  const terminal = startOnTerminal(words, await setUpPlays());
  expect(await terminal.finished).toBe(0);
  const shown = terminal.shown().replaceAll("\r", "");
  expect(shown.match(/Plays did not change/g)).toHaveLength(1);
  expect(shown).toMatch(/Zone +Plays +Plays then/);
  expect(shown).not.toContain("plays_then");
});

const anywhere = () => ({ environment: {}, workingFolder: createTempFolder() });

it("help of reports fits 80 columns", async () => {
  const { stdout } = await runVenue(["report", "--help"], anywhere());
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

it.each([
  ["missed", "missed_days (Missed): "],
  ["zone", "zone_name (Zone): "],
  ["device", "device_id (Device): "],
])("help on %s tells of the column that counts or names such", async (word, begin) => {
  const { code, stdout } = await runVenue(["help", word], anywhere());
  expect([code, stdout.slice(0, begin.length)]).toEqual([0, begin]);
});

it.each([
  ["plays_then", "plays_then (Plays then): The same in ", "plays"],
  ["zones_change", "zones_change (Zones, change): How much more ", "plays"],
  ["availability_change", "availability_change (Availability, change): How much more ", "uptime"],
  ["date_then", "date_then (Date then): The same in ", "plays, compliance, uptime"],
])("help tells of %s, a column of comparisons", async (word, begin, reports) => {
  const { code, stdout } = await runVenue(["help", word], anywhere());
  expect([code, stdout.slice(0, begin.length)]).toEqual([0, begin]);
  expect(stdout).toContain(`\nIn, with --compare: ${reports}\n`);
});

it("help knows no column of comparisons that none has", async () => {
  expect((await runVenue(["help", "zone_name_then"], anywhere())).code).toBe(2);
});
