import { rmSync, statSync, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "../config/config-error.ts";
import { DataFolder, prepareHome } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import { clientFileName } from "../state/client/client-state.ts";

const roomyBytes = 2 * 1024 ** 3;
const leastBytes = 100 * 1024 ** 2;

/** That it can be written to is seen by writing. */
export async function checkDataFolder(settings: Settings): Promise<string> {
  const { root, temp } = new DataFolder(settings.get("VENUE_DATA_DIR")).prepare();
  tryToWrite("VENUE_DATA_DIR", temp);
  const { bavail, bsize } = await statfs(root);
  const free = bavail * bsize;
  const size = `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  if (free < leastBytes) {
    throw new ConfigError(
      "VENUE_DATA_DIR",
      `${root} has only ${size}. Make room, or set VENUE_DATA_DIR to a folder on another disk.`,
    );
  }
  return `${root} is writable, ${size}${free < roomyBytes ? ": a whole history may not fit" : ""}`;
}

export function checkHome(settings: Settings): string {
  const home = prepareHome(settings.get("VENUE_HOME"));
  tryToWrite("VENUE_HOME", home);
  const names = ["", "credentials.json", ...["", "-wal", "-shm"].map((end) => `${clientFileName}${end}`)];
  const isOpen = (path: string) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
  const open = names.map((name) => join(home, name)).filter(isOpen);
  if (open.length > 0) {
    throw new ConfigError(
      "VENUE_HOME",
      `Other users of this machine can use ${open.join(", ")}. Run chmod go-rwx ${open.join(" ")}`,
    );
  }
  return `${home} is writable, and this user's alone`;
}

function tryToWrite(variable: "VENUE_DATA_DIR" | "VENUE_HOME", folder: string): void {
  const file = join(folder, `.doctor-${process.pid}`);
  try {
    writeFileSync(file, "x", { mode: 0o600 });
  } catch (cause) {
    throw new ConfigError(
      variable,
      `${folder} can't be written to: ${(cause as Error).message}. Make it writable, or set ${variable} to another one.`,
      { cause },
    );
  } finally {
    rmSync(file, { force: true });
  }
}
