import { existsSync } from "node:fs";
import { join } from "node:path";

/** Returns true if this machine has a program that only a few tests need. */
export function hasProgram(name: string): boolean {
  return (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, name)));
}
