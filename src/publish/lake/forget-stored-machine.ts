import { listStoredFiles, listStoredMachines, machineOf, manifestKey } from "../../lake/stored-lake.ts";
import type { Storage } from "../../storage/storage.ts";
import { type ForgottenMachine, unknownMachineError } from "./machine-folders.ts";

/**
 * Removes a machine from a lake in a store, as `forgetMachine` does in a folder.
 * @throws {VenueError} `UNKNOWN_MACHINE` if the lake has nothing from this machine
 */
export async function forgetStoredMachine(storage: Storage, machine: string): Promise<ForgottenMachine> {
  const withFiles = [...(await listStoredFiles(storage)).keys()].flatMap((key) => machineOf(key) ?? []);
  const machines = [...new Set([...(await listStoredMachines(storage)), ...withFiles])].sort();
  if (!machines.includes(machine)) throw unknownMachineError(storage.location, machine, machines);
  const removed: ForgottenMachine = { machine, files: 0, bytes: 0 };
  do {
    await storage.delete([manifestKey(machine)]);
    const files = [...(await listStoredFiles(storage, machine)).values()];
    await storage.delete(files.map(({ key }) => key));
    removed.files += files.length;
    removed.bytes += files.reduce((sum, { bytes }) => sum + bytes, 0);
    // Repeats, because a concurrent publish may have written a manifest that names removed files.
  } while ((await storage.findInfo(manifestKey(machine))) !== undefined);
  return removed;
}
