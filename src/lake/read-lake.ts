import { checkFiles } from "./check-files.ts";
import { LakeEmptyError } from "./lake-errors.ts";
import { type MachineManifest, readManifests } from "./machine-manifest.ts";

/**
 * What each machine has published as of now, with proof that the files are there.
 * @throws {LakeEmptyError} when no machine has published yet
 * @throws {LakeDamagedError} when a file that a manifest names is missing, or has another size
 * @throws as `readManifests` does
 */
export function readLake(lake: string): MachineManifest[] {
  const machines = readManifests(lake);
  if (machines.length === 0) throw new LakeEmptyError(lake);
  checkFiles(lake, machines);
  return machines;
}
