import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** What every folder of a test is named by. */
export const tempPrefix = "venue-analytics-test-";

/** A fresh folder that is gone when the test has ended. */
export function createTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), tempPrefix));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
