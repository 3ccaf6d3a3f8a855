import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of `prometheus` and `promtool`; `undefined` if unavailable: all tests are skipped. */
    prometheus: string | undefined;
  }
}

/** Unpacks Debian's package the first time, and keeps it in the user's cache folder (80 MB). */
export default function setup(project: TestProject): void {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "venue-analytics-test");
  const target = join(cache, "prometheus");
  mkdirSync(cache, { recursive: true });
  const problem = existsSync(target) ? undefined : unpack(cache, target);
  if (problem) process.stdout.write(`SKIPPED: ${problem}, so Prometheus is not tested.\n`);
  project.provide("prometheus", problem ? undefined : join(target, "usr", "bin"));
}

/** @returns why it is not available */
function unpack(cache: string, target: string): string | undefined {
  const own = mkdtempSync(join(cache, "unpack-"));
  const run = (program: string, ...words: string[]) =>
    execFileSync(program, words, { cwd: own, stdio: ["ignore", "ignore", "pipe"] });
  try {
    run("apt-get", "download", "prometheus");
    const [file = ""] = readdirSync(own);
    run("dpkg-deb", "--extract", file, "root");
    renameSync(join(own, "root"), target);
    return undefined;
  } catch (error) {
    const [why] = (error as Error).message.split("\n").slice(-2);
    // Another process may have been faster.
    return existsSync(target) ? undefined : `Debian's package prometheus can't be fetched (${why})`;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}
