import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Compiles the program once, and gives all tests, and what they start, one folder for temporary things: what is left in
 * it at the end fails the run.
 */
export default function setup(): () => void {
  execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
  const root = mkdtempSync(join(tmpdir(), "venue-analytics-tests-"));
  process.env.TMPDIR = root;
  return () => {
    const left = readdirSync(root);
    rmSync(root, { recursive: true, force: true });
    if (left.length === 0) return;
    // An error after the last test is told, but does not fail the run by itself.
    process.exitCode = 1;
    throw new Error(`Tests left behind: ${left.join(", ")}`);
  };
}
