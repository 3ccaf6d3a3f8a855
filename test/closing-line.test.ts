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

it.each([
  ["all well", tests(900, 0), 0, "11 0 0", 0, "911 passed, 0 failed", 0],
  ["a failed test", tests(899, 1), 1, "11 0 0", 0, "910 passed, 1 failed", 1],
  ["types failed, so no test ran", "", 2, "11 0 0", 0, "11 passed, 1 failed", 1],
  ["tests passed, yet something failed", tests(900, 0), 1, "11 0 0", 0, "911 passed, 1 failed", 1],
  ["a reader's test failed", tests(900, 0), 0, "10 1 0", 2, "910 passed, 1 failed", 1],
  ["the readers broke down", tests(900, 0), 0, "", 2, "900 passed, 1 failed", 1],
  ["no Python", tests(900, 0, 2), 0, "0 0 11", 0, "900 passed, 0 failed, 13 skipped", 0],
])("the closing line, %s", (_name, results, status, readers, readersStatus, line, exitCode) => {
  const folder = createTempFolder();
  const [testsFile, readersFile] = [join(folder, "tests.json"), join(folder, "readers")];
  if (results) writeFileSync(testsFile, results);
  if (readers) writeFileSync(readersFile, `${readers}\n`);
  const words = [count, testsFile, String(status), readersFile, String(readersStatus)];
  const ended = spawnSync(process.execPath, words, { encoding: "utf8" });
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
