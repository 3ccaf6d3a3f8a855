import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./package-root.ts";

const folder = join(packageRoot, "sql");

/** The text of a file under `sql/`, e.g. `readSql("load/insert_plays.sql")`. */
export function readSql(path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

/** Whether a file or folder exists under `sql/`. */
export function hasSql(path: string): boolean {
  return existsSync(join(folder, path));
}

/** The files below a folder under `sql/`, by name, e.g. `compliance/10_cell.sql` of `reports`; none if it is missing. */
export function listSql(under: string): string[] {
  if (!hasSql(under)) return [];
  const names = readdirSync(join(folder, under), { encoding: "utf8", recursive: true });
  return names.filter((name) => name.endsWith(".sql")).sort();
}
