import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openWarehouse } from "../../src/workspace/warehouse.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** An empty warehouse with its schema, only to be copied. */
    emptyWarehouse: string;
    /** Results of one test that others read: see `shared-folder.ts`. */
    sharedFolder: string;
  }
}

// As in `long-suite.ts`, which only tests can import.
const isSoak = process.env.TESTS === "soak";

/**
 * Compiles the program once, creates the warehouse that tests copy, and sets one temporary folder for all
 * tests and their processes; leftovers fail the run.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  // Mutants exist only in the sources: `make mutants`.
  if (!process.env.MUTANTS) execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
  const folder = temporaryFolder();
  const root = mkdtempSync(join(folder, "venue-analytics-tests-"));
  const shared = mkdtempSync(join(folder, "venue-analytics-shared-"));
  project.provide("emptyWarehouse", await createEmptyWarehouse(shared));
  project.provide("sharedFolder", shared);
  process.env.TMPDIR = root;
  // If Node supports it (22.1 and later), npm caches compiled code in TMPDIR.
  process.env.NODE_DISABLE_COMPILE_CACHE = "1";
  if (process.env.TESTS !== "all" && !isSoak) {
    process.stdout.write(
      "Long suites (seeds, kills, orders, daily syncs) run in part: whole cases are counted as skipped, and some tests go fewer rounds. More: make test-all; all, for hours: make soak\n",
    );
  }
  return () => {
    const left = readdirSync(root);
    for (const folder of [root, shared]) rmSync(folder, { recursive: true, force: true });
    if (left.length === 0) return;
    // An error after the last test is printed, but does not fail the run by itself.
    process.exitCode = 1;
    throw new Error(`Tests left behind: ${left.join(", ")}`);
  };
}

/** Linux's folder in memory if it has room: a tenth faster. Runs of hours use a disk. */
function temporaryFolder(): string {
  const inMemory = "/dev/shm";
  if (isSoak || !existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize >= 2 * 1024 ** 3 ? inMemory : tmpdir();
}

async function createEmptyWarehouse(folder: string): Promise<string> {
  const path = join(folder, "warehouse.duckdb");
  (await openWarehouse({ path })).close();
  return path;
}
