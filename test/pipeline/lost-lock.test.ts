import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { build } from "../../src/pipeline/build.ts";
import { publishBuilt } from "../../src/pipeline/publish.ts";
import { writeReports } from "../../src/pipeline/run.ts";
import { openDataState } from "../../src/state/data/data-state.ts";
import { openSqlite, type Sqlite } from "../../src/state/sqlite.ts";
import { withWarehouse } from "../../src/workspace/workspace.ts";
import { itInAll } from "../support/long-suite.ts";
import { startVenue } from "../support/run-venue.ts";
import { type Setup, setUp } from "../support/service.ts";
import { openWorkspace, syncHere } from "./sync-workspace.ts";

const lost = { code: "RUN_LOCK_LOST" };

/** Takes the lock for another run, as if its holder were an unresponsive process of another host. */
async function takeOver({ dataFolder }: Setup): Promise<void> {
  const path = join(dataFolder, "state.db");
  const database = openSqlite(path, "state/data");
  // A process may have been stopped within a transaction.
  database.run("update run_lock set host = 'elsewhere'");
  database.close();
  const state = openDataState(path);
  state.runs.begin("build", await state.runs.watchForeignRun({ silenceMs: 5, pollMs: 1 }));
  state.close();
}

/**
 * Contents by name, without the extension of unfinished files, because a rename may be in progress when a process
 * is paused. Its file is not recorded, so the next run removes it.
 */
function contentOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name.replace(/\.part$/, ""), readFileSync(join(folder, name), "hex")]),
  );
}

itInAll("commits, publishes and reports nothing once another run has taken over the lock", async () => {
  const setup = await setUp({ days: 2, zones: 1, playScale: 0.1 });
  await syncHere(setup, { topics: ["history"] });
  const workspace = openWorkspace(setup);
  await build(workspace);
  const copy = join(setup.workingFolder, "copy");
  const end = workspace.state.runs.begin("run");
  const work = withWarehouse(workspace, async (warehouse) => {
    await warehouse.transaction(() => warehouse.run("update core.version set version = 'v000002'"));
    await takeOver(setup);
    await warehouse.transaction(() => warehouse.run("update core.version set version = 'v000003'"));
  });
  await expect(work).rejects.toMatchObject(lost);
  const { state, folder } = workspace;
  expect(() => state.zones.markGone("service", 1, new Date())).toThrow(expect.objectContaining(lost));
  expect(() => state.landings.mark("loaded", "a landing")).toThrow(expect.objectContaining(lost));
  expect(() => state.exportJobs.begin("service", "music", 1, new Date())).toThrow(
    expect.objectContaining(lost),
  );
  await expect(publishBuilt(workspace, copy, false)).rejects.toMatchObject(lost);
  expect(existsSync(join(copy, "current"))).toBe(false);
  await expect(writeReports(workspace, {})).rejects.toMatchObject(lost);
  expect(existsSync(join(folder.reports, "latest"))).toBe(false);
  expect(() => end({ status: "succeeded", exitCode: 0 })).toThrow(expect.objectContaining(lost));
  const reader = openWorkspace(setup);
  expect(reader.state.zones.gone("service").size).toBe(0);
  expect(reader.state.runs.list(2).map(({ command, status }) => [command, status])).toEqual([
    ["build", "running"],
    ["run", "interrupted"],
  ]);
  const versions = await withWarehouse(reader, (warehouse) =>
    warehouse.all("select version from core.version"),
  );
  expect(versions).toEqual([{ version: "v000002" }]);
});

it("a process paused while another run took over the lock ends without another write", async () => {
  const setup = await setUp({ days: 4, zones: 2, pageLimit: 20, faults: [{ name: "slow", value: 20 }] });
  const { child, stderr, finished } = startVenue(["sync", "history", "--mode", "walk"], setup);
  await vi.waitFor(() => expect(setup.emulator.requests.length, stderr()).toBeGreaterThan(20), 20_000);
  await pauseOutsideTransaction(
    setup,
    () => child.kill("SIGSTOP"),
    () => child.kill("SIGCONT"),
  );
  await takeOver(setup);
  const state = openSqlite(join(setup.dataFolder, "state.db"), "state/data");
  const written = () => [
    state.all("select * from walk order by walk_id"),
    state.all("select * from landing order by landing_id"),
    state.all("select * from run order by run_id"),
    contentOf(join(setup.dataFolder, "landing")),
  ];
  const before = written();
  child.kill("SIGCONT");
  const { code, stderr: told } = await finished;
  expect(told).toContain("Another run took over the lock");
  expect(code).toBe(75);
  expect(written()).toEqual(before);
  state.close();
});

/**
 * Pauses a process outside transactions of `state.db`, in which nobody could take the lock, and not between
 * opening a landing and writing it, because that write continues with the process.
 */
async function pauseOutsideTransaction(
  { dataFolder }: Setup,
  pause: () => void,
  go: () => void,
): Promise<void> {
  await vi.waitFor(() => {
    pause();
    let database: Sqlite | undefined;
    try {
      const landing = Object.entries(contentOf(join(dataFolder, "landing")));
      expect(landing.filter(([, content]) => content === "")).toEqual([]);
      database = openSqlite(join(dataFolder, "state.db"), "state/data", { busyTimeoutMs: 50 });
      database.immediate(() => undefined);
    } catch (error) {
      go();
      throw error;
    } finally {
      database?.close();
    }
  }, 20_000);
}
