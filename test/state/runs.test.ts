import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openDataState } from "../../src/state/data-state.ts";
import { RunLockedError } from "../../src/state/run-lock.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const holder = new URL("hold-lock.child.mjs", import.meta.url).pathname;

it("lets one run at a time in, and says who holds the lock", () => {
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

it("takes the lock over from a run that was killed, and closes that run", async () => {
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
