import { existsSync } from "node:fs";
import { join } from "node:path";

/** Returns whether this machine has a program that few tests need. */
export function hasProgram(name: string): boolean {
  return (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, name)));
}
