import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openDataState } from "../../../src/state/data/data-state.ts";
import { RunLockedError } from "../../../src/state/data/run-lock.ts";
import type { UnfinishedWork } from "../../../src/state/data/runs.ts";
import { openSqlite } from "../../../src/state/sqlite.ts";
import { readSql } from "../../../src/util/files/package-files.ts";
import { isProcessAlive } from "../../../src/util/process-liveness.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

const holder = new URL("hold-lock.child.mjs", import.meta.url).pathname;

it("admits one run at a time and names the lock's holder", () => {
  const state = openDataState(join(createTempFolder(), "state.db"));
  const end = state.runs.begin("sync history");
  expect(() => state.runs.begin("build")).toThrow(RunLockedError);
  expect(() => state.runs.begin("build")).toThrow(new RegExp(`venue sync history.*process ${process.pid}`));
  end({ status: "succeeded", exitCode: 0, note: "done", summary: { rows: 1 } });
  state.runs.begin("build")({ status: "failed", exitCode: 3 });
  expect(
    state.runs
      .list(10)
      .map(({ command, status, exit_code, summary }) => [command, status, exit_code, summary]),
  ).toEqual([
    ["build", "failed", 3, null],
    ["sync history", "succeeded", 0, '{"rows":1}'],
  ]);
  state.close();
});

it("takes over a killed run's lock and closes that run", async () => {
  const path = join(createTempFolder(), "state.db");
  const child = spawn(process.execPath, [holder, path], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const state = openDataState(path);
  expect(() => state.runs.begin("build")).toThrow(new RegExp(`process ${child.pid}`));
  child.kill("SIGKILL");
  await once(child, "exit");
  state.runs.begin("build")({ status: "succeeded", exitCode: 0 });
  expect(state.runs.list(10).map(({ command, status, note }) => [command, status, note])).toEqual([
    ["build", "succeeded", null],
    ["sync", "interrupted", "killed"],
  ]);
  state.close();
});

// Other systems do not reveal whether a process is alive.
it.runIf(process.platform === "linux")(
  "takes over the lock of a killed run that its parent has not reaped",
  async () => {
    const path = join(createTempFolder(), "state.db");
    // The shell becomes a program unaware of its child, like the first process of some containers.
    const script = '"$@" & exec sleep 600';
    const parent = spawn("sh", ["-c", script, "sh", process.execPath, holder, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void parent.kill("SIGKILL"));
    await once(parent.stdout, "data");
    const state = openDataState(path);
    const [run] = state.runs.list(1);
    expect(() => state.runs.begin("build")).toThrow(new RegExp(`process ${run?.pid}`));
    process.kill(run?.pid ?? 0, "SIGKILL");
    await vi.waitFor(() => state.runs.begin("build")({ status: "succeeded", exitCode: 0 }));
    // The process still exists.
    expect(process.kill(run?.pid ?? 0, 0)).toBe(true);
    expect(isProcessAlive(run?.pid ?? 0)).toBe(false);
    state.close();
  },
);

/** A data folder locked by a run on another host, with its last heartbeat. */
function lockedElsewhere(beatAt: string) {
  const path = join(createTempFolder(), "state.db");
  const held = openDataState(path);
  held.runs.begin("run");
  held.close();
  const database = openSqlite(path, "state/data");
  database.run("update run_lock set host = 'container-of-yesterday', beat_at = ?", [beatAt]);
  const state = openDataState(path);
  onTestFinished(() => {
    database.close();
    state.close();
  });
  const beat = (at: string) => database.run("update run_lock set beat_at = ?", [at]);
  return { state, beat };
}

const beats = [
  ["a synchronised clock", new Date().toISOString()],
  ["a clock that is a year behind", new Date(Date.now() - 365 * 86_400_000).toISOString()],
  ["a clock that is a year ahead", new Date(Date.now() + 365 * 86_400_000).toISOString()],
] as const;

describe.each(beats)("a holder on another host with %s", (_label, beatAt) => {
  it("is not considered dead before it was watched", () => {
    expect(() => lockedElsewhere(beatAt).state.runs.begin("run")).toThrow(RunLockedError);
  });

  it("is considered dead without a heartbeat", async () => {
    const { state } = lockedElsewhere(beatAt);
    const messages: string[] = [];
    const onWait = (message: string) => messages.push(message);
    const silent = await state.runs.watchForeignRun({ silenceMs: 50, pollMs: 1, onWait });
    expect(messages).toEqual([
      expect.stringMatching(/^`venue run`, process \d+ on container-of-yesterday, holds the lock/),
    ]);
    state.runs.begin("run", silent)({ status: "succeeded", exitCode: 0 });
    expect(state.runs.list(2).map(({ status }) => status)).toEqual(["succeeded", "interrupted"]);
  });

  it("is alive after a heartbeat, whatever its timestamp", async () => {
    const { state, beat } = lockedElsewhere(beatAt);
    const watching = state.runs.watchForeignRun({ silenceMs: 60_000, pollMs: 1 });
    beat("2001-01-01T00:00:00.000Z");
    await expect(watching).rejects.toThrow(RunLockedError);
  });

  it("is alive if it sends a heartbeat after the watch", async () => {
    const { state, beat } = lockedElsewhere(beatAt);
    const silent = await state.runs.watchForeignRun({ silenceMs: 5, pollMs: 1 });
    beat("2001-01-01T00:00:00.000Z");
    expect(() => state.runs.begin("run", silent)).toThrow(RunLockedError);
  });
});

it("watches a holder in another container with the same host name", async () => {
  const path = join(createTempFolder(), "state.db");
  const state = openDataState(path);
  state.runs.begin("run");
  const database = openSqlite(path, "state/data");
  database.run("update run_lock set pid = 1, process_started = '1 12 another-space'");
  expect(() => state.runs.begin("run")).toThrow(RunLockedError);
  const silent = await state.runs.watchForeignRun({ silenceMs: 50, pollMs: 1 });
  expect(silent).toBeDefined();
  state.runs.begin("run", silent);
  database.close();
  state.close();
});

it("watches nothing if the lock is free or held on this host", async () => {
  const state = openDataState(join(createTempFolder(), "state.db"));
  expect(await state.runs.watchForeignRun()).toBeUndefined();
  state.runs.begin("run");
  expect(await state.runs.watchForeignRun()).toBeUndefined();
  state.close();
});

const failed = { subject: "music export of group 999", value: "failed", note: "no such group" };
const incomplete = { subject: "music walk of zone 7", value: "incomplete", note: "its pages kept changing" };
const stopped = {
  subject: "the last sync",
  value: "stopped",
  note: "its time was over; the next one goes on",
};

it("lists the unfinished work of the last collecting run", () => {
  const state = openDataState(join(createTempFolder(), "state.db"));
  expect(state.runs.findUnfinished()).toEqual([]);
  state.runs.begin("sync music")({ status: "failed", exitCode: 3, unfinished: [failed] });
  state.runs.begin("build")({ status: "succeeded", exitCode: 0 });
  expect(state.runs.findUnfinished()).toEqual([failed]);
  state.runs.begin("run --accept-loss")({ status: "succeeded", exitCode: 0, unfinished: [] });
  expect(state.runs.findUnfinished()).toEqual([]);
  state.runs.begin("sync")({ status: "failed", exitCode: 1, note: "the disk is full" });
  const subject = "run 4 (sync)";
  expect(state.runs.findUnfinished()).toEqual([{ subject, value: "failed", note: "the disk is full" }]);
  const end = state.runs.begin("run");
  expect(state.runs.findUnfinished()).toEqual([
    { subject: "run 5 (run)", value: "running", note: "it has not ended yet" },
  ]);
  end({ status: "succeeded", exitCode: 0, unfinished: [incomplete, stopped] });
  expect(state.runs.findUnfinished()).toEqual([incomplete, stopped]);
  state.close();
});

it("replaces unfinished work only of the topics that a later run collected", () => {
  const state = openDataState(join(createTempFolder(), "state.db"));
  const history = { topic: "history", ...failed };
  const devices = { topic: "devices", subject: "devices of group 7", value: "failed", note: "503" };
  const campaigns = { topic: "campaigns", subject: "the last sync of campaigns", value: "stopped", note: "" };
  const end = (command: string, unfinished: UnfinishedWork[]) =>
    state.runs.begin(command)({ status: "failed", exitCode: 3, unfinished });
  end("run", [history, devices, campaigns]);
  expect(state.runs.findUnfinished()).toEqual([history, devices, campaigns]);
  end("sync devices", []);
  expect(state.runs.findUnfinished()).toEqual([history, campaigns]);
  end("sync devices", [devices]);
  expect(state.runs.findUnfinished()).toEqual([devices, history, campaigns]);
  state.runs.begin("sync devices status")({ status: "failed", exitCode: 2, note: "the disk is full" });
  const whole = { subject: "run 4 (sync devices status)", value: "failed", note: "the disk is full" };
  expect(state.runs.findUnfinished()).toEqual([whole, history, campaigns]);
  end("sync history", []);
  end("sync devices status", []);
  expect(state.runs.findUnfinished()).toEqual([campaigns]);
  end("run --accept-loss", []);
  expect(state.runs.findUnfinished()).toEqual([]);
  state.close();
});

it("keeps only the newest few megabytes of run summaries", () => {
  const path = join(createTempFolder(), "state.db");
  const state = openDataState(path);
  const end = (summary: string) =>
    state.runs.begin("sync")({ status: "failed", exitCode: 3, note: "ended", summary, unfinished: [failed] });
  for (let run = 0; run < 12; run += 1) end("x".repeat(3_000_000));
  const kept = state.runs.list(20).map(({ summary }) => summary !== null);
  expect(kept).toEqual([true, true, true, ...kept.slice(3).fill(false)]);
  expect(state.runs.list(20).every(({ note }) => note === "ended")).toBe(true);
  expect(state.runs.findUnfinished()).toEqual([failed]);
  end("y".repeat(11_000_000));
  expect(state.runs.list(2).map(({ summary }) => summary?.length)).toEqual([11_000_002, undefined]);
  state.close();
  expect(statSync(path).size).toBeLessThan(25_000_000);
});

/** Upgrades the runs of a `state.db` of version 0.2. */
function takeOver(runs: readonly [command: string, summary: string][]) {
  const path = join(createTempFolder(), "state.db");
  const before = new Database(path);
  before.exec(readSql("state/data/0006_state.sql"));
  before.exec("create table migration (name text primary key, sha256 text not null) strict");
  before.exec("insert into migration values ('0006_unfinished_work.sql', 'x')");
  const insert = before.prepare(
    `insert into run (command, status, started_at, pid, host, summary)
    values (?, 'failed', '2026-11-01T05:00:00.000Z', 1, 'here', ?)`,
  );
  for (const run of runs) insert.run(run);
  before.close();
  return openDataState(path);
}

it("reports damage if stored JSON is no longer valid", () => {
  const path = join(createTempFolder(), "state.db");
  const state = openDataState(path);
  state.runs.begin("sync")({ status: "succeeded", exitCode: 0, summary: {}, unfinished: [] });
  const database = openSqlite(path, "state/data");
  database.run("update run set unfinished = '['");
  database.close();
  expect(() => state.runs.findUnfinished()).toThrow(expect.objectContaining({ code: "SQLITE_DAMAGED" }));
  state.close();
});

it.each([
  ["of a run", "update run set note = cast(x'41ff' as text)"],
  ["whose migrations ran", "update migration set name = name || cast(x'c3' as text)"],
  ["after a NUL", "update run set note = cast(x'4100ff' as text)"],
])("reports damage if text %s is not UTF-8, before the library reads it", (_label, change) => {
  const path = join(createTempFolder(), "state.db");
  const state = openDataState(path);
  state.runs.begin("sync")({ status: "succeeded", exitCode: 0, note: "Größe: 5 €", summary: {} });
  state.close();
  openDataState(path).close();
  const database = openSqlite(path, "state/data");
  database.run(change);
  database.close();
  expect(() => openDataState(path)).toThrow(expect.objectContaining({ code: "SQLITE_DAMAGED" }));
});

it("reports damage if an index differs from its table", () => {
  const path = join(createTempFolder(), "state.db");
  openDataState(path).close();
  const database = openSqlite(path, "state/data");
  database.all("pragma wal_checkpoint(truncate)");
  database.close();
  const file = readFileSync(path);
  // The table's row, and the entry of its index.
  const name = Buffer.from("0006_state.sql");
  const places = [file.indexOf(name), file.lastIndexOf(name)];
  expect(places[0]).not.toBe(places[1]);
  for (const place of places) {
    const changed = Buffer.from(file);
    changed[place + 4] = 0xff;
    writeFileSync(path, changed);
    expect(() => openDataState(path)).toThrow(expect.objectContaining({ code: "SQLITE_DAMAGED" }));
  }
});

it("a reader does not compare indexes with their tables", () => {
  const path = join(createTempFolder(), "state.db");
  const state = openDataState(path);
  const writtenAt = new Date("2026-11-21T05:30:00Z");
  state.outbox.put({ id: "1", recipient: "webhook:ops", content: "{}", writtenAt });
  state.finish();
  state.close();
  const file = readFileSync(path);
  // An entry of the index, which has these columns side by side.
  const place = file.lastIndexOf("waiting2026-11-21");
  expect(place).toBeGreaterThan(0);
  file[place + "waiting".length] = "3".charCodeAt(0);
  writeFileSync(path, file);
  expect(() => openDataState(path)).toThrow(expect.objectContaining({ code: "SQLITE_DAMAGED" }));
  openDataState(path, { isReader: true }).close();
});

it("returns the number of status API requests of the last run", () => {
  const state = openDataState(join(createTempFolder(), "state.db"));
  const end = (command: string, statusRequests?: number) =>
    state.runs.begin(command)({
      status: "succeeded",
      exitCode: 0,
      ...(statusRequests !== undefined && { statusRequests }),
    });
  expect(state.runs.findStatusRequests()).toBeUndefined();
  end("sync", 5);
  end("sync history", 0);
  end("build");
  expect(state.runs.findStatusRequests()).toBe(5);
  end("run", 7);
  expect(state.runs.findStatusRequests()).toBe(7);
  state.close();
});

it.each([
  [
    "a sync",
    [
      ["sync", '{"requests":9,"status_requests":5}'],
      ["sync history", '{"status_requests":0}'],
      ["build", "{}"],
    ],
    5,
  ],
  [
    "a run",
    [
      ["sync", '{"status_requests":5}'],
      ["run", '{"sync":{"status_requests":7}}'],
    ],
    7,
  ],
  ["a version that did not count them", [["run", '{"sync":{}}']], undefined],
  [
    "a run whose summary is damaged",
    [
      ["sync", '{"status_requests":5}'],
      ["run", "{"],
    ],
    5,
  ],
] as const)("migrates the number of status API requests of %s", (_label, runs, requests) => {
  const state = takeOver(runs.map(([command, summary]) => [command, summary]));
  expect(state.runs.findStatusRequests()).toBe(requests);
  state.close();
});
