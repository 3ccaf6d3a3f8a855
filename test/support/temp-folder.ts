import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Prefix of all tests' folders. */
export const tempPrefix = "venue-analytics-test-";

/** A new folder that is removed when the test ends. */
export function createTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), tempPrefix));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
