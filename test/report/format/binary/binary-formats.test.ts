import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  DataType,
  type Dictionary,
  type Field,
  RecordBatchReader,
  type Timestamp,
  tableFromIPC,
} from "apache-arrow";
import { describe, expect, it } from "vitest";
import { DuckDb } from "../../../../src/engines/duckdb/duckdb.ts";
import { loadFormatter } from "../../../../src/report/format/load-formatter.ts";
import type { FormatName } from "../../../../src/report/formats.ts";
import type { Report, ReportColumn, ReportRow } from "../../../../src/report/result-types.ts";
import { createTempFolder } from "../../../support/temp-folder.ts";

const columns: readonly ReportColumn[] = [
  { name: "zone_id", type: "integer" },
  { name: 'zone "name"', type: "text" },
  { name: "mean", type: "number" },
  { name: "availability", type: "share" },
  { name: "date", type: "date" },
  { name: "played_at", type: "instant" },
  { name: "played_at_local", type: "local_time" },
  { name: "is_open", type: "boolean" },
];

const rows: readonly ReportRow[] = [
  [1, "=cmd()", 1.5, 0.25, "2026-11-20", "2026-11-20T23:59:59Z", "2026-11-20T18:59:59", true],
  [
    -(2 ** 40) - 3,
    "مقهى \u0000 東京 🎵",
    -0.1,
    1,
    "1969-12-31",
    "1969-12-31T23:59:59.5Z",
    "0001-01-01T00:00:00",
    false,
  ],
  [
    2n ** 63n - 1n,
    "x".repeat(20_000),
    Number.NaN,
    0,
    "9999-12-31",
    "2026-11-20T00:00:00.123456Z",
    null,
    null,
  ],
  [-(2n ** 63n), "", 1e300, null, null, null, "2026-11-20T00:00:00.000001", true],
  [null, null, null, null, null, null, null, null],
];

function reportOf(given: Iterable<ReportRow>, of = columns): Report {
  async function* each() {
    yield* given;
  }
  return {
    title: "Query",
    filters: [],
    dataAsOf: null,
    version: "v000007",
    columns: of,
    rows: each(),
    notes: [],
  };
}

async function bytesOf(format: FormatName, report: Report, tempDir?: string): Promise<Buffer> {
  const formatReport = await loadFormatter(format);
  const pieces: Uint8Array[] = [];
  for await (const piece of formatReport(report, tempDir === undefined ? {} : { tempDir })) {
    expect(piece).toBeInstanceOf(Uint8Array);
    pieces.push(piece as Uint8Array);
  }
  return Buffer.concat(pieces);
}

const unfit = [
  ["an integer beyond 64 bits", "integer", 2n ** 63n, "64-bit integer"],
  ["an integer below 64 bits", "integer", -(2n ** 63n) - 1n, "64-bit integer"],
  ["an endless instant", "instant", "infinity", "instant"],
  ["an endless local time", "local_time", "-infinity", "local time"],
  ["an endless date", "date", "infinity", "date"],
] as const;

it.each([
  [
    "integer",
    2n ** 64n,
    "Column a↵b contains 18446744073709551616, which is not a valid 64-bit integer. Cast it in the query (to double or varchar), or choose --format csv.",
  ],
  [
    "date",
    "infinity",
    "Column a↵b contains infinity, which is not a valid date. Cast it in the query (to varchar), or choose --format csv.",
  ],
] as const)(
  "refuses a value that is not a valid %s in one line, and suggests a cast",
  async (type, value, message) => {
    const report = () => reportOf([[value]], [{ name: "a\nb", type }]);
    for (const format of ["arrow", "parquet"] as const)
      await expect(bytesOf(format, report())).rejects.toMatchObject({ message: message });
  },
);

describe("arrow", () => {
  it("keeps every value and its type", async () => {
    const table = tableFromIPC(await bytesOf("arrow", reportOf(rows)));
    expect(table.schema.fields.map(({ name }) => name)).toEqual(columns.map(({ name }) => name));
    expect(table.schema.fields.map(({ type }) => String(type))).toEqual([
      "Int64",
      "Dictionary<Int32, Utf8>",
      "Float64",
      "Float64",
      "Date32<DAY>",
      "Timestamp<MICROSECOND, UTC>",
      "Timestamp<MICROSECOND>",
      "Bool",
    ]);
    const [id, name, mean, share, date, instant, local, isOpen] = columns.map(({ name: column }) =>
      [...(table.getChild(column) ?? [])].map((value) => value as unknown),
    );
    expect(id).toEqual([1n, BigInt(-(2 ** 40) - 3), 2n ** 63n - 1n, -(2n ** 63n), null]);
    expect(name).toEqual(rows.map((row) => row[1]));
    expect(mean).toEqual([1.5, -0.1, Number.NaN, 1e300, null]);
    expect(share).toEqual([0.25, 1, 0, null, null]);
    expect(date?.map((value) => value && new Date(value as number).toISOString().slice(0, 10))).toEqual(
      rows.map((row) => row[4]),
    );
    const micros = table.batches[0]?.data.children[5]?.values as BigInt64Array;
    expect([...micros.slice(0, 3)]).toEqual([
      BigInt(Date.parse("2026-11-20T23:59:59Z")) * 1000n,
      -500_000n,
      BigInt(Date.parse("2026-11-20T00:00:00Z")) * 1000n + 123_456n,
    ]);
    expect(instant?.[3]).toBe(null);
    expect(local?.[2]).toBe(null);
    expect(isOpen).toEqual([true, false, null, true, null]);
  });

  it("writes batches, each with its own dictionaries", async () => {
    function* many() {
      for (let index = 0; index < 150_000; index += 1) yield [index, `name ${Math.floor(index / 50_000)}`];
    }
    const bytes = await bytesOf("arrow", reportOf(many(), columns.slice(0, 2)));
    const batches = [...RecordBatchReader.from(bytes)];
    expect(batches.map(({ numRows }) => numRows)).toEqual([65_536, 65_536, 18_928]);
    const table = tableFromIPC(bytes);
    expect([0, 50_000, 99_999, 100_000, 149_999].map((index) => table.get(index)?.toArray())).toEqual([
      [0n, "name 0"],
      [50_000n, "name 1"],
      [99_999n, "name 1"],
      [100_000n, "name 2"],
      [149_999n, "name 2"],
    ]);
    // 12 bytes a row: no text is written twice in a batch.
    expect(bytes.length).toBeLessThan(150_000 * 13);
  });

  it("keeps columns and types without rows", async () => {
    const table = tableFromIPC(await bytesOf("arrow", reportOf([])));
    expect(table.numRows).toBe(0);
    expect(table.schema.fields.map(({ name }) => name)).toEqual(columns.map(({ name }) => name));
    const [, name, , , , instant] = table.schema.fields;
    expect(DataType.isUtf8((name as Field<Dictionary>).type.dictionary)).toBe(true);
    expect((instant as Field<Timestamp>).type.timezone).toBe("UTC");
  });

  it.each(unfit)("refuses %s", async (_name, type, value, typeName) => {
    const report = reportOf([[value]], [{ name: "total", type }]);
    await expect(bytesOf("arrow", report)).rejects.toThrow(
      `Column total contains ${value}, which is not a valid ${typeName}.`,
    );
  });
});

describe("parquet", () => {
  async function readBack(bytes: Buffer) {
    const file = join(createTempFolder(), "report.parquet");
    writeFileSync(file, bytes);
    const database = await DuckDb.open();
    try {
      const schema = await database.all<{ column_name: string; column_type: string }>(
        `describe select * from '${file}'`,
      );
      const found = await database.all(`select * from '${file}'`);
      const [layout] = await database.all<{ compression: string; groups: number; largest: number }>(
        `select any_value(compression) as compression, count(distinct row_group_id) as groups,
           max(row_group_num_rows) as largest
         from parquet_metadata('${file}')`,
      );
      return { types: schema.map(({ column_type }) => column_type), found, layout };
    } finally {
      database.close();
    }
  }

  it("keeps every value and its type", async () => {
    const { types, found, layout } = await readBack(await bytesOf("parquet", reportOf(rows)));
    expect(types).toEqual([
      "BIGINT",
      "VARCHAR",
      "DOUBLE",
      "DOUBLE",
      "DATE",
      "TIMESTAMP WITH TIME ZONE",
      "TIMESTAMP",
      "BOOLEAN",
    ]);
    expect(layout?.compression).toBe("ZSTD");
    const asWritten = (value: unknown) =>
      typeof value === "string" ? value.replace(/^(\d{4}-\d\d-\d\d)T(.{8,}?)Z?$/, "$1 $2") : value;
    expect(found.map((row) => Object.values(row))).toEqual(rows.map((row) => row.map(asWritten)));
  });

  it("keeps the order of many rows, in row groups of limited size", async () => {
    function* many() {
      for (let index = 0; index < 300_000; index += 1) yield [300_000 - index, `name ${index % 7}`];
    }
    const { found, layout } = await readBack(await bytesOf("parquet", reportOf(many(), columns.slice(0, 2))));
    expect(found.length).toBe(300_000);
    expect(found.every(({ zone_id }, index) => zone_id === 300_000 - index)).toBe(true);
    expect(layout).toMatchObject({ groups: 3, largest: 122_880 });
  });

  it("keeps columns and types without rows", async () => {
    const { types, found } = await readBack(await bytesOf("parquet", reportOf([])));
    expect(types.length).toBe(columns.length);
    expect(found).toEqual([]);
  });

  it("leaves no temporary files, even on failure", async () => {
    const tempDir = join(createTempFolder(), "tmp");
    await bytesOf("parquet", reportOf(rows), tempDir);
    const refused = bytesOf("parquet", reportOf([[2n ** 70n]], columns.slice(0, 1)), tempDir);
    await expect(refused).rejects.toThrow("64-bit integer");
    expect(existsSync(tempDir) && readdirSync(tempDir)).toEqual([]);
  });

  it.each(unfit)("refuses %s", async (_name, type, value, typeName) => {
    const report = reportOf([[value]], [{ name: "total", type }]);
    await expect(bytesOf("parquet", report)).rejects.toThrow(
      `Column total contains ${value}, which is not a valid ${typeName}.`,
    );
  });
});
