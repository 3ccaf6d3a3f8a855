// Runs the demo and a sample of the tests on other versions of Node.js, which npm fetches.
// NODES_RESULTS names a file for the counts: passed, failed, skipped.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** Newer ones than the oldest, which `make test` runs on. */
const versions = ["22.23.5", "24.22.3", "26.12.1"];
/** Tests of what differs between versions: HTTP, files, processes, native libraries. */
const sample = ["test/util", "test/state", "test/engines", "test/emulator", "test/api/transport"];
/** Waits for the rate limit most of the time. */
const notInSample = "test/api/transport/budget.test.ts";

const root = new URL("../..", import.meta.url).pathname;
const results = { passed: 0, failed: 0, skipped: 0 };

/** @returns the program's folder, or undefined if npm, which caches what it fetched, can't */
function fetchNode(version, folder) {
  try {
    const pack = ["pack", `node-linux-${process.arch}@${version}`, "--silent"];
    const file = execFileSync("npm", pack, {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    execFileSync("tar", ["-xzf", file.trim()], { cwd: folder });
    return join(folder, "package", "bin");
  } catch {
    return undefined;
  }
}

/** Runs the demo, then the sample. */
function runOn(version, folder) {
  const bin = fetchNode(version, folder);
  if (bin === undefined) {
    print(
      `SKIPPED: npm can't fetch Node.js ${version}, so neither the demo nor a sample of the tests runs on it.`,
    );
    return count({ skipped: 1 });
  }
  const run = (words, settings) => {
    const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter), ...settings };
    const { status, stdout, stderr } = spawnSync(join(bin, "node"), words, {
      cwd: root,
      env,
      encoding: "utf8",
    });
    if (status !== 0) print(`${words.join(" ")}\n${stdout.slice(-20_000)}\n${stderr.slice(-20_000)}`);
    return status === 0;
  };
  const isShown = run(["dist/main.js", "demo", "--data-dir", join(folder, "data")], {
    VENUE_HOME: join(folder, "home"),
  });
  count(isShown ? { passed: 1 } : { failed: 1 });
  const file = join(folder, "tests.json");
  const isTested = run(
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--config",
      "test/vitest.config.ts",
      "--exclude",
      notInSample,
      ...sample,
    ],
    {
      TEST_RESULTS: file,
    },
  );
  const tests = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const { numPassedTests: passed = 0, numFailedTests: failed = 0, numPendingTests: skipped = 0 } = tests;
  count({ passed, failed: failed || (isTested ? 0 : 1), skipped });
  print(`Node.js ${version}: demo ${isShown ? "ok" : "failed"}; tests: ${passed} passed, ${failed} failed`);
}

function count(counts) {
  for (const [name, number] of Object.entries(counts)) results[name] += number;
}

function print(text) {
  process.stdout.write(`${text}\n`);
}

for (const version of versions) {
  const folder = mkdtempSync(join(tmpdir(), "venue-analytics-nodes-"));
  // Some tests start the program as another user.
  chmodSync(folder, 0o755);
  try {
    runOn(version, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
const { passed, failed, skipped } = results;
print(`${passed} passed, ${failed} failed, ${skipped} skipped`);
if (process.env.NODES_RESULTS) writeFileSync(process.env.NODES_RESULTS, `${passed} ${failed} ${skipped}\n`);
process.exitCode = failed > 0 ? 1 : 0;
