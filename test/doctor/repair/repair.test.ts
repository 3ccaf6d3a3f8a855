import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createSpillName } from "../../../src/engines/duckdb/spill-folders.ts";
import { openDataState } from "../../../src/state/data/data-state.ts";
import { deadPid } from "../../support/dead-pid.ts";
import { itEachSampled, itInAll } from "../../support/long-suite.ts";
import { runVenue } from "../../support/run-venue.ts";
import { type Setup, setUp as setUpService } from "../../support/service.ts";
import { tempPrefix } from "../../support/temp-folder.ts";

const small = { days: 2, zones: 2, playScale: 0.1 };

async function setUp(): Promise<Setup & { home: string }> {
  const setup = await setUpService(small);
  return { ...setup, home: join(setup.workingFolder, "home") };
}

/** The data folder after a sync and two builds. */
let ranTwice: Promise<string> | undefined;
afterAll(async () => {
  if (ranTwice) rmSync(await ranTwice, { recursive: true, force: true });
});

const copying = { recursive: true, verbatimSymlinks: true };

/** A copy of a setup after a sync and two builds, which run only once. */
async function setUpAfterRuns(): Promise<Setup> {
  ranTwice ??= runTwice();
  const setup = await setUp();
  cpSync(await ranTwice, setup.dataFolder, copying);
  return setup;
}

async function runTwice(): Promise<string> {
  const setup = await setUp();
  for (const words of [["sync", "history", "devices"], ["build"], ["build", "--full"]])
    expect((await runVenue(words, setup)).code).toBe(0);
  const folder = mkdtempSync(join(tmpdir(), tempPrefix));
  cpSync(setup.dataFolder, folder, copying);
  return folder;
}

/** Actions reported by `venue doctor --repair`, and its findings afterwards. */
async function repair(setup: Setup): Promise<{ code: number | null; done: string[]; failed: string[] }> {
  const { stdout, stderr, code } = await runVenue(["doctor", "--repair", "--json"], setup);
  expect(stderr).not.toContain("bug");
  const { repairs, checks }: { repairs: string[]; checks: { part: string; ok: boolean }[] } =
    JSON.parse(stdout);
  return { code, done: repairs, failed: checks.filter(({ ok }) => !ok).map(({ part }) => part) };
}

itInAll("needs no repairs on a healthy setup, and creates no data folder", async () => {
  const empty = await setUp();
  expect(await repair(empty)).toEqual({ code: 0, done: [], failed: [] });
  expect(existsSync(join(empty.dataFolder, "state.db"))).toBe(false);
  const setup = await setUpAfterRuns();
  // SQLite creates and removes the files next to its database at will.
  const listed = () =>
    readdirSync(setup.dataFolder, { recursive: true, encoding: "utf8" })
      .filter((path) => !/-(wal|shm)$/.test(path))
      .sort();
  const before = listed();
  expect(await repair(setup)).toEqual({ code: 0, done: [], failed: [] });
  expect(listed()).toEqual(before);
  const { stdout } = await runVenue(["doctor", "--repair"], setup);
  expect(stdout).toMatch(/^done {2}no repairs needed/m);
});

describe("VENUE_HOME", () => {
  it("is made private to this user again", async () => {
    const setup = await setUp();
    mkdirSync(setup.home);
    chmodSync(setup.home, 0o755);
    writeFileSync(join(setup.home, "credentials.json"), "{}");
    chmodSync(join(setup.home, "credentials.json"), 0o644);
    const { done, failed } = await repair(setup);
    expect(done).toEqual([
      `made ${setup.home} private to this user (mode 0755 → 0700)`,
      `made ${join(setup.home, "credentials.json")} private to this user (mode 0644 → 0600)`,
    ]);
    expect(failed).toEqual([]);
    expect(statSync(setup.home).mode & 0o777).toBe(0o700);
  });

  it("leaves a shared folder open and reports it", async () => {
    const setup = await setUp();
    mkdirSync(setup.home);
    chmodSync(setup.home, 0o755);
    writeFileSync(join(setup.home, "notes.txt"), "mine");
    const { done, failed } = await repair(setup);
    expect(done).toEqual([]);
    expect(failed).toEqual(["user folder"]);
    expect(statSync(join(setup.home, "notes.txt")).mode & 0o044).toBe(0o044);
  });

  it.each(["credentials.json.unfinished", "credentials.json.7.unfinished", "webhooks.json.7.unfinished"])(
    "the copy of a secret left by a killed restore or run: %s",
    async (name) => {
      const setup = await setUp();
      mkdirSync(setup.home, { mode: 0o700 });
      const copy = join(setup.home, name);
      writeFileSync(copy, "{", { mode: 0o600 });
      const { done } = await repair(setup);
      expect(done).toEqual([`removed ${copy}, left by a killed restore or run`]);
      expect(existsSync(copy)).toBe(false);
    },
  );

  it("files of a killed login: removes an empty one and stores a secret", async () => {
    const setup = await setUp();
    mkdirSync(setup.home, { mode: 0o700 });
    const secret = JSON.stringify({ client_id: "venue-demo", client_secret: "once-only" });
    // In a container this process may have the login's process id.
    const [first, second] = [deadPid(), process.pid].map((pid) =>
      join(setup.home, `credentials.json.${pid}.part`),
    );
    writeFileSync(first as string, " ".repeat(100), { mode: 0o600 });
    writeFileSync(second as string, secret, { mode: 0o600 });
    const alive = join(setup.home, `credentials.json.${process.ppid}.part`);
    writeFileSync(alive, " ", { mode: 0o600 });
    const { done } = await repair(setup);
    expect(done).toHaveLength(2);
    expect(existsSync(first as string)).toBe(false);
    expect(existsSync(alive)).toBe(true);
    expect(readFileSync(join(setup.home, "credentials.json"), "utf8")).toBe(secret);
    // The existing secret is not replaced by a second one.
    writeFileSync(second as string, secret.replace("once-only", "another"), { mode: 0o600 });
    expect((await repair(setup)).done).toEqual([expect.stringMatching(/^kept .*\.part: it may hold/)]);
    expect(readFileSync(join(setup.home, "credentials.json"), "utf8")).toBe(secret);
    expect(existsSync(second as string)).toBe(true);
  });
});

describe("the data folder", () => {
  itInAll("removes leftovers of killed runs, and keeps used or recent files", async () => {
    const setup = await setUpAfterRuns();
    const { dataFolder } = setup;
    const landings = readdirSync(join(dataFolder, "landing"));
    const gone = [
      "landing/export-1-music-00000000-0000-4000-8000-000000000000.jsonl.part",
      "landing/export-1-music-00000000-0000-4000-8000-000000000001.jsonl.tmp",
      "published/.unfinished-v000003/fact_play/x.parquet",
      `reports/plays.html.${deadPid()}.part`,
      `reports/2026-11-01/zones/81001.html.${deadPid()}.part`,
      `reports/latest.${deadPid()}.new`,
      "tmp/load-abcdef/x.jsonl",
    ];
    const spilled = `tmp/${createSpillName()}`;
    const kept = [`reports/plays.html.${process.ppid}.part`, "landing/notes.txt", `${spilled}/x.tmp`];
    for (const path of [...gone, ...kept]) {
      mkdirSync(join(dataFolder, path, ".."), { recursive: true });
      writeFileSync(join(dataFolder, path), "x");
    }
    const long = new Date(Date.now() - 2 * 24 * 3_600_000);
    utimesSync(join(dataFolder, spilled), long, long);
    const { done, failed } = await repair(setup);
    expect(done).toHaveLength(gone.length);
    expect(failed).toEqual([]);
    expect(gone.filter((path) => existsSync(join(dataFolder, path)))).toEqual([]);
    expect(kept.filter((path) => !existsSync(join(dataFolder, path)))).toEqual([]);
    expect(readdirSync(join(dataFolder, "landing"))).toEqual(expect.arrayContaining(landings));
    expect(existsSync(join(dataFolder, "published/.unfinished-v000003"))).toBe(false);
  });

  it("releases the lock of a killed run and closes the run", async () => {
    const setup = await setUp();
    expect((await runVenue(["sync", "devices"], setup)).code).toBe(0);
    leaveRun(setup);
    const { done } = await repair(setup);
    expect(done).toEqual([
      expect.stringMatching(/^closed run \d+ \(venue sync\): its process \d+ was killed/),
    ]);
    const { stdout } = await runVenue(["runs", "--json"], setup);
    expect(stdout).toContain("doctor --repair");
    expect(stdout).not.toContain('"running"');
  });

  it("changes nothing while another run is alive", async () => {
    const setup = await setUp();
    expect((await runVenue(["sync", "devices"], setup)).code).toBe(0);
    const part = join(setup.dataFolder, "landing", "x-00000000-0000-4000-8000-000000000000.jsonl.part");
    writeFileSync(part, "x");
    chmodSync(setup.home, 0o755);
    const state = openDataState(join(setup.dataFolder, "state.db"));
    const end = state.runs.begin("sync");
    const { code, stderr, stdout } = await runVenue(["doctor", "--repair"], setup);
    end({ status: "succeeded", exitCode: 0 });
    state.close();
    expect(stderr).toMatch(/Another run is using this data folder/);
    expect(stdout).toBe("");
    expect(code).toBe(75);
    expect(existsSync(part)).toBe(true);
    expect(statSync(setup.home).mode & 0o777).toBe(0o755);
  });

  itEachSampled(["missing", "dangling"], 1)(
    "points a `current` that is %s at the newest intact version",
    async (how) => {
      const setup = await setUpAfterRuns();
      const published = join(setup.dataFolder, "published");
      const versions = readdirSync(published).filter((name) => /^v\d+$/.test(name));
      const newest = versions.sort().at(-1) as string;
      // A newer version with missing files.
      const broken = join(published, "v000099");
      mkdirSync(broken);
      writeFileSync(join(broken, "manifest.json"), readFileSync(join(published, newest, "manifest.json")));
      rmSync(join(published, "current"));
      if (how === "dangling") spawnSync("ln", ["-s", "v000050", join(published, "current")]);
      const { done, code } = await repair(setup);
      expect(done).toEqual([expect.stringContaining(`pointed ${join(published, "current")} at ${newest}`)]);
      expect(code).toBe(0);
      expect(readlinkSync(join(published, "current"))).toBe(newest);
      expect(existsSync(broken)).toBe(true);
      expect((await runVenue(["report", "plays"], setup)).code).toBe(0);
    },
  );

  it("an unreadable state file is a finding, and stays", async () => {
    const setup = await setUp();
    mkdirSync(setup.dataFolder);
    writeFileSync(join(setup.dataFolder, "state.db"), Buffer.alloc(20_000, "no database"));
    const { done, failed, code } = await repair(setup);
    expect(done).toEqual([]);
    expect(failed).toContain("repair");
    expect(code).toBe(4);
    expect(statSync(join(setup.dataFolder, "state.db")).size).toBe(20_000);
  });
});

/** Leaves a run as a killed process does. */
function leaveRun({ dataFolder }: Setup): void {
  const script =
    'import("./dist/state/data/data-state.js").then(({ openDataState }) => { openDataState(process.argv[1]).runs.begin("sync"); process.kill(process.pid, "SIGKILL"); })';
  spawnSync(process.execPath, ["-e", script, join(dataFolder, "state.db")], {
    cwd: join(import.meta.dirname, "../../.."),
  });
}
