import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DuckDb } from "../../../../src/engines/duckdb/duckdb.ts";
import { pickColumns } from "../../../../src/report/columns/list-columns.ts";
import { inferColumnType, parseDecimalType } from "../../../../src/report/columns/query-columns.ts";
import { loadFormatter } from "../../../../src/report/format/load-formatter.ts";
import type { FormatName } from "../../../../src/report/formats.ts";
import { itInAll } from "../../../support/long-suite.ts";
import { createTempFolder } from "../../../support/temp-folder.ts";

let database: DuckDb;
beforeAll(async () => {
  database = await DuckDb.open();
});
afterAll(() => database.close());

/** Writes the rows of a query. */
async function bytesOf(format: FormatName, sql: string): Promise<Buffer> {
  const stream = await database.stream(sql);
  const columns = stream.columns.map(({ name, type }) => ({
    name,
    type: inferColumnType(name, type),
    ...parseDecimalType(type),
  }));
  const report = {
    ...{ title: "Query", filters: [], dataAsOf: null, version: "v000007", notes: [], columns },
    ...pickColumns(stream, columns),
  };
  const formatReport = await loadFormatter(format);
  const pieces: Uint8Array[] = [];
  for await (const piece of formatReport(report)) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
}

async function parquetFile(sql: string): Promise<string> {
  const file = join(createTempFolder(), "report.parquet");
  writeFileSync(file, await bytesOf("parquet", sql));
  return file;
}

itInAll("Parquet has the values of a query of every type, in its order", async () => {
  const sql = `
    select n,
      (n % 100 - 50)::tinyint as tiny, (n - 50000)::integer as whole, (n * n)::hugeint as huge, n::ubigint as unsigned,
      n / 7 as fraction, (n / 7)::float as single, (n / 8)::decimal(10, 3) as exact,
      (12345678901234567.89 - n * 0.01)::decimal(30, 12) * (n % 2 * 2 - 1) as long,
      n % 3 = 0 as flag, date '1960-01-01' + n::integer as date,
      timestamp '1960-01-01' + n * interval 100001 second + interval 7 microsecond as played_at,
      timestamptz '1960-01-01 00:00:00+00' + n * interval 90001 second as seen_at,
      timestamp '2026-01-01' + n * interval 1 second as played_at_local,
      case when n % 5 = 0 then 'both, of mixed length ' || n else 'é ' || n % 7 end as mixed,
      '' as empty, null as nothing, case when n % 2 = 0 then n end as even
    from (select range as n from range(20000))`;
  const file = await parquetFile(sql);
  const cast = "* replace (huge::bigint as huge, single::double as single, nothing::varchar as nothing)";
  const [found, expected] = [
    `(select ${cast} from read_parquet('${file}', file_row_number = true))`,
    `(select ${cast}, n as file_row_number from (${sql}))`,
  ];
  for (const [one, other] of [
    [found, expected],
    [expected, found],
  ])
    expect(await database.all(`from ${one} except all from ${other} limit 3`)).toEqual([]);
});

it("a list is JSON in Parquet too", async () => {
  const file = await parquetFile("select [1, 2] as list, 1 as n");
  expect(await database.all(`from '${file}'`)).toEqual([{ list: "[1,2]", n: 1 }]);
});

it("texts keep every character", async () => {
  const sql = "select 'مقهى 東京 🎵 ' || chr(0) || repeat('ü', 20000) || range % 3 as name from range(5)";
  const table = tableFromIPC(await bytesOf("arrow", sql));
  expect(Array.from(table, (row) => row?.name)).toEqual(
    [0, 1, 2, 0, 1].map((digit) => `مقهى 東京 🎵 \u0000${"ü".repeat(20_000)}${digit}`),
  );
});

describe.each(["arrow", "parquet"] as const)("%s refuses", (format) => {
  it.each([
    ["sum(9223372036854775807)", "92233720368547758070", "64-bit integer"],
    ["sum(-9223372036854775807)", "-92233720368547758070", "64-bit integer"],
    ["date 'infinity'", "infinity", "date"],
    ["date '-infinity'", "-infinity", "date"],
    ["timestamp 'infinity'", "infinity", "instant"],
    ["timestamptz '-infinity'", "-infinity", "instant"],
  ])("%s", async (expression, value, typeName) => {
    const sql = `select n, it from (select ${expression} as it from range(10)), (select 1 as n)`;
    await expect(bytesOf(format, sql)).rejects.toThrow(
      `Column it contains ${value}, which is not a valid ${typeName}.`,
    );
  });
});
