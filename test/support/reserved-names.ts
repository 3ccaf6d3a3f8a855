import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { checkColumns, listAttributes } from "../../src/load/reference/attribute-file.ts";
import { listSql, readSql } from "../../src/util/files/package-files.ts";

/** Reserved by Trino (https://trino.io/docs/current/language/reserved.html). */
const trinoWords =
  `alter and as auto between by case cast constraint create cross cube current_catalog current_date
  current_path current_role current_schema current_time current_timestamp current_user deallocate delete
  describe distinct drop else end escape except execute exists extract false for from full group grouping
  having in inner insert intersect into is join json_array json_exists json_object json_query json_table
  json_value left like listagg localtime localtimestamp natural normalize not null on or order outer prepare
  recursive right rollup select skip table then trim true uescape union unnest using values when where with`.split(
    /\s+/,
  );

/** Lists valid attribute names that have a meaning for an engine or in our SQL. */
export async function listReservedNames(database: DuckDb): Promise<string[]> {
  const keywords = await database.all<{ word: string }>(
    "select keyword_name as word from duckdb_keywords() where keyword_category <> 'unreserved'",
  );
  const files = ["reports", "models/mart", "models/staging"].flatMap((folder) =>
    listSql(folder).map((file) => readSql(`${folder}/${file}`)),
  );
  const ours = files.flatMap((sql) =>
    Array.from(sql.matchAll(/\b(?:as|join|from) (\w+)/g), ([, name = ""]) => name),
  );
  const helpers = [
    "is_there",
    "step",
    "step_then",
    "place",
    "ranked",
    "found",
    "pair",
    "joined",
    "n",
    "t",
    "j",
    "d",
    "r",
  ];
  const names = new Set([...keywords.map(({ word }) => word), ...trinoWords, ...ours, ...helpers]);
  const form = { subject: "zone" } as const;
  return [...names]
    .filter((name) => listAttributes(form, [name]).length > 0 && !checkColumns(form)(["zone_id", name]))
    .sort();
}
