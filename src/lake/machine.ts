import { createHash } from "node:crypto";
import { VenueError } from "../util/venue-error.ts";

/** Columns whose numbers a warehouse gives out itself, from 1 on. In the lake they are unique over machines. */
const ownIds = new Set(["load_id", "first_load_id", "last_load_id", "snapshot_id", "rule_id"]);

/** Whether the lake adds the machine's `firstIdOf` to the values of a column. */
export function isOwnId(column: string): boolean {
  return ownIds.has(column);
}

/** @throws {MachineNameError} when the name can't be part of a path */
export function checkMachineName(name: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) throw new MachineNameError(name);
}

/** 20 bits. Names that differ in case alone have the same: not every file system tells them apart. */
export function machineNumber(name: string): number {
  return Number.parseInt(createHash("sha256").update(name.toLowerCase()).digest("hex").slice(0, 5), 16);
}

/** What a machine's own ids begin at in the lake; they stay below 2^53. */
export function firstIdOf(name: string): number {
  return machineNumber(name) * 2 ** 32;
}

/** A machine's name that can't be part of a path. */
export class MachineNameError extends VenueError {
  override readonly name = "MachineNameError";
  readonly code = "MACHINE_NAME_INVALID";
  readonly category = "usage";

  constructor(machine: string) {
    super(
      `The machine's name is ${JSON.stringify(machine)}. It takes up to 64 letters, digits, - and _, the first a letter or digit.`,
    );
  }
}
