import { LakeDamagedError } from "../lake/lake-errors.ts";
import { manifestFile } from "../lake/layout.ts";
import { listMachinesWithFolders } from "../publish/lake/machine-folders.ts";

/**
 * Whoever takes a machine out of a lake takes its files, too: where these are there, its manifest is lost.
 * @param gone machines that the lake had, and of which it has no manifest now
 * @throws {LakeDamagedError} naming the first whose manifest is lost
 */
export function refuseLostManifests(lake: string, gone: readonly string[]): void {
  const withFolders = gone.length > 0 ? listMachinesWithFolders(lake) : [];
  const lost = gone.find((machine) => withFolders.includes(machine));
  if (lost !== undefined) throw new LakeDamagedError(lost, `${manifestFile(lake, lost)} is missing`);
}
