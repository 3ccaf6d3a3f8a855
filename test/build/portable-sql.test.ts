import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listKeyChecks } from "../../src/build/key-checks.ts";
import { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { packageRoot, readSql } from "../../src/util/files/package-files.ts";
import { findUnportable } from "../support/portability.ts";

let database: DuckDb;
beforeAll(async () => {
  database = await DuckDb.open();
});
afterAll(() => database.close());

// `test/report/catalog-reads.test.ts` checks the files of reports once their holes are filled.
const files = ["models", "checks", "build/touched"].flatMap((folder) =>
  readdirSync(join(packageRoot, "sql", folder), { encoding: "utf8", recursive: true })
    .filter((file) => file.endsWith(".sql"))
    .map((file) => `${folder}/${file}`),
);

files.push("build/attribute_names.sql");

it.each(listKeyChecks())("$name runs on both engines", async ({ sql }) => {
  expect(await findUnportable(database, sql)).toEqual([]);
});

it.each(files)("%s runs on both engines", async (file) => {
  expect(await findUnportable(database, readSql(file))).toEqual([]);
});

it.each([
  ["select a from t qualify row_number() over (order by a) = 1", "qualify"],
  ["select a, count(*) from t group by all", "group by all"],
  ["select * exclude (a) from t", "* exclude, * replace, columns() or order by all"],
  ["select * replace (1 as a) from t", "* exclude, * replace, columns() or order by all"],
  ["select a from t order by all", "* exclude, * replace, columns() or order by all"],
  ["select t.a from t asof join u on t.a >= u.a", "asof joins"],
  ["select t.a from t semi join u on t.a = u.a", "semi and anti joins; write in, exists or a left join"],
  ["select a from t natural join u", "positional and natural joins"],
  ["select a[1] from t", "lists and structs"],
  ["select first_value(a ignore nulls) over (order by b) from t", "ignore nulls"],
  ["select a from range(3) as r (a)", "a table function (series, unnest, files)"],
  ["select a from generate_series(1, 3) as r (a)", "a table function (series, unnest, files)"],
  ["select a from read_parquet('x')", "a table function (series, unnest, files)"],
  ["select cast($name as bigint) as a", "$ parameters; write ?"],
  ["select a from t where a = ?", "a parameter outside a cast; write cast(? as …)"],
  ["with recursive r as (select 1 as a union all select a + 1 from r) select a from r", "recursion"],
  ["select cast(a as timestamp with time zone) from t", "the type TIMESTAMP WITH TIME ZONE"],
  ["select current_date", "the current time; pass it as a parameter"],
  ["select a / b from t", "/ without a cast to double"],
  ["select sum(a) from t", "sum without a cast to bigint or double"],
  ["select coalesce(sum(a), 0) from t", "sum without a cast to bigint or double"],
  ["select sum(a) over (order by b) from t", "sum without a cast to bigint or double"],
  ["select greatest(a, b) from t", "greatest of what may be null; use coalesce"],
  ["select least(coalesce(a, 0), b) from t", "least of what may be null; use coalesce"],
  ["select a + interval '1' day from t", "a date or instant ± an interval without a cast (the types differ)"],
  [
    "select a - 3 * interval '1' day from t",
    "a date or instant ± an interval without a cast (the types differ)",
  ],
  ["select date_trunc('month', a) from t", "date_trunc without a cast (the types differ)"],
  [
    "select date_diff('millisecond', a, b) from t",
    "date_diff other than of seconds, or of days between dates",
  ],
  ["select date_diff('day', a, b) from t", "date_diff other than of seconds, or of days between dates"],
  [
    "select cast(cast(a as double) / b as bigint) from t",
    "a fraction cast to an integer (they round differently); use floor, ceil or round",
  ],
  [
    "select cast(cast(a as double) as integer) from t",
    "a fraction cast to an integer (they round differently); use floor, ceil or round",
  ],
  ["select max_by(a, b) from t", "max_by of what may be null (one skips it, one answers it); use coalesce"],
  ["select cast(a as hugeint) from t", "the type HUGEINT"],
  ["select a::bigint from t", ":: casts; write cast(… as …)"],
  ["select a, from t", "a comma after the last item"],
  ["select a from t;", "a semicolon"],
  ["select distinct on (a) a from t", "distinct on"],
  ["select 1 as a union by name select 2 as a", "union by name"],
  ["select upper(a) as b, count(*) from t group by b", "the alias b in group by, where or having"],
  ["select a from t using sample 3", "a sample"],
  ["select list_transform(a, lambda x: x) from t", "a lambda"],
  [
    "select cast(a as timestamp) from t",
    "timestamp without a precision (one rounds to milliseconds); write timestamp(6)",
  ],
  [
    "select cast(seen_at as varchar) from t",
    "an instant as text (one writes a fraction); write substr(cast(… as varchar), 1, 19)",
  ],
  [
    "select cast(cast(a as timestamp(6)) as varchar) from t",
    "an instant as text (one writes a fraction); write substr(cast(… as varchar), 1, 19)",
  ],
  ["select cast(cast(a as double) as varchar) from t", "a double as text (they write it differently)"],
  [
    "select cast(settled_until as varchar) from t",
    "an instant as text (one writes a fraction); write substr(cast(… as varchar), 1, 19)",
  ],
  [
    "select cast(played_at_local as varchar) from t",
    "an instant as text (one writes a fraction); write substr(cast(… as varchar), 1, 19)",
  ],
  ["select cast(round(weighted_plays, 3) as varchar) from t", "a double as text (they write it differently)"],
  ["select t.*, t.a from t", "t.a beside t.*"],
  ["select u.a, t.* from t inner join u on t.a = u.a", "u.a beside t.*"],
  ["select a, null as b from t", "null without a type; write cast(null as …)"],
  [
    "select bitwise_left_shift(a, b % 60) from t",
    "bitwise_left_shift by what is not an integer; write cast(… as integer)",
  ],
  ["select substr(a, 0, 4) from t", "substr from 0 (one counts from there); count from 1"],
  [
    "select date_diff('second', t.requested_at, a) from t",
    "date_diff of an instant with a fraction (one counts boundaries); cut it by date_trunc",
  ],
])("detects syntax that only one engine supports: %s", async (sql, finding) => {
  expect(await findUnportable(database, sql)).toContain(finding);
});
