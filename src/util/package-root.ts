import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder that holds `package.json`, `sql/` and the examples in `data/reference/`, run from `src/` or `dist/`. */
export const packageRoot: string = fileURLToPath(new URL("../../", import.meta.url));

/** This software's version, from `package.json`. */
export function softwareVersion(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(`${packageRoot}package.json`, "utf8"));
  return manifest.version;
}
