import { listSql, readSql } from "../util/files/package-files.ts";

/** Matches tables of `core` that builds and publishing write. */
const ofBuilds =
  /^(build_setting|restatement|version)$|^(built|checked|dirty|pending|published|unpublished)_/;

/** Returns true for a table of `core` that a build or a publish writes, false for one that loads fill. */
export function isOfBuilds(table: string): boolean {
  return ofBuilds.test(table);
}

/** Returns true for a column that only loads use. Changes to such a column mark no day. */
export function isOnlyForLoads(table: string, column: string): boolean {
  return table === "play" && column === "line_hash";
}

/** Lists the tables of `core` that loads fill and that models, checks or builds read. */
export function listLoadedTables(): string[] {
  const texts = ["models", "checks", "build"].flatMap((folder) =>
    listSql(folder).map((file) => readSql(`${folder}/${file}`)),
  );
  const named = texts.flatMap((sql) => Array.from(sql.matchAll(/\bcore\.(\w+)/g), ([, table = ""]) => table));
  return [...new Set(named)].filter((table) => !isOfBuilds(table)).sort();
}
