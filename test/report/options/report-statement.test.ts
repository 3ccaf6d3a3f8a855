import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { filtersOf, listReportFiles, readReportHeader, tablesOf } from "../../../src/mart/report-header.ts";
import { reportStatement } from "../../../src/report/options/report-statement.ts";
import { packageRoot, readSql } from "../../../src/util/files/package-files.ts";
import { findUnportable } from "../../support/portability.ts";
import { listTables } from "../../support/sql-tables.ts";

let database: DuckDb;
beforeAll(async () => {
  database = await DuckDb.open();
});
afterAll(() => database.close());

const filters = readdirSync(join(packageRoot, "sql", "filters")).map((file) => file.replace(/\.sql$/, ""));
// Those of --explain are asked for one cell.
const files = listReportFiles().filter((file) => !file.startsWith("compliance_explain/"));

it.each(filters)("the filter %s names what it reads", async (name) => {
  const filter = filtersOf([name]).at(-1);
  expect(filter?.reads).toEqual(await listTables(database, readSql(`filters/${name}.sql`)));
});

it.each(filters)("the filter %s is read by a report", (name) => {
  const reads = files.flatMap((file) => readReportHeader(file).reads);
  expect(filtersOf(reads).map((filter) => filter.name)).toContain(name);
});

it.each(files)("%s with its filters runs on both engines, and reads tables alone", async (file) => {
  const { reads } = readReportHeader(file);
  const [sql] = reportStatement(file, {});
  expect(await findUnportable(database, sql)).toEqual([]);
  expect(await listTables(database, sql)).toEqual(tablesOf(reads).sort());
});

it("parameters stand in one place", () => {
  const withParameters = [
    ...files.map((file) => `reports/${file}`),
    ...filters.map((name) => `filters/${name}`),
  ].filter((file) => readSql(`${file}.sql`).replaceAll(/--.*$/gm, "").includes("?"));
  expect(withParameters).toEqual(["filters/p"]);
});

it("binds what was asked for by name", async () => {
  const [sql, parameters] = reportStatement("quality/30_loads", {
    now: new Date("2026-11-21T08:00:00Z"),
    period: { from: "2026-11-01", to: "2026-11-20" },
    groupIds: [3, 14],
    kinds: ["music"],
    onlyStates: ["missed"],
    top: 7,
    by: ["zone", "hour"],
  });
  const [, p = ""] = /^with p as \(\n(.*?)\n\),\n/s.exec(sql) ?? [];
  const row = await database.get(p, parameters);
  expect(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== false))).toEqual({
    now_at: "2026-11-21 08:00:00",
    date_from: "2026-11-01",
    date_to: "2026-11-20",
    group_ids: ",3,14,",
    zone_ids: "",
    location_ids: "",
    kinds: ",music,",
    campaign_keys: "",
    item_ids: "",
    artist_ids: "",
    device_ids: "",
    load_ids: "",
    states: ",missed,",
    top_rows: 7,
    by_zone: true,
    by_hour: true,
  });
});

it("binds nothing where nothing was asked for", async () => {
  const [, parameters] = reportStatement("quality/30_loads", {});
  expect(new Set(parameters)).toEqual(new Set([null, "", false]));
});
