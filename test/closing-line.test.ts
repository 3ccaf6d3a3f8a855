import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createTempFolder } from "./support/temp-folder.ts";

const count = fileURLToPath(new URL("../.ci/count.mjs", import.meta.url));
const tests = (passed: number, failed: number, pending = 0) =>
  JSON.stringify({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: pending,
    numTodoTests: 0,
  });

const all = {
  tests: tests(900, 0),
  status: 0,
  readers: "11 0 0",
  readersStatus: 0,
  trino: tests(30, 0),
  trinoStatus: 0,
};

it.each([
  ["all well", {}, "941 passed, 0 failed", 0],
  ["a failed test", { tests: tests(899, 1), status: 1 }, "940 passed, 1 failed", 1],
  ["types failed, so no test ran", { tests: "", status: 2 }, "41 passed, 1 failed", 1],
  ["tests passed, yet something failed", { status: 1 }, "941 passed, 1 failed", 1],
  ["a reader's test failed", { readers: "10 1 0", readersStatus: 2 }, "940 passed, 1 failed", 1],
  ["the readers broke down", { readers: "", readersStatus: 2 }, "930 passed, 1 failed", 1],
  ["no Python", { tests: tests(900, 0, 2), readers: "0 0 11" }, "930 passed, 0 failed, 13 skipped", 0],
  ["a test on Trino failed", { trino: tests(29, 1), trinoStatus: 2 }, "940 passed, 1 failed", 1],
  ["Trino did not start", { trino: "", trinoStatus: 2 }, "911 passed, 1 failed", 1],
  ["no Java", { trino: tests(0, 0, 30) }, "911 passed, 0 failed, 30 skipped", 0],
])("the closing line, %s", (_name, change, line, exitCode) => {
  const folder = createTempFolder();
  const given = { ...all, ...change };
  const words = [
    [given.tests, given.status],
    [given.readers, given.readersStatus],
    [given.trino, given.trinoStatus],
  ].flatMap(([results, status], index) => {
    const file = join(folder, `results-${index}`);
    if (results) writeFileSync(file, `${results}\n`);
    return [file, String(status)];
  });
  const ended = spawnSync(process.execPath, [count, ...words], { encoding: "utf8" });
  expect(ended.stdout).toBe(`${line}\n`);
  expect(ended.status).toBe(exitCode);
});

it("says in its count that the readers could not be tested", () => {
  const counts = join(createTempFolder(), "counts");
  // A path without python3.
  const { stdout, status } = spawnSync(
    "/bin/bash",
    [fileURLToPath(new URL("readers/run.sh", import.meta.url))],
    {
      encoding: "utf8",
      env: { PATH: createPathWithoutPython(), READERS_RESULTS: counts },
    },
  );
  expect(stdout).toMatch(/^SKIPPED: no python3 here, so the readers are not tested \(\d+ tests\)\.\n$/);
  expect(readFileSync(counts, "utf8")).toMatch(/^0 0 \d\d\n$/);
  expect(status).toBe(0);
});

/** A folder with the few programs that the script needs up to there. */
function createPathWithoutPython(): string {
  const folder = createTempFolder();
  for (const program of ["dirname", "grep", "mktemp", "rm"]) {
    const { stdout } = spawnSync("/bin/sh", ["-c", `command -v ${program}`], { encoding: "utf8" });
    symlinkSync(stdout.trim(), join(folder, program));
  }
  return folder;
}
