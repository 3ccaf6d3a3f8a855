import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { musicLine } from "../load/load-fixture.ts";
import { itInAll } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { createTempFolder } from "../support/temp-folder.ts";

// Clears the screen, rings the bell, returns to the line start, and reverses the text after it.
const harm = "\u001b[2J\u0007\r\u009b1A\u202e";
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const harmful = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

it("shows a byte order mark inside a rejected line", async () => {
  const workingFolder = createTempFolder();
  const broken = '{"zone_id":\ufeff10}';
  writeFileSync(join(workingFolder, "broken.jsonl"), `${musicLine()}\n${broken}\n`);
  const environment = {
    VENUE_DATA_DIR: join(workingFolder, "data"),
    VENUE_HOME: join(workingFolder, "home"),
  };
  const venue = (...args: readonly string[]) => runVenue(args, { workingFolder, environment });
  const { stdout } = await venue("load", "broken.jsonl", "--kind", "music");
  expect(stdout).toMatch(/2 lines = 1 new \+ 1 rejected/);

  expect((await venue("rejects")).stdout).toContain(`: invalid_json: {"zone_id":\ufffd10}\n`);
  const { rejects } = JSON.parse((await venue("rejects", "--json")).stdout);
  expect(rejects).toMatchObject([{ reason: "invalid_json", line: broken }]);
});

itInAll("shows external text without control characters that move a cursor or hide a line", async () => {
  const workingFolder = createTempFolder();
  const lines = [musicLine({ zone_name: `Bar ${harm}Floor` }), `no history ${harm}evil`];
  writeFileSync(join(workingFolder, "music.jsonl"), `${lines.join("\n")}\n`);
  const environment = {
    VENUE_DATA_DIR: join(workingFolder, "data"),
    VENUE_HOME: join(workingFolder, "home"),
  };
  const venue = (...args: readonly string[]) => runVenue(args, { workingFolder, environment });
  await venue("load", "music.jsonl", "--kind", "music");
  await venue("build");

  const rejects = await venue("rejects");
  expect(rejects.stdout).not.toMatch(harmful);
  expect(rejects.stdout).toMatch(/^load 1 .*: no history \S*evil\n1 rejected line\.\ninvalid_json: .*\n$/);
  const error = await venue("report", "plays", "--zone", "bar");
  expect(error.code).toBe(2);
  expect(error.stderr).not.toMatch(harmful);
  expect(error.stderr).toMatch(/^venue: No zone is called "bar"\. Did you mean \d+ \(Bar \S*Floor\)\?\n$/);
  const note = await venue("report", "plays", "--by", "zone", "--compare", "2026-01-01..2026-01-01");
  expect(note.code, note.stderr).toBe(0);
  expect(note.stderr).not.toMatch(harmful);
});
