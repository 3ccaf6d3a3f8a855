import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { packageRoot } from "./package-root.ts";

const folder = join(packageRoot, "sql");
/** All files by path, in a package, which holds them in one: hundreds take far more room. `undefined` beside `sql/` itself. */
const packed = existsSync(folder) ? undefined : unpack(join(packageRoot, "dist", "sql.br"));

/** The text of a file under `sql/`, e.g. `readSql("load/insert_plays.sql")`. */
export function readSql(path: string): string {
  if (!packed) return readFileSync(join(folder, path), "utf8");
  const text = packed.get(path);
  if (text === undefined) throw new Error(`sql/${path} is not in this package: install it again`);
  return text;
}

/** Whether there is such a file under `sql/`. */
export function hasSql(path: string): boolean {
  return packed ? packed.has(path) : existsSync(join(folder, path));
}

/** The files below a folder under `sql/`, by name, e.g. `compliance/10_cell.sql` of `reports`; none where it is not there. */
export function listSql(under: string): string[] {
  return namesBelow(under)
    .filter((name) => name.endsWith(".sql"))
    .sort();
}

function namesBelow(under: string): string[] {
  if (packed) {
    const paths = [...packed.keys()].filter((path) => path.startsWith(`${under}/`));
    return paths.map((path) => path.slice(under.length + 1));
  }
  return hasSql(under) ? readdirSync(join(folder, under), { encoding: "utf8", recursive: true }) : [];
}

/** Paths and texts, as `.pack.mjs` writes them. */
function unpack(file: string): Map<string, string> {
  const parts = brotliDecompressSync(readFileSync(file)).toString().split("\0");
  const texts = new Map<string, string>();
  for (let index = 0; index < parts.length; index += 2) texts.set(parts[index] ?? "", parts[index + 1] ?? "");
  return texts;
}
