import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { KnownRows, rememberRows } from "../../../src/report/published/known-rows.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { shareDemoData } from "../../support/shared-demo.ts";

let mart: PublishedMart;
beforeAll(async () => {
  mart = await openPublished(`${await shareDemoData()}/published`);
});
afterAll(() => mart.close());

let asked: string[];
let known: KnownRows;
beforeEach(() => {
  asked = [];
  known = new KnownRows();
});

/** A page of the version. */
function page(): PublishedMart {
  const counted: PublishedMart = {
    ...mart,
    all: (sql, parameters) => {
      asked.push(sql);
      return mart.all(sql, parameters);
    },
    stream: (sql, parameters) => {
      asked.push(sql);
      return mart.stream(sql, parameters);
    },
  };
  return rememberRows(counted, known);
}

async function readAll<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const read: Row[] = [];
  for await (const row of rows) read.push(row);
  return read;
}

const zones = "select zone_id, zone_name from dim_zone where zone_id > ? order by zone_id limit 3";

it("what one page asked is not asked again by another, and is the same", async () => {
  const rows = await page().all(zones, [81_000]);
  expect(rows).toHaveLength(3);
  expect(await page().all(zones, [81_000])).toEqual(rows);
  const streamed = await page().stream(zones, [81_000]);
  const values = await readAll(streamed.rows);
  expect(values).toEqual(rows.map((row) => Object.values(row)));
  const again = await page().stream(zones, [81_000]);
  expect(again.columns.map(({ name }) => name)).toEqual(["zone_id", "zone_name"]);
  expect(await readAll(again.rows)).toEqual(values);
  expect(asked).toEqual([zones]);
});

it("other parameters are another question", async () => {
  const one = await page().all<{ zone_id: number }>(zones, [81_000]);
  const other = await page().all<{ zone_id: number }>(zones, [81_004n]);
  expect(asked).toHaveLength(2);
  expect(other[0]?.zone_id).not.toBe(one[0]?.zone_id);
});

it("rows that were not read to their end are asked for again", async () => {
  for await (const _row of (await page().stream(zones, [0])).rows) break;
  expect(await readAll((await page().stream(zones, [0])).rows)).toHaveLength(3);
  expect(asked).toHaveLength(2);
});

it("a statement that fails is asked again", async () => {
  await expect(page().all("select nothing from dim_zone")).rejects.toThrow();
  await expect(page().all("select nothing from dim_zone")).rejects.toThrow();
  expect(asked).toHaveLength(2);
});

it("many rows are not kept", async () => {
  const many = "select i from range(2001) as r (i)";
  for (const _time of [1, 2]) {
    expect(await readAll((await page().stream(many)).rows)).toHaveLength(2_001);
    expect(await page().all(many)).toHaveLength(2_001);
  }
  expect(asked).toHaveLength(4);
});
