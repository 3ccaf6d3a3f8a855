import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { listRows } from "../../src/report/catalog/catalog.ts";
import { listTables as listTablesOf } from "../../src/report/catalog/list-reads.ts";
import { quality } from "../../src/report/catalog/quality.ts";
import { isCompiled } from "../../src/report/catalog/report-entry.ts";
import { getShape } from "../../src/report/columns/column-shape.ts";
import { listColumns } from "../../src/report/columns/list-columns.ts";
import { date, sql } from "../../src/report/compile/sql.ts";
import { buildStatement } from "../../src/report/options/build-statement.ts";
import type { ColumnType } from "../../src/report/result-types.ts";
import { listSql } from "../../src/util/files/package-files.ts";
import { openWarehouse } from "../../src/workspace/warehouse.ts";
import { buildOptions } from "../build/build-options.ts";
import { findUnportable } from "../support/portability.ts";
import { listTables } from "../support/sql-tables.ts";

/** DuckDB's types for the columns of each type. */
const sqlTypes: Readonly<Record<ColumnType, readonly string[]>> = {
  text: ["VARCHAR"],
  integer: ["BIGINT", "INTEGER"],
  number: ["DOUBLE"],
  share: ["DOUBLE"],
  date: ["DATE"],
  instant: ["TIMESTAMP"],
  local_time: ["TIMESTAMP"],
  boolean: ["BOOLEAN"],
};

// With a whole month.
const period = { from: "2026-01-01", to: "2026-02-07" };
const selectCell = sql`select 'signage' as kind, 1 as campaign_id, 1 as campaign_key, 1 as zone_id, ${date("2026-01-01")} as date`;

let warehouse: DuckDb;
beforeAll(async () => {
  warehouse = await openWarehouse({ path: ":memory:" });
  await buildMart(warehouse, buildOptions);
  await warehouse.run("set search_path = 'mart'");
});
afterAll(() => warehouse.close());

const files = listSql("reports").filter((file) => !file.startsWith("templates/"));

it.each(files.map((file) => file.slice(0, -".sql".length)))("%s runs on both engines", async (file) => {
  const holes = { of_devices: sql`true`, most: sql`3`, cell: selectCell };
  const filters = {
    zoneIds: [1],
    groupIds: [1],
    locationIds: [1],
    kinds: ["music" as const],
    deviceIds: [1],
  };
  const attributes = [{ subject: "zone" as const, name: "region", values: ["a"] }];
  for (const options of [{}, filters, { attributes }]) {
    const [text, values] = buildStatement(file, { period, now: new Date(0), ...options }, holes);
    expect(await findUnportable(warehouse, text)).toEqual([]);
    const { columns } = await warehouse.stream(text, values);
    const isOfSections = file.includes("/");
    if (isOfSections)
      expect(columns.map(({ name }) => name)).toEqual(listColumns(quality).map(({ name }) => name));
  }
});

describe.each(listRows().filter(isCompiled))("$name", (report) => {
  const { by, columns } = getShape(report);

  it("reads the tables that the data dictionary names, on both engines", async () => {
    const attributes = report.attributes.map((subject) => ({ subject, name: subject, values: ["a"] }));
    const places = { zoneIds: [1], locationIds: [1], groupIds: [1], deviceIds: [1] };
    const filters = { ...places, campaignKeys: [5], itemIds: [1], artistIds: [1], loadIds: [1] };
    const tables = new Set<string>();
    for (const words of [[], ...[...by.keys()].map((word) => [word])]) {
      for (const options of [{}, filters, { attributes }, { onlyStates: ["missed" as const] }]) {
        const [sql] = buildStatement(report, { by: words, period, ...options });
        for (const table of await listTables(warehouse, sql)) tables.add(table);
        expect(await findUnportable(warehouse, sql)).toEqual([]);
      }
    }
    expect(listTablesOf(report)).toEqual([...tables].sort());
  });

  it("describes each column, in order and with its type", async () => {
    const stream = await warehouse.stream(...buildStatement(report, { by: [...by.keys()], period }));
    const made = new Map(stream.columns.map(({ name, type }) => [name, type]));
    expect([...made.keys()].sort()).toEqual(columns.map(({ name }) => name).sort());
    const shown = listColumns(report, [...by.keys()]).map((column) => [column.name, column.type] as const);
    expect(shown.filter(([name, type]) => !sqlTypes[type].includes(made.get(name) ?? ""))).toEqual([]);
  });
});
