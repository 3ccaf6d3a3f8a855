import { statSync } from "node:fs";
import { join } from "node:path";
import { LakeDamagedError } from "./lake-errors.ts";
import type { MachineManifest } from "./machine-manifest.ts";

/**
 * Proves, by their sizes alone, that the files are there which manifests name.
 * @throws {LakeDamagedError} naming the first that is not
 */
export function checkFiles(lake: string, machines: readonly MachineManifest[]): void {
  for (const { name, tables } of machines) {
    for (const { path, bytes } of Object.values(tables).flatMap(({ files }) => files)) {
      const file = join(lake, path);
      const found = statSync(file, { throwIfNoEntry: false });
      if (!found) throw new LakeDamagedError(name, `${file} is missing`);
      if (found.size !== bytes) {
        throw new LakeDamagedError(name, `${file} has ${found.size} bytes, not ${bytes}`);
      }
    }
  }
}
