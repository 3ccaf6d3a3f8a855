import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../util/package-root.ts";

/** The text of a file under `sql/`, e.g. `readSql("load/insert_plays.sql")`. */
export function readSql(path: string): string {
  return readFileSync(join(packageRoot, "sql", path), "utf8");
}
