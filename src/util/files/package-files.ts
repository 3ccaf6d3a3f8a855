import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The package's root folder, which contains `package.json`, `sql/` and the examples in `data/reference/`. */
export const packageRoot: string = fileURLToPath(findPackage(new URL(".", import.meta.url)));

function findPackage(folder: URL): URL {
  return existsSync(new URL("package.json", folder)) ? folder : findPackage(new URL("..", folder));
}

export function softwareVersion(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(`${packageRoot}package.json`, "utf8"));
  return manifest.version;
}

/** Returns the commit that was compiled, with `-dirty` if files had been changed; `null` if unknown. */
export function softwareCommit(): string | null {
  const file = `${packageRoot}dist/commit`;
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}

const folder = join(packageRoot, "sql");

/** Returns the text of a file under `sql/`, e.g. `readSql("load/insert_plays.sql")`. */
export function readSql(path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

function hasSql(path: string): boolean {
  return existsSync(join(folder, path));
}

/** Lists the files below a folder under `sql/`, e.g. `compliance/10_cell.sql`; empty if it is missing. */
export function listSql(under: string): string[] {
  if (!hasSql(under)) return [];
  const names = readdirSync(join(folder, under), { encoding: "utf8", recursive: true });
  return names.filter((name) => name.endsWith(".sql")).sort();
}
