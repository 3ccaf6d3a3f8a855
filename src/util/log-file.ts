import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";

const maxBytes = 10_000_000;

/** Number of older files. The name of the newest ends with `.1`. */
const olderFiles = 5;

/**
 * Returns a function that appends lines to a file. Several processes may append at once. A full file is renamed
 * first, and the oldest file removed.
 * @param mode permissions of new files.
 * @default the process's default
 * @throws {NodeJS.ErrnoException} if the file can't be written
 */
export function createLogFile(path: string, { mode }: { mode?: number } = {}): (line: string) => void {
  mkdirSync(dirname(path), { recursive: true });
  return (line) => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size + Buffer.byteLength(line) > maxBytes) rotate(path);
    appendFileSync(path, line, mode === undefined ? {} : { mode });
  };
}

/** Lists the existing files of a log, newest first. */
export function listLogFiles(path: string): string[] {
  const older = Array.from({ length: olderFiles }, (_, index) => `${path}.${index + 1}`);
  return [path, ...older].filter((file) => existsSync(file));
}

function rotate(path: string): void {
  for (let age = olderFiles - 1; age >= 0; age--) {
    try {
      renameSync(age === 0 ? path : `${path}.${age}`, `${path}.${age + 1}`);
    } catch (error) {
      // Another process has just renamed the file, or there are fewer files.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}
