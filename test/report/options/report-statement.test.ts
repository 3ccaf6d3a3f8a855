import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { findUnportable } from "../../../src/engines/portability.ts";
import { filtersOf, listReportFiles, readReportHeader, tablesOf } from "../../../src/mart/report-header.ts";
import { reportStatement } from "../../../src/report/options/report-statement.ts";
import { ownRelations } from "../../../src/report/own/own-report.ts";
import { packageRoot, readSql } from "../../../src/util/files/package-files.ts";
import { listTables } from "../../support/sql-tables.ts";

let database: DuckDb;
beforeAll(async () => {
  database = await DuckDb.open();
});
afterAll(() => database.close());

const filters = readdirSync(join(packageRoot, "sql", "filters")).map((file) => file.replace(/\.sql$/, ""));
// Files of --explain take one cell as parameters.
const files = listReportFiles().filter((file) => !file.startsWith("compliance_explain/"));

it.each(filters)("the filter %s names what it reads", async (name) => {
  const filter = filtersOf([name]).at(-1);
  expect(filter?.reads).toEqual(await listTables(database, readSql(`filters/${name}.sql`)));
});

it.each(filters)("the filter %s is read by a report", (name) => {
  const reads = [...files.flatMap((file) => readReportHeader(file).reads), ...ownRelations];
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
