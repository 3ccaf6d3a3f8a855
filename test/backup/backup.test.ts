import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { restore } from "../../src/backup/restore.ts";
import { type DataState, openDataState } from "../../src/state/data/data-state.ts";
import { FolderStorage } from "../../src/storage/folder-storage.ts";
import { itInAll } from "../support/long-suite.ts";
import { publishedFigures, type Setup } from "../support/service.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { BackedUpWorld, expectRefused, testBackups, venue } from "./backup-suite.ts";

const world = new BackedUpWorld();

testBackups(world, () => join(createTempFolder(), "backups", "first"));

itInAll(
  "follows links at both ends, and includes VENUE_OWN_DIR and landings waiting to be loaded",
  async () => {
    const machine = world.copy();
    const { dataFolder } = machine;
    const disk = join(machine.workingFolder, "disk");
    for (const path of ["rules/reports", "checks/team"]) mkdirSync(join(disk, path), { recursive: true });
    writeFileSync(join(disk, "rules", "reports", "busy.sql"), "select 1");
    writeFileSync(join(disk, "checks", "team", "plays.sql"), "select 2");
    symlinkSync("../checks", join(disk, "rules", "checks"));
    symlinkSync("..", join(disk, "rules", "reports", "circle"));
    symlinkSync("../disk/rules", join(dataFolder, "own"));
    const hours = join(dataFolder, "reference", "opening_hours.csv");
    writeFileSync(join(disk, "shared.csv"), "zone_id,day_of_week,opens,closes\n1,1,09:00,18:00\n");
    rmSync(hours, { force: true });
    symlinkSync(join(disk, "shared.csv"), hours);
    symlinkSync("nowhere", join(dataFolder, "reference", "notes.txt"));
    const landing = await addLanding(machine);
    const listCustom = () =>
      readdirSync(join(dataFolder, "own"), { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(".sql"),
      );
    const to = join(machine.workingFolder, "backup");
    mkdirSync(join(disk, "empty"));
    symlinkSync(join("disk", "empty"), to);
    await venue(machine, "backup", "--to", to);
    const modes = [join(disk, "empty"), join(to, "state.db")].map((path) => statSync(path).mode & 0o777);
    expect([lstatSync(to).isSymbolicLink(), ...modes]).toEqual([true, 0o700, 0o600]);
    await venue(machine, "restore", "--from", to, "--replace");
    expect(listCustom().sort()).toEqual(["checks/team/plays.sql", "reports/busy.sql"]);
    expect(lstatSync(hours).isFile()).toBe(true);
    expect(readFileSync(hours, "utf8")).toContain("09:00,18:00");
    expect(readFileSync(join(dataFolder, landing), "utf8")).toContain('"song_id":9');

    const second = ["backup", "--to", `${to}-2`];
    rmSync(join(dataFolder, "own"), { recursive: true });
    symlinkSync("../disk/missing", join(dataFolder, "own"));
    await expectRefused(machine, second, "own is a link to a folder that doesn't exist");
    rmSync(join(dataFolder, "own"));
    machine.environment.VENUE_OWN_DIR = join(disk, "missing");
    await expectRefused(machine, second, /\(VENUE_OWN_DIR\) doesn't exist/);
    machine.environment.VENUE_OWN_DIR = join(disk, "rules");
    await expectRefused(machine, ["backup", "--to", join(disk, "rules", "backup")], "would be lost with it");
    await venue(machine, ...second);
    const { stdout } = await venue(machine, "restore", "--from", `${to}-2`, "--replace");
    expect(stdout).toContain(`Move them to ${join(disk, "rules")}, or unset VENUE_OWN_DIR.`);
    expect(listCustom()).toHaveLength(2);
  },
);

/** Records a landing that no load has read. @returns its path */
async function addLanding({ dataFolder, environment }: Setup): Promise<string> {
  const landingId = "00000000-0000-4000-8000-000000000001";
  const path = join("landing", `music-walk-${landingId}.jsonl`);
  const line = '{"zone_id":1,"song_id":9,"start_time":"2026-03-10T10:00:00Z","duration_secs":5}\n';
  const state = openDataState(join(dataFolder, "state.db"));
  const service = environment.VENUE_BASE_URL ?? "";
  const collectionId = state.collections.open({ service, scope: "history" }, new Date());
  state.landings.add(collectionId, {
    ...{ landingId, source: "walk", kind: "music", zoneId: 1, requestedAt: new Date() },
    ...{ path, bytes: line.length, isComplete: false },
  });
  state.close();
  writeFileSync(join(dataFolder, path), line);
  return path;
}

it("writes to no data folder, and replaces one only on request, behind a link or not", async () => {
  const machine = world.copy();
  const { workingFolder, dataFolder } = machine;
  const inside = join(dataFolder, "empty");
  mkdirSync(inside);
  symlinkSync(inside, join(workingFolder, "linked"));
  for (const to of [inside, join(workingFolder, "linked")])
    await expectRefused(machine, ["backup", "--to", to], `is in ${dataFolder}`);
  const to = join(workingFolder, "backup");
  await venue(machine, "backup", "--to", to);

  const disk = join(workingFolder, "disk");
  mkdirSync(disk);
  renameSync(dataFolder, join(disk, "venue"));
  symlinkSync("disk/venue", dataFolder);
  writeFileSync(join(dataFolder, "mine.txt"), "mine");
  // As left by a killed restore, and a folder with a similar name.
  mkdirSync(join(disk, "venue.restoring-999999-1-elsewhere", "published"), { recursive: true });
  mkdirSync(join(disk, "venue.restoring-mine"));
  await expectRefused(machine, ["restore", "--from", to], "Add --replace");
  const { stdout } = await venue(machine, "restore", "--from", to, "--replace", "--json");
  const { aside, is_published_damaged } = JSON.parse(stdout);
  expect(is_published_damaged).toBe(false);
  expect(lstatSync(dataFolder).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(aside, "mine.txt"), "utf8")).toBe("mine");
  expect(readdirSync(dataFolder).filter((name) => /^state\.db|^mine/.test(name))).toEqual(["state.db"]);
  expect(readdirSync(disk)).toHaveLength(3);
  expect(existsSync(join(disk, "venue.restoring-mine"))).toBe(true);
  expect(await publishedFigures(machine)).toEqual(world.figures);
});

itInAll("restores the rest if published files were already damaged, and a build repairs them", async () => {
  const machine = world.copy();
  truncateSync(join(machine.dataFolder, "published", "current", "dim_zone.parquet"), 100);
  const to = join(machine.workingFolder, "backup");
  await venue(machine, "backup", "--to", to);
  const { stdout } = await venue(machine, "restore", "--from", to, "--replace");
  expect(stdout).toContain("Files of v000001 were already damaged");
  await venue(machine, "build", "--full");
  expect(await publishedFigures(machine)).toEqual(world.figures);
});

it.each<[string, (machine: Setup) => void]>([
  ["is missing", ({ dataFolder }) => rmSync(join(dataFolder, "warehouse.duckdb"))],
  ["is empty", ({ dataFolder }) => truncateSync(join(dataFolder, "warehouse.duckdb"))],
])("creates no backup without the warehouse behind the published version: it %s", async (finding, lose) => {
  const machine = world.copy();
  lose(machine);
  const backup = ["backup", "--to", join(machine.workingFolder, "backup")];
  await expectRefused(machine, backup, `warehouse.duckdb ${finding}, but v000001`, 4);
  expect(readdirSync(machine.workingFolder)).toEqual(["data"]);
});

it("backup and restore are refused during a run, even one that creates the data folder meanwhile", async () => {
  const machine = world.copy();
  const backup = join(createTempFolder(), "backup");
  await venue(machine, "backup", "--to", backup);
  const state = openDataState(join(machine.dataFolder, "state.db"));
  const end = state.runs.begin("sync");
  const to = join(machine.workingFolder, "backup");
  await expectRefused(machine, ["backup", "--to", to], "`venue sync`", 75);
  await expectRefused(machine, ["restore", "--from", backup, "--replace"], "`venue sync`", 75);
  end({ status: "succeeded", exitCode: 0 });
  state.close();
  expect(readdirSync(machine.workingFolder)).toEqual(["data"]);

  for (const replace of [false, true]) {
    const { workingFolder, dataFolder: to, environment } = world.openEmpty();
    let running: DataState | undefined;
    const from = new (class extends FolderStorage {
      override findRange(...request: Parameters<FolderStorage["findRange"]>) {
        mkdirSync(to, { recursive: true });
        running ??= openDataState(join(to, "state.db"));
        if (running.runs.list(1).length === 0) running.runs.begin("sync");
        return super.findRange(...request);
      }
    })(backup);
    const { signal } = new AbortController();
    const restoring = restore({ from, to, home: environment.VENUE_HOME ?? "", replace, signal });
    await expect(restoring).rejects.toMatchObject({ code: replace ? "RUN_LOCKED" : "BACKUP_FOLDER_IN_USE" });
    expect(running?.runs.list(2)).toMatchObject([{ command: "sync", status: "running" }]);
    running?.close();
    expect(readdirSync(workingFolder)).toEqual(["data"]);
  }
});

it("disables tokens that it would revive, until they are enabled", async () => {
  const machine = world.copy();
  const state = openDataState(join(machine.dataFolder, "state.db"));
  for (const name of ["acme", "former"]) {
    const rest = { attributes: [], views: ["plays"], createdAt: "2026-11-01T00:00:00Z", expiresOn: null };
    state.shares.add({ name, tokenSha256: name, ...rest });
  }
  state.close();
  const listDisabled = async () => {
    const { stdout } = await venue(machine, "serve", "token", "list");
    return stdout.match(/^\w+(?=: .*\(disabled\)$)/gm) ?? [];
  };
  const to = join(machine.workingFolder, "backup");
  await venue(machine, "backup", "--to", to);
  await venue(machine, "serve", "token", "remove", "former");
  const replaced = await venue(machine, "restore", "--from", to, "--replace");
  expect(replaced.stdout).toContain("since the backup: former. If not: venue serve token enable former\n");
  expect(await listDisabled()).toEqual(["former"]);
  // Nothing shows any more which tokens were removed.
  rmSync(machine.dataFolder, { recursive: true });
  const { stdout } = await venue(machine, "restore", "--from", to, "--json");
  expect(JSON.parse(stdout)).toMatchObject({ disabled_tokens: ["acme", "former"] });
  await venue(machine, "serve", "token", "enable", "acme");
  // A disabled token stays disabled.
  await venue(machine, "restore", "--from", to, "--replace");
  expect(await listDisabled()).toEqual(["former"]);
});
