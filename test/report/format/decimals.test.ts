import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { readXlsx } from "hucre/xlsx";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { loadFormatter } from "../../../src/report/format/load-formatter.ts";
import type { FormatName } from "../../../src/report/formats.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { runQuery } from "../../../src/report/query/run-query.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder, tempPrefix } from "../../support/temp-folder.ts";

const decimals = ["12345678901234567.89", "-0.05", "0.10", "-98765432109876543210.01"];
const query = `select d from (values ${decimals.map((text) => `('${text}'::decimal(38, 2))`).join(", ")}, (null)) as t(d)`;

let folder: string;
let mart: PublishedMart;
let database: DuckDb;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), tempPrefix));
  await publishFixture(folder, { version: "v000001", dataAsOf: null, rows: {} });
  mart = await openPublished(folder, { threads: 1 });
  database = await DuckDb.open();
});
afterAll(() => {
  mart.close();
  database.close();
  rmSync(folder, { recursive: true });
});

async function bytesOf(format: FormatName): Promise<Buffer> {
  const formatReport = await loadFormatter(format);
  const pieces: (string | Uint8Array)[] = [];
  for await (const piece of formatReport(await runQuery(mart, query))) pieces.push(piece);
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

it("writes every digit of a decimal in text formats", async () => {
  // A number has no trailing zeros.
  const shown = decimals.map((text) => text.replace("0.10", "0.1"));
  expect(String(await bytesOf("csv"))).toBe(`d\r\n${shown.join("\r\n")}\r\n\r\n`);
  expect(String(await bytesOf("json"))).toBe(
    `[\n${shown.map((text) => `{"d":${text}}`).join(",\n")},\n{"d":null}\n]\n`,
  );
  for (const format of ["table", "md", "html"] as const) {
    const text = String(await bytesOf(format));
    for (const digits of shown) expect(text).toContain(digits);
  }
});

it("writes decimals to a workbook as numbers, and as text beyond 15 digits", async () => {
  const { sheets } = await readXlsx(await bytesOf("xlsx"));
  expect(sheets[0]?.rows.slice(1, 5).flat()).toEqual([
    "12345678901234567.89",
    -0.05,
    0.1,
    "-98765432109876543210.01",
  ]);
});

it("writes decimals as decimals to Parquet and Arrow", async () => {
  const file = join(createTempFolder(), "decimals.parquet");
  writeFileSync(file, await bytesOf("parquet"));
  const rows = await database.all(`select d::varchar as d, typeof(d) as type from '${file}'`);
  expect(rows.map(({ d }) => d)).toEqual([...decimals, null]);
  expect(rows[0]?.type).toBe("DECIMAL(38,2)");

  const column = tableFromIPC(await bytesOf("arrow")).getChild("d");
  expect(String(column?.type)).toBe("Decimal[38e+2]");
  const cents = decimals.map((text) => BigInt(text.replace(".", "")));
  expect(Array.from(column ?? [], (value) => value && asBigInt(value))).toEqual([...cents, null]);
});

/** Four words of 32 bits, the lowest first. */
function asBigInt(words: Uint32Array): bigint {
  return BigInt.asIntN(
    128,
    Array.from(words).reduceRight((whole, word) => (whole << 32n) + BigInt(word), 0n),
  );
}
