import { expect, onTestFinished } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import type { Engine, SqlParameter } from "../../../src/engines/engine.ts";
import { onTrino, openTrino } from "../support/on-trino.ts";

/** One column each, in SQL common to both engines. */
const expressions: readonly string[] = [
  "cast(null as bigint)",
  "null",
  "true",
  "1",
  "cast(-7 as tinyint)",
  "cast(300 as smallint)",
  "9007199254740993",
  "-9007199254740993",
  "9007199254740991",
  "cast(9223372036854775807 as bigint)",
  "cast(5 as decimal(38,0))",
  "cast('12345678901234567.25' as decimal(20,2))",
  "cast(-0.5 as decimal(4,2))",
  "cast(1.1 as real)",
  "cast(1e300 as double)",
  "cast(123456789012345678 as double)",
  "cast(0.1 as double) + cast(0.2 as double)",
  "cast('NaN' as double)",
  "cast('-Infinity' as double)",
  "cast('' as varchar)",
  "cast('1234567890123456789' as varchar)",
  "cast('it''s \"ü\" \\ 🎵' as varchar)",
  "chr(9)",
  "date '0099-02-28'",
  "date '2026-11-22'",
  "timestamp '2026-01-02 03:04:00'",
  "timestamp '2026-01-02 03:04:05.120000'",
  "cast(timestamp '2026-01-02 03:04:05.000001' as timestamp(6))",
  "timestamp '2026-01-02 03:04:05.120 +02:00'",
  "time '01:02:03.10'",
];

async function read(engine: Engine, sql: string, parameters: readonly SqlParameter[] = []): Promise<unknown> {
  const { columns, rows } = await engine.stream(sql, parameters);
  const values = [];
  for await (const row of rows) values.push(row);
  return { columns, values };
}

async function openDuckDb(): Promise<DuckDb> {
  const database = await DuckDb.open();
  onTestFinished(() => database.close());
  return database;
}

onTrino("values and types match DuckDB's", async () => {
  const [trino, duckDb] = [openTrino(), await openDuckDb()];
  const sql = `select ${expressions.map((expression, index) => `${expression} as c${index}`).join(", ")}`;
  const expected = await duckDb.stream(
    sql.replace("timestamp '2026-01-02 03:04:05.120 +02:00'", "timestamptz '2026-01-02 03:04:05.120+02'"),
  );
  const values = [];
  for await (const row of expected.rows) values.push(row);
  expect(await read(trino, sql)).toEqual({ columns: expected.columns, values });
});

onTrino("lists match DuckDB's", async () => {
  const list = "array[9007199254740993, null, 1]";
  const { columns, values } = (await read(openTrino(), `select ${list} as a, array[array['x']] as b`)) as {
    columns: unknown;
    values: unknown;
  };
  const expected = await read(await openDuckDb(), "select [9007199254740993, null, 1] as a, [['x']] as b");
  expect({ columns, values }).toEqual(expected);
});

onTrino("parameters arrive unchanged", async () => {
  const parameters = [
    "it's ; -- ü\n'?'",
    5,
    1.5,
    null,
    true,
    9007199254740993n,
    -3,
    Number.NaN,
    -Infinity,
    1e18,
  ];
  const sql = `select cast(? as varchar) as a, cast(? as bigint) as b, ? as c, cast(? as integer) as d, ? as e,
    cast(? as bigint) as f, cast(? as bigint) as g,
    ? as h, ? as i, cast(? as bigint) as j, 'a ?' as k`;
  expect(await read(openTrino(), sql, parameters)).toEqual(await read(await openDuckDb(), sql, parameters));
});

onTrino("columns with the same name get distinct names", async () => {
  const sql = "select 1 as a, 2 as b, 3 as a, 4 as a";
  expect(await openTrino().all(sql)).toEqual(await (await openDuckDb()).all(sql));
});

onTrino("describes a select without running it", async () => {
  const select = `select cast(1 as bigint) as id, cast('2026-01-01' as date) as date, cast(1.5 as decimal(4,2)) as share,
    cast(x as varchar) as name from (values ('a')) as t (x) -- the end`;
  expect(await openTrino().describe(select)).toEqual(await (await openDuckDb()).describe(select));
  // If executed, it would never end.
  const endless =
    "select count(*) as n from unnest(sequence(1, 10000)) as a (x), unnest(sequence(1, 10000)) as b (y)";
  expect(await openTrino().describe(`${endless}, unnest(sequence(1, 10000)) as c (z)`)).toEqual([
    { name: "n", type: "BIGINT" },
  ]);
});
