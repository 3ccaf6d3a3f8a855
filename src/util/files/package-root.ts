import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder that holds `package.json`, `sql/` and the examples in `data/reference/`, above wherever this code lies. */
export const packageRoot: string = fileURLToPath(findPackage(new URL(".", import.meta.url)));

function findPackage(folder: URL): URL {
  return existsSync(new URL("package.json", folder)) ? folder : findPackage(new URL("..", folder));
}

/** This software's version, from `package.json`. */
export function softwareVersion(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(`${packageRoot}package.json`, "utf8"));
  return manifest.version;
}

/** The commit that this software was compiled from, with `-dirty` where files differed from it; `null` where unknown. */
export function softwareCommit(): string | null {
  const file = `${packageRoot}dist/commit`;
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}
