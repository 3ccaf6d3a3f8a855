import { readdirSync, readlinkSync, realpathSync } from "node:fs";
import { sep } from "node:path";

/** Paths of files below a folder that this process has open; other tests' files may be closed at any time. */
export function openFilesBelow(folder: string): string[] {
  const beginning = `${realpathSync(folder)}${sep}`;
  return readdirSync("/proc/self/fd")
    .map((descriptor) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`);
      } catch {
        return ""; // Closed since the folder was listed.
      }
    })
    .filter((path) => path.startsWith(beginning));
}
