import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Random } from "../load/history/random-lines.ts";
import { share } from "../support/long-suite.ts";
import { runVenue } from "../support/run-venue.ts";
import { type Setup, setUpIn } from "../support/service.ts";
import { createTempFolder, tempPrefix } from "../support/temp-folder.ts";
import { tellTried } from "../support/tried.ts";

/** A machine after a run, whose files are mutated one at a time. */
let world: Setup;
let backup: string;
const times = share(4, 12, 400);

beforeAll(async () => {
  world = await setUpIn(mkdtempSync(join(tmpdir(), tempPrefix)), { days: 2, zones: 2, playScale: 0.05 });
  expect((await runVenue(["sync", "history", "devices"], world)).code).toBe(0);
  expect((await runVenue(["build"], world)).code).toBe(0);
  backup = join(world.workingFolder, "backup");
  expect((await runVenue(["backup", "--to", backup], world)).code).toBe(0);
});
afterAll(async () => {
  await world.emulator.close();
  rmSync(world.workingFolder, { recursive: true, force: true });
});

const copying = { recursive: true, verbatimSymlinks: true };

const cases: [file: string, words: string[]][] = [
  ["data/published/current/manifest.json", ["report", "plays", "--format", "csv"]],
  ["data/state.db", ["runs"]],
  ["data/reference/opening_hours.csv", ["reference", "check"]],
  ["backup/backup.json", ["restore", "--from", "backup", "--data-dir", "restored"]],
];

it.each(cases)("a mutated %s is read as what it is, or refused in one clear message", async (file, words) => {
  const random = new Random(file.length);
  const happened: Record<string, number> = {};
  for (let round = 0; round < times; round += 1) {
    const workingFolder = createTempFolder();
    cpSync(world.dataFolder, join(workingFolder, "data"), copying);
    cpSync(backup, join(workingFolder, "backup"), copying);
    const path = join(workingFolder, file);
    // The first as it is: it shows that nothing else is amiss.
    if (round > 0) writeFileSync(path, mutate(readFileSync(path), random));
    const environment = { ...world.environment, VENUE_HOME: join(workingFolder, "home") };
    const { code, stderr } = await runVenue(words, { workingFolder, environment });
    if (round === 0) expect(code, stderr).toBe(0);
    expect([0, 1, 2, 4], `round ${round}: ${stderr}`).toContain(code);
    if (code !== 0 && code !== 1) expect(stderr).toMatch(/^(venue: .+\n)+/);
    happened[`exit ${code}`] = (happened[`exit ${code}`] ?? 0) + 1;
    rmSync(workingFolder, { recursive: true });
  }
  tellTried(`mutated ${file}`, times - 1, happened);
});

/** A few bytes that differ, or an end that is missing. */
function mutate(content: Buffer, random: Random): Buffer {
  if (random.next() < 0.2) return content.subarray(0, random.below(content.length));
  const mutated = Buffer.from(content);
  for (let count = 1 + random.below(8); count > 0; count -= 1)
    mutated[random.below(content.length)] = random.below(256);
  return mutated;
}
