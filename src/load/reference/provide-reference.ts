import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { DataFolder } from "../../config/data-folder.ts";
import { packageRoot } from "../../util/files/package-files.ts";

/** Puts the reference files' examples, which say nothing yet, into a data folder that has none. */
export function provideReference({ reference }: DataFolder): void {
  if (!existsSync(reference)) cpSync(join(packageRoot, "data", "reference"), reference, { recursive: true });
}
