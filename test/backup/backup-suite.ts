import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openStorage } from "../../src/storage/open-storage.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { itEachSampled } from "../support/long-suite.ts";
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

const secret = '{"client_id":"a","client_secret":"s3cret"}';

/** A machine after its first sync and build, and its copies. */
export class BackedUpWorld {
  machine!: Setup;
  figures!: Figures;

  constructor() {
    beforeAll(async () => {
      const folder = mkdtempSync(join(tmpdir(), tempPrefix));
      this.machine = await setUpIn(folder, { days: 3, zones: 2, playScale: 0.2 });
      await venue(this.machine, "sync", "history", "devices");
      await venue(this.machine, "build");
      this.figures = trueFigures(this.machine.emulator.world, this.machine.emulator.now());
    });
    afterAll(async () => {
      await this.machine.emulator.close();
      rmSync(this.machine.workingFolder, { recursive: true, force: true });
    });
  }

  /** Another machine with the same data. */
  copy(): Setup {
    const copy = this.openEmpty();
    cpSync(this.machine.dataFolder, copy.dataFolder, { recursive: true, verbatimSymlinks: true });
    return copy;
  }

  /** Another machine without data. */
  openEmpty(): Setup {
    const workingFolder = createTempFolder();
    const aws = Object.entries(process.env).filter(([name]) => name.startsWith("AWS_"));
    const { environment } = this.machine;
    return {
      ...this.machine,
      workingFolder,
      dataFolder: join(workingFolder, "data"),
      environment: { ...environment, ...Object.fromEntries(aws), VENUE_HOME: join(workingFolder, "home") },
    };
  }
}

export async function venue(setup: Setup, ...words: string[]): Promise<Finished> {
  const finished = await runVenue(words, setup);
  expect(finished.code, finished.stderr).toBe(0);
  return finished;
}

export async function expectRefused(
  setup: Setup,
  words: string[],
  message: string | RegExp,
  code = 2,
): Promise<void> {
  const { stderr, ...finished } = await runVenue(words, setup);
  expect([finished.code, stderr]).toEqual([code, expect.stringMatching(message)]);
}

async function listKeys(storage: Storage): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list("")) keys.push(key);
  for await (const { key } of storage.listUploads()) keys.push(`upload of ${key}`);
  return keys;
}

async function readManifest(storage: Storage): Promise<{ files: { path: string }[] }> {
  return JSON.parse((await storage.find("backup.json"))?.content.toString() ?? "{}");
}

async function addFile(storage: Storage, path: string): Promise<void> {
  const manifest = await readManifest(storage);
  manifest.files.push({ path, ...{ bytes: 0, sha256: createHash("sha256").digest("hex") } });
  await storage.put("backup.json", JSON.stringify(manifest));
}

async function truncate(storage: Storage, key: string, bytes: number): Promise<void> {
  await storage.put(key, (await storage.findRange(key, { start: 0, bytes })) ?? "");
}

const damaged = [4, "Nothing was restored"] as const;
const damages: [
  label: string,
  damage: (storage: Storage) => Promise<unknown>,
  refusal: readonly [code: number, message: string],
][] = [
  ["a file was truncated", (storage) => truncate(storage, "warehouse.duckdb", 4096), damaged],
  ["its manifest is missing", (storage) => storage.delete(["backup.json"]), [2, "is not a backup"]],
  ["a byte was changed", (storage) => storage.put("state.db", "SQLite format 4"), damaged],
  ["it is newer", (storage) => storage.put("backup.json", '{"format":2}'), [2, "newer version"]],
  ["a file is missing", (storage) => storage.delete(["warehouse.duckdb"]), damaged],
  ["its manifest is truncated", (storage) => truncate(storage, "backup.json", 100), damaged],
  ["it names a file elsewhere", (storage) => addFile(storage, "../evil"), damaged],
  ["it names a folder", (storage) => addFile(storage, "published"), damaged],
  ["it names a file twice", (storage) => addFile(storage, "state.db"), damaged],
  ["it names an invalid file name", (storage) => addFile(storage, "a\0b"), damaged],
  ["it names a file whose name is too long", (storage) => addFile(storage, "a".repeat(300)), damaged],
];

/** Tests that every kind of target must pass. */
export function testBackups(world: BackedUpWorld, createTarget: () => string): void {
  it("restores everything after a total loss, and the next sync continues from there", async () => {
    const to = createTarget();
    const made = await venue(world.copy(), "backup", "--to", to);
    expect(made.stdout).toContain(`Backed up to ${to}: `);
    const storage = await openStorage(to);
    const files = (await readManifest(storage)).files.map(({ path }) => path);
    expect(await listKeys(storage)).toEqual(["backup.json", ...files].sort());
    const tops = new Set(files.map((path) => path.split("/")[0]));
    expect([...tops].sort()).toEqual(["published", "reference", "state.db", "warehouse.duckdb"]);

    const machine = world.openEmpty();
    const { stdout } = await venue(machine, "restore", "--from", to);
    expect(stdout).toMatch(/data is restored to its state at .*: \d+ plays, v000001 published\.\n/);
    expect(statSync(join(machine.dataFolder, "state.db")).mode & 0o777).toBe(0o600);
    expect(readdirSync(machine.workingFolder)).toEqual(["data"]);
    expect(await publishedFigures(machine)).toEqual(world.figures);
    const catalog = readFileSync(join(machine.dataFolder, "published", "catalog.duckdb"), "latin1");
    expect(catalog).toContain(machine.dataFolder);
    const before = machine.emulator.now();
    const now = new Date(before.getTime() + 24 * 3_600_000);
    setNow(machine, now);
    try {
      await venue(machine, "sync", "history");
      await venue(machine, "build");
      expect(await publishedFigures(machine)).toEqual(trueFigures(machine.emulator.world, now));
    } finally {
      setNow(machine, before);
    }
  });

  it("includes the secret on request, and restores it where there is none", async () => {
    const machine = world.copy();
    const home = machine.environment.VENUE_HOME ?? "";
    const stored = join(home, "credentials.json");
    const to = createTarget();
    const backup = ["backup", "--to", to, "--with-secret"];
    await expectRefused(machine, backup, "Run this again without --with-secret.");
    expect(await listKeys(await openStorage(to))).toEqual([]);
    mkdirSync(home, { recursive: true });
    writeFileSync(stored, secret, { mode: 0o600 });
    await venue(machine, ...backup);
    rmSync(home, { recursive: true });
    const restoring = ["restore", "--from", to, "--replace"];
    expect((await venue(machine, ...restoring)).stdout).toContain(`The secret is in ${home}.`);
    expect([readFileSync(stored, "utf8"), statSync(stored).mode & 0o777]).toEqual([secret, 0o600]);

    writeFileSync(stored, "another");
    expect((await venue(machine, ...restoring)).stdout).toContain("which was not changed");
    expect(readFileSync(stored, "utf8")).toBe("another");
    expect(readdirSync(machine.workingFolder).filter((name) => /^data\.replaced-/.test(name))).toHaveLength(
      2,
    );
  });

  it("copies the key that signs proofs only with --with-secret", async () => {
    const machine = world.copy();
    const file = join(machine.dataFolder, "proof-key.pem");
    const { stdout: key } = await venue(machine, "proof", "key");
    const { keyId } = JSON.parse((await venue(machine, "proof", "key", "--json")).stdout);
    const to = createTarget();
    await venue(machine, "backup", "--to", `${to}-1`);
    await venue(machine, "backup", "--to", `${to}-2`, "--with-secret");
    const { stdout } = await venue(machine, "restore", "--from", `${to}-2`, "--replace");
    expect(stdout).not.toContain("proof");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await venue(machine, "proof", "key")).stdout).toBe(key);

    const restored = await venue(machine, "restore", "--from", `${to}-1`, "--replace");
    expect(restored.stdout).toContain(`lacks the key that signs proofs (${keyId})`);
    expect(existsSync(file)).toBe(false);
    expect((await venue(machine, "proof", "key")).stdout).not.toBe(key);
  });

  it("overwrites neither a backup nor other files", async () => {
    const machine = world.copy();
    const to = createTarget();
    const storage = await openStorage(to);
    const backup = ["backup", "--to", to];
    await storage.put("mine.txt", "mine");
    await expectRefused(machine, backup, "is not empty: it contains mine.txt");
    await storage.delete(["mine.txt"]);
    await storage.put("backup.unfinished", "another-host 2026-11-21T05:30:00Z");
    await expectRefused(machine, backup, "another version of venue-analytics is writing, or that was killed");
    await storage.delete(["backup.unfinished"]);
    await venue(machine, ...backup);
    const made = await listKeys(storage);
    await expectRefused(machine, backup, "already has a backup");
    expect(await listKeys(storage)).toEqual(made);
  });

  it("an interrupted backup leaves nothing, and a killed one is continued", async () => {
    const machine = world.copy();
    const to = createTarget();
    const storage = await openStorage(to);
    const reference = join(machine.dataFolder, "reference");
    const [first = "", second = ""] = ["a", "b"].map((name) => `reference/0-${name}.csv`);
    for (const key of [first, second]) writeFileSync(join(machine.dataFolder, key), key);
    const large = join(reference, "0-large.csv");
    // Large enough to be interrupted meanwhile.
    writeFileSync(large, "");
    truncateSync(large, 300_000_000);
    const endWhileCopying = async (signal: NodeJS.Signals) => {
      const { child, finished } = startVenue(["backup", "--to", to], machine);
      await vi.waitUntil(() => storage.findInfo(second), { timeout: 60_000, interval: 5 });
      expect(child.exitCode).toBeNull();
      child.kill(signal);
      await once(child, "close");
      return await finished;
    };
    expect((await endWhileCopying("SIGINT")).code).toBe(130);
    expect(await listKeys(storage)).toEqual([]);
    if (storage.location.startsWith("/")) expect(existsSync(to)).toBe(false);

    expect((await endWhileCopying("SIGKILL")).signal).toBe("SIGKILL");
    await expectRefused(machine, ["restore", "--from", to, "--replace"], "has no backup.json");
    await expectRefused(world.copy(), ["backup", "--to", to], /data is writing, or that was killed/);
    const kept = await storage.findInfo(first);
    for (const path of [large, join(machine.dataFolder, second)]) rmSync(path);
    await venue(machine, "backup", "--to", to);
    expect(await storage.findInfo(first)).toEqual(kept);
    const files = (await readManifest(storage)).files.map(({ path }) => path);
    expect(await listKeys(storage)).toEqual(["backup.json", ...files].sort());
    await venue(machine, "restore", "--from", to, "--replace");
    expect(await publishedFigures(machine)).toEqual(world.figures);
  });

  itEachSampled(damages, 2)("restores nothing if %s", async ([_label, damage, [code, message]]) => {
    const to = createTarget();
    await venue(world.copy(), "backup", "--to", to);
    await damage(await openStorage(to));
    const machine = world.openEmpty();
    await expectRefused(machine, ["restore", "--from", to], message, code);
    expect(readdirSync(machine.workingFolder)).toEqual([]);
  });
}
