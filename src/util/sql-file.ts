import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./package-root.ts";

const folder = join(packageRoot, "sql");
/** By path. A package holds them all in one file, which takes far less room than hundreds. */
let packed: Record<string, string> | undefined;

/** The text of a file under `sql/`, e.g. `readSql("load/insert_plays.sql")`. */
export function readSql(path: string): string {
  const text = existsSync(folder) ? readFileSync(join(folder, path), "utf8") : readPacked()[path];
  if (text === undefined) throw new Error(`sql/${path} is not in this package: install it again`);
  return text;
}

/** The files below a folder under `sql/`, by name, e.g. `compliance/10_cell.sql` of `reports`; none where it is not there. */
export function listSql(under: string): string[] {
  const path = join(folder, under);
  const names = existsSync(folder)
    ? existsSync(path)
      ? readdirSync(path, { encoding: "utf8", recursive: true })
      : []
    : Object.keys(readPacked()).flatMap((name) =>
        name.startsWith(`${under}/`) ? [name.slice(under.length + 1)] : [],
      );
  return names.filter((name) => name.endsWith(".sql")).sort();
}

function readPacked(): Record<string, string> {
  packed ??= JSON.parse(readFileSync(join(packageRoot, "dist", "sql.json"), "utf8")) as Record<
    string,
    string
  >;
  return packed;
}
