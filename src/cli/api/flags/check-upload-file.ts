import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";

/** What is wrong with a file that is to be sent; `undefined` when nothing is. */
export function checkUploadFile(file: string, workingFolder: string): string | undefined {
  const path = resolve(workingFolder, file);
  try {
    const facts = statSync(path);
    if (!facts.isFile()) return `--file ${path} is no file`;
    accessSync(path, constants.R_OK);
    return facts.size > 0 ? undefined : `--file ${path} is empty`;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    return isMissing ? `--file ${path} does not exist` : `--file ${path} can't be read`;
  }
}

/** `/srv/spring.png (1.2 MB)` */
export function describeUploadFile(file: string, workingFolder: string): string {
  const path = resolve(workingFolder, file);
  return `${path} (${sizeText(statSync(path).size)})`;
}

function sizeText(bytes: number): string {
  if (bytes < 1e3) return `${bytes} bytes`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
