import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { machinesFolder, manifestFile } from "../../lake/layout.ts";
import { listMachines } from "../../lake/machine.ts";
import { syncToDisk } from "../../util/files/durable-files.ts";
import { closestWord } from "../../util/text/words.ts";
import { VenueError } from "../../util/venue-error.ts";
import { translatingFolderErrors } from "../publish-folder-error.ts";
import { listMachineFolders, listMachinesWithFolders, unfinishedFolder } from "./machine-folders.ts";

/** What was removed. */
export interface ForgottenMachine {
  machine: string;
  files: number;
  bytes: number;
}

/**
 * Takes a machine out of a lake: first its manifest, so that nobody looks for its files any more, and then these. What
 * was cut off, a second call completes. Who reads the machine's files meanwhile fails.
 * @throws {UnknownMachineError} when the lake has nothing of it
 */
export async function forgetMachine(lake: string, machine: string): Promise<ForgottenMachine> {
  const machines = [...new Set([...listMachines(lake), ...listMachinesWithFolders(lake)])].sort();
  if (!machines.includes(machine)) throw new UnknownMachineError(lake, machine, machines);
  return await translatingFolderErrors(lake, async () => {
    const removed: ForgottenMachine = { machine, files: 0, bytes: 0 };
    do {
      rmSync(manifestFile(lake, machine), { force: true });
      if (existsSync(machinesFolder(lake))) syncToDisk(machinesFolder(lake));
      for (const folder of listMachineFolders(lake, machine)) removeFolder(join(lake, folder), removed);
      rmSync(unfinishedFolder(lake, machine), { recursive: true, force: true });
      // Of a publish that was under way a manifest may have come that names what is gone.
    } while (existsSync(manifestFile(lake, machine)));
    return removed;
  });
}

function removeFolder(folder: string, removed: ForgottenMachine): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    removed.files += 1;
    removed.bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  rmSync(folder, { recursive: true, force: true });
}

/** A name that a lake does not know. */
export class UnknownMachineError extends VenueError {
  override readonly name = "UnknownMachineError";
  readonly code = "UNKNOWN_MACHINE";
  readonly category = "usage";

  constructor(lake: string, machine: string, machines: readonly string[]) {
    const meant = closestWord(machine, machines);
    const known = machines.length === 0 ? "has no machine at all" : `has ${machines.join(", ")}`;
    super(
      `No machine ${JSON.stringify(machine)} has published into ${lake}: it ${known}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`,
    );
  }
}
