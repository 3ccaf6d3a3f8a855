import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { openSqlite } from "../../src/state/sqlite.ts";
import { Random } from "../load/history/random-lines.ts";
import { itEachSampled, share } from "../support/long-suite.ts";
import { mutate } from "../support/mutate.ts";
import { runVenue, startVenue } from "../support/run-venue.ts";
import { type Setup, setUpIn } from "../support/service.ts";
import { createTempFolder, tempPrefix } from "../support/temp-folder.ts";
import { reportTrials } from "../support/trial-report.ts";

/** A machine after a run, whose files are mutated one at a time. */
let world: Setup;
let backup: string;
const times = share(2, 12, 400);
const databases = [
  ["data/state.db", "state/data"],
  ["home/client.db", "state/client"],
] as const;

beforeAll(async () => {
  world = await setUpIn(mkdtempSync(join(tmpdir(), tempPrefix)), {
    ...{ days: 2, zones: 2, playScale: 0.05 },
    // Enables response caching.
    listingMaxAgeSeconds: 3600,
  });
  expect((await runVenue(["sync", "history", "devices"], world)).code).toBe(0);
  expect((await runVenue(["build"], world)).code).toBe(0);
  backup = join(world.workingFolder, "backup");
  expect((await runVenue(["backup", "--to", backup], world)).code).toBe(0);
  // Merges everything into one file, so that no other file replaces its pages.
  for (const [file, migrations] of databases) {
    const state = openSqlite(join(world.workingFolder, file), migrations);
    if (file === "home/client.db") expect(state.all("select 1 from kept_answer")).not.toEqual([]);
    state.all("pragma wal_checkpoint(truncate)");
    state.close();
  }
});
afterAll(async () => {
  await world.emulator.close();
  rmSync(world.workingFolder, { recursive: true, force: true });
});

const copying = { recursive: true, verbatimSymlinks: true };

const cases: [file: string, words: string[]][] = [
  ["data/published/current/manifest.json", ["report", "plays", "--format", "csv"]],
  ["data/state.db", ["runs"]],
  ["home/client.db", ["sync", "devices"]],
  ["backup/backup.json", ["restore", "--from", "backup", "--data-dir", "restored"]],
  ["data/state.db", ["plan"]],
  ["data/reference/opening_hours.csv", ["reference", "check"]],
];

itEachSampled(cases, 4)(
  "a mutated %s is read correctly, or rejected in one clear message: %s",
  async ([file, words]) => {
    const random = new Random(file.length);
    const happened: Record<string, number> = {};
    let exact: string | undefined;
    for (let round = 0; round < times; round += 1) {
      const workingFolder = createTempFolder();
      cpSync(world.dataFolder, join(workingFolder, "data"), copying);
      cpSync(join(world.workingFolder, "home"), join(workingFolder, "home"), copying);
      for (const name of databases.flatMap(([file]) => [`${file}-wal`, `${file}-shm`]))
        rmSync(join(workingFolder, name), { force: true });
      cpSync(backup, join(workingFolder, "backup"), copying);
      const path = join(workingFolder, file);
      // The first round is unmutated: it shows that nothing else is wrong.
      if (round > 0) writeFileSync(path, mutate(readFileSync(path), random));
      const environment = { ...world.environment, VENUE_HOME: join(workingFolder, "home") };
      const run = { workingFolder, environment };
      // SQLite's library would abort the process on invalid UTF-8.
      const isOwn = databases.some(([database]) => database === file);
      const { code, stdout, stderr } = await (isOwn ? startVenue(words, run).finished : runVenue(words, run));
      if (round === 0) expect(code, stderr).toBe(0);
      exact ??= stdout;
      // Parts without a checksum may differ in a state, but figures never do.
      if (code === 0 && words.includes("plays")) expect(stdout).toBe(exact);
      expect([0, 1, 2, 4], `round ${round}: ${stderr}`).toContain(code);
      if (code !== 0 && code !== 1) expect(stderr).toMatch(/^(venue: .+\n)+/);
      expect(stderr).not.toMatch(/^ +at /m);
      if (round > 0) happened[`exit ${code}`] = (happened[`exit ${code}`] ?? 0) + 1;
      rmSync(workingFolder, { recursive: true });
    }
    reportTrials(`mutated ${file}, ${words[0]}`, times - 1, happened);
  },
);
