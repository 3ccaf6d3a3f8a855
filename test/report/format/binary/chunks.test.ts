import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DuckDb } from "../../../../src/engines/duckdb/duckdb.ts";
import { inferColumnType, parseDecimalType } from "../../../../src/report/columns/query-columns.ts";
import { pickColumns } from "../../../../src/report/columns/report-columns.ts";
import { loadFormatter } from "../../../../src/report/format/load-formatter.ts";
import type { FormatName } from "../../../../src/report/formats.ts";
import type { Report, ReportChunks } from "../../../../src/report/report.ts";
import { itInAll } from "../../../support/long-suite.ts";
import { createTempFolder } from "../../../support/temp-folder.ts";

let database: DuckDb;
beforeAll(async () => {
  database = await DuckDb.open();
});
afterAll(() => database.close());

async function reportOf(sql: string): Promise<Report & { chunks: ReportChunks }> {
  const stream = await database.stream(sql);
  const columns = stream.columns.map(({ name, type }) => ({
    name,
    type: inferColumnType(name, type),
    ...parseDecimalType(type),
  }));
  const { rows, chunks } = pickColumns(stream, columns);
  if (!chunks) throw new Error("DuckDB brings chunks");
  return {
    title: "Query",
    filters: [],
    dataAsOf: null,
    version: "v000007",
    columns,
    notes: [],
    rows,
    chunks,
  };
}

async function bytesOf(format: FormatName, report: Report): Promise<Buffer> {
  const formatReport = await loadFormatter(format);
  const pieces: Uint8Array[] = [];
  for await (const piece of formatReport(report)) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
}

async function arrowRows(report: Report): Promise<string[]> {
  const table = tableFromIPC(await bytesOf("arrow", report));
  return Array.from(table, (row) =>
    JSON.stringify(row, (_key, value) => (typeof value === "bigint" ? String(value) : value)),
  );
}

async function parquetRows(report: Report): Promise<string[]> {
  const file = await parquetFile(report);
  const rows = await database.all<{ text: string }>(`select cast(r as varchar) as text from '${file}' as r`);
  return rows.map(({ text }) => text);
}

async function parquetFile(report: Report): Promise<string> {
  const file = join(createTempFolder(), "report.parquet");
  writeFileSync(file, await bytesOf("parquet", report));
  return file;
}

/** Read value by value, as in text formats. */
async function valueByValue(sql: string): Promise<Report> {
  const { chunks: _chunks, ...report } = await reportOf(sql);
  return report;
}

// More rows than fit in a batch, with occasional nulls, and some chunks without any.
const everyType = `
  select n,
    n % 100 - 50 as small_int, (n % 100 - 50)::tinyint as tiny, (n % 60000 - 30000)::smallint as small,
    (n - 50000)::integer as whole, (n - 50000) * 3000000000 as wide, (n * n)::hugeint as huge, n::ubigint as unsigned,
    n / 7 as fraction, (n / 7)::float as single, (n / 8)::decimal(10, 3) as exact, (n::decimal(38, 19) - 50000) / 7 as ratio,
    (12345678901234567.89 - n * 0.01)::decimal(30, 12) * (n % 2 * 2 - 1) as long,
    n % 3 = 0 as flag,
    date '1960-01-01' + n::integer as date,
    timestamp '1960-01-01' + n * interval 100001 second + interval 7 microsecond as played_at,
    timestamptz '1960-01-01 00:00:00+00' + n * interval 90001 second as seen_at,
    timestamp '2026-01-01' + n * interval 1 second as played_at_local,
    'zone ' || n % 40 as short_text,
    'a name that lies elsewhere ' || n % 3000 as long_text,
    case when n % 5 = 0 then 'both, of mixed length ' || n else 'é ' || n % 7 end as mixed,
    'x' as same, '' as empty, null as nothing,
    case when n % 11 = 0 then 'very ' || repeat('long ', 200) || n % 13 end as huge_text,
    [n, n + 1] as list,
    case when n % 2 = 0 then n end as even, case when n % 3 > 0 then date '2026-01-01' + (n % 300)::integer end as day,
    case when n > 66000 then n % 2 = 0 end as late
  from (select range as n from range(70000))`;

describe.each([
  ["of some rows", `${everyType} where n % 17 = 3`],
  ["of no rows", `${everyType} where n < 0`],
  ["as they were made", everyType],
  ["in an order that scatters strings over memory", `${everyType} where n % 4 = 0 order by hash(n)`],
] as const)("whole columns, %s", (_name, sql) => {
  itInAll("match Parquet columns written value by value", async () => {
    const known = sql.replace("[n, n + 1] as list", "n as list");
    const rowsOf = async (report: Report) =>
      `select * from read_parquet('${await parquetFile(report)}', file_row_number = true)`;
    const [found, expected] = [await rowsOf(await reportOf(known)), await rowsOf(await valueByValue(known))];
    const describe = (rows: string) => database.all(`describe ${rows}`);
    expect(await describe(found)).toEqual(await describe(expected));
    const others = (one: string, other: string) => database.all(`(${one} except all ${other}) limit 3`);
    expect(await others(found, expected)).toEqual([]);
    expect(await others(expected, found)).toEqual([]);
  });
});

it("a list is JSON in Parquet too", async () => {
  expect(await parquetRows(await reportOf("select [1, 2] as list, 1 as n"))).toEqual([
    "{'list': '[1,2]', 'n': 1}",
  ]);
});

it("texts keep every character in any chunk", async () => {
  const sql = "select 'مقهى 東京 🎵 ' || chr(0) || repeat('ü', 20000) || range % 3 as name from range(5)";
  expect(await arrowRows(await reportOf(sql))).toEqual(
    [0, 1, 2, 0, 1].map((digit) =>
      JSON.stringify({ name: `مقهى 東京 🎵 \u0000${"ü".repeat(20_000)}${digit}` }),
    ),
  );
});

describe.each(["arrow", "parquet"] as const)("%s, column by column, refuses", (format) => {
  it.each([
    ["sum(9223372036854775807)", "integer", "92233720368547758070", "64-bit integer"],
    ["sum(-9223372036854775807)", "integer", "-92233720368547758070", "64-bit integer"],
    ["date 'infinity'", "date", "infinity", "date"],
    ["date '-infinity'", "date", "-infinity", "date"],
    ["timestamp 'infinity'", "instant", "infinity", "instant"],
    ["timestamptz '-infinity'", "instant", "-infinity", "instant"],
  ])("%s", async (expression, _type, value, typeName) => {
    const report = await reportOf(
      `select n, it from (select ${expression} as it from range(10)), (select 1 as n)`,
    );
    await expect(bytesOf(format, report)).rejects.toThrow(
      `Column it contains ${value}, which is not a valid ${typeName}.`,
    );
  });
});
