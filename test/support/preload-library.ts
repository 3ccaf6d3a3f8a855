import { execFileSync } from "node:child_process";
import { basename, join } from "node:path";
import { hasProgram } from "./has-program.ts";
import { shareFolder } from "./shared-folder.ts";

/** True if a library can be compiled and preloaded here, to simulate another system (only on Linux). */
export const canPreload = process.platform === "linux" && hasProgram("cc");

/** Compiles a library for LD_PRELOAD, once per run. @param source path of a C file */
export async function preloadLibrary(source: string): Promise<string> {
  const name = basename(source, ".c");
  const folder = await shareFolder(name, async (made) => {
    const library = join(made, `${name}.so`);
    execFileSync("cc", ["-shared", "-fPIC", "-O1", "-w", "-o", library, source, "-ldl"]);
  });
  return join(folder, `${name}.so`);
}
