import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { restore } from "../../src/backup/restore.ts";
import { type DataState, openDataState } from "../../src/state/data/data-state.ts";
import { findShare } from "../../src/state/data/shares.ts";
import { FolderStorage } from "../../src/storage/folder-storage.ts";
import { itEachSampled, itInAll } from "../support/long-suite.ts";
import { type Finished, runVenue, startVenue } from "../support/run-venue.ts";
import {
  type Figures,
  publishedFigures,
  type Setup,
  setNow,
  setUpIn,
  trueFigures,
} from "../support/service.ts";
import { createTempFolder, tempPrefix } from "../support/temp-folder.ts";

/** A machine after its first run, with a backup. */
let world: Setup;
let backup: string;
/** Published figures at the time of the backup. */
let figures: Figures;
const dayMs = 24 * 3_600_000;

beforeAll(async () => {
  world = await setUpIn(mkdtempSync(join(tmpdir(), tempPrefix)), { days: 4, zones: 3, playScale: 0.2 });
  await venue(world, "run");
  backup = join(world.workingFolder, "backups", "first");
  await venue(world, "backup", "--to", backup);
  figures = trueFigures(world.emulator.world, world.emulator.now());
});
afterAll(async () => {
  await world.emulator.close();
  rmSync(world.workingFolder, { recursive: true, force: true });
});

async function venue(setup: Setup, ...words: string[]): Promise<Finished> {
  const finished = await runVenue(words, setup);
  expect(finished.code, finished.stderr).toBe(0);
  return finished;
}

/** A separate machine, empty by default. */
function newMachine({ isCopy = false } = {}): Setup {
  const workingFolder = createTempFolder();
  const dataFolder = join(workingFolder, "data");
  if (isCopy) cpSync(world.dataFolder, dataFolder, { recursive: true, verbatimSymlinks: true });
  const environment = { ...world.environment, VENUE_HOME: join(workingFolder, "home") };
  return { ...world, workingFolder, dataFolder, environment };
}

function editBackup(edit: (folder: string) => void): string {
  const folder = join(createTempFolder(), "backup");
  cpSync(backup, folder, { recursive: true });
  edit(folder);
  return folder;
}

it("restores everything after a total loss, and the next run continues from there", async () => {
  const machine = newMachine();
  const { stdout } = await venue(machine, "restore", "--from", backup);
  expect(stdout).toMatch(/data is restored to its state at .*: \d+ plays, v000001 published\.\n/);
  expect(await publishedFigures(machine)).toEqual(figures);
  const catalog = readFileSync(join(machine.dataFolder, "published", "catalog.duckdb"), "latin1");
  expect(catalog).toContain(machine.dataFolder);

  const built = await venue(machine, "build", "--json");
  expect(JSON.parse(built.stdout)).toMatchObject({ version: "v000002" });
  expect(await publishedFigures(machine)).toEqual(figures);

  const now = new Date(world.emulator.now().getTime() + dayMs);
  setNow(machine, now);
  await venue(machine, "run");
  expect(await publishedFigures(machine)).toEqual(trueFigures(world.emulator.world, now));
});

it("contains what cannot be recovered, readable by this user only, without the secret by default", async () => {
  const files: string[] = JSON.parse(readFileSync(join(backup, "backup.json"), "utf8")).files.map(
    ({ path }: { path: string }) => path,
  );
  const tops = new Set(files.map((path) => path.split("/")[0]));
  expect([...tops].sort()).toEqual(["published", "reference", "state.db", "warehouse.duckdb"]);
  expect([statSync(backup).mode & 0o777, statSync(join(backup, "state.db")).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  expect(readdirSync(backup).sort()).toEqual(["backup.json", ...tops].sort());
});

itInAll("includes the secret on request, and restores it where there is none", async () => {
  const machine = newMachine({ isCopy: true });
  const home = machine.environment.VENUE_HOME ?? "";
  const to = join(machine.workingFolder, "backup");
  const missing = await runVenue(["backup", "--to", to, "--with-secret"], machine);
  expect([missing.code, missing.stderr]).toEqual([
    2,
    expect.stringContaining("Run this again without --with-secret."),
  ]);
  expect(existsSync(to)).toBe(false);

  const secret = '{"client_id":"a","client_secret":"s3cret"}';
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "credentials.json"), secret, { mode: 0o600 });
  await venue(machine, "backup", "--to", to, "--with-secret");
  rmSync(home, { recursive: true });
  const first = await venue(machine, "restore", "--from", to, "--replace");
  expect(first.stdout).toContain(`The secret is in ${home}.`);
  expect(readFileSync(join(home, "credentials.json"), "utf8")).toBe(secret);
  expect(statSync(join(home, "credentials.json")).mode & 0o777).toBe(0o600);

  writeFileSync(join(home, "credentials.json"), "another");
  const second = await venue(machine, "restore", "--from", to, "--replace");
  expect(second.stdout).toContain("which was not changed");
  // Both folders survive, even if the third restore falls into the same second.
  const third = await venue(machine, "restore", "--from", to, "--replace");
  const names = readdirSync(machine.workingFolder).filter((name) => name.startsWith("data.replaced-"));
  expect(third.code).toBe(0);
  expect(names.length).toBe(3);
  expect(readFileSync(join(home, "credentials.json"), "utf8")).toBe("another");
});

itInAll("restores the rest if published files were already damaged, and a build repairs them", async () => {
  const machine = newMachine({ isCopy: true });
  const { VENUE_HOME: home = "" } = machine.environment;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "credentials.json.unfinished"), "of a restore that was killed");
  truncateSync(join(machine.dataFolder, "published", "current", "dim_zone.parquet"), 100);
  const to = join(machine.workingFolder, "backup");
  await venue(machine, "backup", "--to", to);
  const { stdout } = await venue(machine, "restore", "--from", to, "--replace");
  expect(stdout).toContain("Files of v000001 were already damaged");
  expect(readdirSync(home)).not.toContain("credentials.json.unfinished");
  const again = await venue(machine, "restore", "--from", to, "--replace", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ is_published_damaged: true });
  await venue(machine, "build", "--full");
  expect(await publishedFigures(machine)).toEqual(figures);
});

itInAll("includes landings waiting to be loaded, which the restored folder loads", async () => {
  const machine = newMachine({ isCopy: true });
  const state = openDataState(join(machine.dataFolder, "state.db"));
  const path = join("landing", "music-walk-00000000-0000-4000-8000-000000000001.jsonl");
  const line = '{"zone_id":1,"song_id":9,"start_time":"2026-03-10T10:00:00Z","duration_secs":5}\n';
  const service = machine.environment.VENUE_BASE_URL ?? "";
  const collectionId = state.collections.open({ service, scope: "history" }, new Date());
  state.landings.add(collectionId, {
    landingId: "00000000-0000-4000-8000-000000000001",
    source: "walk",
    kind: "music",
    zoneId: 1,
    requestedAt: new Date(),
    path,
    bytes: line.length,
    isComplete: false,
  });
  state.close();
  writeFileSync(join(machine.dataFolder, path), line);
  const to = join(machine.workingFolder, "backup");
  await venue(machine, "backup", "--to", to);
  await venue(machine, "restore", "--from", to, "--replace");
  expect(readFileSync(join(machine.dataFolder, path), "utf8")).toBe(line);
});

it("includes linked files of reference/ with their content", async () => {
  const machine = newMachine({ isCopy: true });
  const shared = join(machine.workingFolder, "shared.csv");
  const hours = join(machine.dataFolder, "reference", "opening_hours.csv");
  writeFileSync(shared, "zone_id,day_of_week,opens,closes\n1,1,09:00,18:00\n");
  rmSync(hours, { force: true });
  symlinkSync(shared, hours);
  symlinkSync("nowhere", join(machine.dataFolder, "reference", "notes.txt"));
  const to = join(machine.workingFolder, "backup");
  await venue(machine, "backup", "--to", to);
  await venue(machine, "restore", "--from", to, "--replace");
  expect(lstatSync(hours).isFile()).toBe(true);
  expect(readFileSync(hours, "utf8")).toBe(readFileSync(shared, "utf8"));
});

it("includes linked folders and VENUE_OWN_DIR", async () => {
  const machine = newMachine({ isCopy: true });
  const disk = join(machine.workingFolder, "disk");
  for (const path of ["rules/reports", "checks/team"]) mkdirSync(join(disk, path), { recursive: true });
  writeFileSync(join(disk, "rules", "reports", "busy.sql"), "select 1");
  writeFileSync(join(disk, "checks", "team", "plays.sql"), "select 2");
  const files = ["checks/team/plays.sql", "reports/busy.sql"];
  symlinkSync("../checks", join(disk, "rules", "checks"));
  symlinkSync("..", join(disk, "rules", "reports", "circle"));
  const listOwn = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".sql"));
  const own = join(machine.dataFolder, "own");
  const to = join(machine.workingFolder, "backup");
  symlinkSync("../disk/rules", own);
  await venue(machine, "backup", "--to", to);
  await venue(machine, "restore", "--from", to, "--replace");
  expect(listOwn(own).sort()).toEqual(files);

  rmSync(own, { recursive: true });
  symlinkSync("../disk/missing", own);
  const second = `${to}-2`;
  const broken = await runVenue(["backup", "--to", second], machine);
  expect([broken.code, broken.stderr]).toEqual([
    2,
    expect.stringContaining(`${own} is a link to a folder that doesn't exist`),
  ]);
  rmSync(own);
  const elsewhere = (folder: string): Setup => ({
    ...machine,
    environment: { ...machine.environment, VENUE_OWN_DIR: folder },
  });
  const missing = await runVenue(["backup", "--to", second], elsewhere(join(disk, "missing")));
  expect([missing.code, missing.stderr]).toEqual([
    2,
    expect.stringContaining("(VENUE_OWN_DIR) doesn't exist"),
  ]);
  const set = elsewhere(join(disk, "rules"));
  const within = await runVenue(["backup", "--to", join(disk, "rules", "backup")], set);
  expect([within.code, within.stderr]).toEqual([2, expect.stringContaining("would be lost with it")]);
  await venue(set, "backup", "--to", second);
  const { stdout } = await venue(set, "restore", "--from", second, "--replace");
  expect(stdout).toContain(`are in ${own}. Move them to ${join(disk, "rules")}, or unset VENUE_OWN_DIR.`);
  expect(listOwn(own).sort()).toEqual(files);
});

it("writes to an empty folder or to the target of a link", async () => {
  const machine = newMachine({ isCopy: true });
  const disk = join(machine.workingFolder, "disk");
  mkdirSync(join(disk, "empty"), { recursive: true });
  const link = join(machine.workingFolder, "link");
  symlinkSync(join("disk", "empty"), link);
  await venue(machine, "backup", "--to", link);
  expect(readdirSync(disk)).toEqual(["empty"]);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(existsSync(join(link, "backup.json"))).toBe(true);
});

it("overwrites neither a backup nor a data folder", async () => {
  const machine = newMachine({ isCopy: true });
  const again = await runVenue(["backup", "--to", backup], machine);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("is not empty")]);
  const within = await runVenue(["backup", "--to", join(machine.dataFolder, "backup")], machine);
  expect([within.code, within.stderr]).toEqual([2, expect.stringContaining(`is in ${machine.dataFolder}`)]);
  const linked = join(machine.workingFolder, "linked");
  mkdirSync(join(machine.dataFolder, "empty"));
  symlinkSync(join(machine.dataFolder, "empty"), linked);
  const led = await runVenue(["backup", "--to", linked], machine);
  expect([led.code, led.stderr]).toEqual([2, expect.stringContaining(`is in ${machine.dataFolder}`)]);

  const ofRoot = join(machine.workingFolder, "grown");
  renameSync(machine.dataFolder, `${ofRoot}.unfinished`);
  const words = ["--data-dir", `${ofRoot}.unfinished`];
  const own = await runVenue(["backup", "--to", ofRoot, ...words], machine);
  expect([own.code, own.stderr]).toEqual([2, expect.stringContaining("would be removed. Rename it first.")]);
  renameSync(`${ofRoot}.unfinished`, machine.dataFolder);

  writeFileSync(join(machine.dataFolder, "mine.txt"), "mine");
  const refused = await runVenue(["restore", "--from", backup], machine);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("Add --replace")]);
  const { stdout } = await venue(machine, "restore", "--from", backup, "--replace", "--json");
  const { aside, is_published_damaged } = JSON.parse(stdout);
  expect(is_published_damaged).toBe(false);
  expect(readdirSync(machine.dataFolder).filter((name) => name.startsWith("state.db"))).toEqual(["state.db"]);
  expect(readFileSync(join(aside, "mine.txt"), "utf8")).toBe("mine");
  expect(existsSync(join(machine.dataFolder, "mine.txt"))).toBe(false);
});

it("keeps a link to the data folder, and restores to its target", async () => {
  const machine = newMachine({ isCopy: true });
  const disk = join(machine.workingFolder, "disk");
  mkdirSync(disk);
  renameSync(machine.dataFolder, join(disk, "venue"));
  symlinkSync("disk/venue", machine.dataFolder);
  writeFileSync(join(machine.dataFolder, "mine.txt"), "mine");
  const { stdout } = await venue(machine, "restore", "--from", backup, "--replace", "--json");
  const { aside } = JSON.parse(stdout);
  expect(readFileSync(join(disk, basename(aside), "mine.txt"), "utf8")).toBe("mine");

  rmSync(join(disk, "venue"), { recursive: true });
  await venue(machine, "restore", "--from", backup);
  expect(lstatSync(machine.dataFolder).isSymbolicLink()).toBe(true);
  expect(readdirSync(disk).sort()).toEqual(["venue", basename(aside)]);
  expect(await publishedFigures(machine)).toEqual(figures);
});

const damages: [label: string, damage: (folder: string) => void][] = [
  ["a file is missing", (folder) => rmSync(join(folder, "warehouse.duckdb"))],
  ["a file was truncated", (folder) => truncateSync(join(folder, "warehouse.duckdb"), 4096)],
  ["a byte was changed", (folder) => writeFileSync(join(folder, "state.db"), "SQLite format 4")],
  ["its manifest is truncated", (folder) => truncateSync(join(folder, "backup.json"), 100)],
  [
    "it names a file elsewhere",
    (folder) => {
      writeFileSync(join(folder, "..", "evil"), "");
      addFile(folder, "../evil");
    },
  ],
  ["it names a folder", (folder) => addFile(folder, "published")],
  ["it names a file twice", (folder) => addFile(folder, "state.db")],
  ["it names an invalid file name", (folder) => addFile(folder, "a\0b")],
  ["it names a file whose name is too long", (folder) => addFile(folder, "a".repeat(300))],
];

function addFile(folder: string, name: string, sha256 = ""): void {
  const path = join(folder, "backup.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  manifest.files.push({ path: name, bytes: 0, sha256 });
  writeFileSync(path, JSON.stringify(manifest));
}

function addSecret(folder: string): void {
  const secret = '{"client_id":"a","client_secret":"s3cret"}';
  writeFileSync(join(folder, "credentials.json"), secret);
  addFile(folder, "credentials.json", createHash("sha256").update(secret).digest("hex"));
}

itEachSampled(damages, 3)("restores nothing if %s", async ([_label, damage]) => {
  const machine = newMachine();
  const { code, stderr } = await runVenue(["restore", "--from", editBackup(damage)], machine);
  expect([code, stderr]).toEqual([4, expect.stringContaining("Nothing was restored")]);
  expect(readdirSync(machine.workingFolder)).toEqual([]);
});

it("rejects a folder that is not a backup or was created by a newer version", async () => {
  const machine = newMachine();
  const none = await runVenue(["restore", "--from", machine.workingFolder], machine);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("is not a backup")]);
  const newer = editBackup((folder) => writeFileSync(join(folder, "backup.json"), '{"format":2}'));
  const refused = await runVenue(["restore", "--from", newer], machine);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("newer version")]);
});

it.each<[string, (machine: Setup) => void]>([
  ["is missing", ({ dataFolder }) => rmSync(join(dataFolder, "warehouse.duckdb"))],
  ["is empty", ({ dataFolder }) => truncateSync(join(dataFolder, "warehouse.duckdb"))],
])("creates no backup without the warehouse behind the published version: it %s", async (finding, lose) => {
  const machine = newMachine({ isCopy: true });
  lose(machine);
  const { code, stderr } = await runVenue(["backup", "--to", join(machine.workingFolder, "backup")], machine);
  expect([code, stderr]).toEqual([4, expect.stringContaining(`warehouse.duckdb ${finding}, but v000001`)]);
  expect(readdirSync(machine.workingFolder).sort()).toEqual(["data"]);
});

it("backup and restore are refused during a run", async () => {
  const machine = newMachine({ isCopy: true });
  const state = openDataState(join(machine.dataFolder, "state.db"));
  const end = state.runs.begin("sync");
  try {
    const busy = await runVenue(["backup", "--to", join(machine.workingFolder, "backup")], machine);
    expect([busy.code, busy.stderr]).toEqual([75, expect.stringContaining("`venue sync`")]);
    const withSecret = editBackup(addSecret);
    const restored = await runVenue(["restore", "--from", withSecret, "--replace"], machine);
    expect([restored.code, restored.stderr]).toEqual([75, expect.stringContaining("`venue sync`")]);
  } finally {
    end({ status: "succeeded", exitCode: 0 });
    state.close();
  }
  expect(readdirSync(machine.workingFolder).sort()).toEqual(["data"]);
});

it.each([
  { replace: false, code: "BACKUP_FOLDER_IN_USE" },
  { replace: true, code: "RUN_LOCKED" },
])("leaves a data folder alone that a run creates meanwhile: %o", async ({ replace, code }) => {
  const { workingFolder, dataFolder: to, environment } = newMachine();
  let state: DataState | undefined;
  const from = new (class extends FolderStorage {
    override findRange(...request: Parameters<FolderStorage["findRange"]>) {
      mkdirSync(to, { recursive: true });
      state ??= openDataState(join(to, "state.db"));
      if (state.runs.list(1).length === 0) state.runs.begin("sync");
      return super.findRange(...request);
    }
  })(backup);
  const { VENUE_HOME: home = "" } = environment;
  const restoring = restore({ from, to, home, replace, signal: new AbortController().signal });
  await expect(restoring).rejects.toMatchObject({ code });
  expect(state?.runs.list(2)).toMatchObject([{ command: "sync", status: "running" }]);
  state?.close();
  expect(readdirSync(workingFolder)).toEqual(["data"]);
});

it("disables tokens that it would revive, until they are enabled", async () => {
  const machine = newMachine({ isCopy: true });
  const stateFile = join(machine.dataFolder, "state.db");
  const state = openDataState(stateFile);
  for (const name of ["acme", "former"]) {
    const rest = { attributes: [], views: ["plays"], createdAt: "2026-11-01T00:00:00Z", expiresOn: null };
    state.shares.add({ name, tokenSha256: name, ...rest });
  }
  state.close();
  const isAccepted = () => ["acme", "former"].map((token) => findShare(stateFile, token) !== undefined);
  const to = join(machine.workingFolder, "backup");
  await venue(machine, "backup", "--to", to);
  await venue(machine, "serve", "token", "remove", "former");

  const replaced = await venue(machine, "restore", "--from", to, "--replace");
  expect(replaced.stdout).toContain("since the backup: former. If not: venue serve token enable former\n");
  expect(isAccepted()).toEqual([true, false]);
  // Nothing shows any more which tokens were removed.
  rmSync(machine.dataFolder, { recursive: true });
  const { stdout } = await venue(machine, "restore", "--from", to, "--json");
  expect(JSON.parse(stdout)).toMatchObject({ disabled_tokens: ["acme", "former"] });
  expect(isAccepted()).toEqual([false, false]);
  await venue(machine, "serve", "token", "enable", "acme");
  expect(isAccepted()).toEqual([true, false]);
  const listed = await venue(machine, "serve", "token", "list");
  expect(listed.stdout).toMatch(/^acme: .*[^)]\nformer: .* \(disabled\)\n$/);
  // A disabled token stays disabled.
  await venue(machine, "restore", "--from", to, "--replace");
  expect(isAccepted()).toEqual([true, false]);
});

it("does not touch a folder that has its temporary name but was not created by it", async () => {
  const machine = newMachine({ isCopy: true });
  const to = join(machine.workingFolder, "backup");
  const places = [`${to}.unfinished`, `${machine.dataFolder}.unfinished`];
  for (const place of places) {
    mkdirSync(place);
    writeFileSync(join(place, "mine.txt"), "mine");
  }
  const commands = [
    ["backup", "--to", to],
    ["restore", "--from", backup, "--replace"],
  ];
  for (const [index, words] of commands.entries()) {
    const { code, stderr } = await runVenue(words, machine);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`${places[index]} was not created by a backup`),
    ]);
    expect(readFileSync(join(places[index] ?? "", "mine.txt"), "utf8")).toBe("mine");
    // As left by a killed process.
    writeFileSync(join(places[index] ?? "", ".filled-by"), "999999 1 elsewhere");
    await venue(machine, ...words);
  }
  expect(readdirSync(machine.workingFolder).filter((name) => name.endsWith(".unfinished"))).toEqual([]);
});

it("is refused while another process fills the same folder, and leaves that one alone", async () => {
  const machine = newMachine({ isCopy: true });
  const other = newMachine({ isCopy: true });
  // Large enough for two commands to overlap.
  truncateOrCreate(join(machine.dataFolder, "reference", "large.csv"), 300_000_000);
  const to = join(machine.workingFolder, "backup");
  const refusal = (pid?: number) =>
    expect.stringContaining(
      `Another backup or restore (process ${pid}) is writing to ${machine.workingFolder}/`,
    );

  const backingUp = startVenue(["backup", "--to", to], machine);
  await stopWhen(backingUp.child, `${to}.unfinished/reference/large.csv`);
  const second = await runVenue(["backup", "--to", to], other);
  expect([second.code, second.stderr]).toEqual([75, refusal(backingUp.child.pid)]);
  backingUp.child.kill("SIGCONT");
  expect((await backingUp.finished).code).toBe(0);

  rmSync(machine.dataFolder, { recursive: true });
  const restoring = startVenue(["restore", "--from", to], machine);
  await stopWhen(restoring.child, `${machine.dataFolder}.unfinished/reference/large.csv.part`);
  const again = await runVenue(["restore", "--from", backup], machine);
  expect([again.code, again.stderr]).toEqual([75, refusal(restoring.child.pid)]);
  restoring.child.kill("SIGCONT");
  expect((await restoring.finished).code).toBe(0);
  expect(readdirSync(machine.workingFolder).sort()).toEqual(["backup", "data"]);
  expect(readdirSync(to)).not.toContain(".filled-by");
  expect(readdirSync(machine.dataFolder)).not.toContain(".filled-by");
  expect(await publishedFigures(machine)).toEqual(figures);
});

itInAll(
  "a killed backup or restore leaves nothing that looks complete, and the next one succeeds",
  async () => {
    const machine = newMachine({ isCopy: true });
    // Large enough to be killed while copying.
    truncateOrCreate(join(machine.dataFolder, "reference", "large.csv"), 1_500_000_000);
    const to = join(machine.workingFolder, "backup");
    await killWhen(startVenue(["backup", "--to", to], machine).child, `${to}.unfinished/reference/large.csv`);
    expect(existsSync(to)).toBe(false);
    truncateSync(join(machine.dataFolder, "reference", "large.csv"), 300_000_000);
    await venue(machine, "backup", "--to", to);

    rmSync(machine.dataFolder, { recursive: true });
    const restoring = startVenue(["restore", "--from", to], machine);
    await killWhen(restoring.child, `${machine.dataFolder}.unfinished/reference/large.csv.part`);
    expect(existsSync(machine.dataFolder)).toBe(false);
    await venue(machine, "restore", "--from", to);
    expect(readdirSync(machine.workingFolder).sort()).toEqual(["backup", "data"]);
    expect(await publishedFigures(machine)).toEqual(figures);
  },
);

function truncateOrCreate(file: string, bytes: number): void {
  writeFileSync(file, "");
  truncateSync(file, bytes);
}

async function stopWhen(child: ReturnType<typeof startVenue>["child"], file: string): Promise<void> {
  await vi.waitUntil(() => existsSync(file), { timeout: 20_000, interval: 2 });
  child.kill("SIGSTOP");
}

async function killWhen(child: ReturnType<typeof startVenue>["child"], file: string): Promise<void> {
  while (!existsSync(file) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 2));
  expect(child.exitCode).toBeNull();
  child.kill("SIGKILL");
  await once(child, "close");
}
