import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { findUnportable } from "../../../src/engines/portability.ts";
import { listFilters, listReportFiles, readReportHeader, tablesOf } from "../../../src/mart/report-header.ts";
import { buildStatement } from "../../../src/report/options/report-statement.ts";
import { ownRelations } from "../../../src/report/own/own-report.ts";
import { packageRoot, readSql } from "../../../src/util/files/package-files.ts";
import { listTables } from "../../support/sql-tables.ts";

let database: DuckDb;
beforeAll(async () => {
  database = await DuckDb.open();
});
afterAll(() => database.close());

const filters = readdirSync(join(packageRoot, "sql", "filters"))
  .filter((file) => file.endsWith(".sql"))
  .map((file) => file.replace(/\.sql$/, ""));
const plainFilters = readdirSync(join(packageRoot, "sql", "filters", "plain")).map((file) =>
  file.replace(/\.sql$/, ""),
);
// Files of --explain take one cell as parameters.
const files = listReportFiles().filter((file) => !file.startsWith("compliance_explain/"));

it.each(filters)("the filter %s declares what it reads", async (name) => {
  const filter = listFilters([name]).at(-1);
  expect(filter?.reads).toEqual(await listTables(database, readSql(`filters/${name}.sql`)));
});

it.each(plainFilters)("the filter plain/%s declares what it reads", async (name) => {
  const filter = listFilters([name], true).at(-1);
  expect(filter?.reads).toEqual(await listTables(database, readSql(`filters/plain/${name}.sql`)));
});

it.each(filters)("a report uses the filter %s", (name) => {
  const reads = [...files.flatMap((file) => readReportHeader(file).reads), ...ownRelations];
  expect(listFilters(reads).map((filter) => filter.name)).toContain(name);
});

it.each(files)("%s with its filters runs on both engines, and reads only tables", async (file) => {
  const { reads, attributes: subjects } = readReportHeader(file);
  const attributes = subjects.map((subject) => ({ subject, name: `of_${subject}`, values: [] }));
  for (const options of [{}, { attributes, by: attributes.map(({ name }) => name) }]) {
    const [sql] = buildStatement(file, options);
    expect(await findUnportable(database, sql)).toEqual([]);
    const isPlain = !("attributes" in options) || attributes.length === 0;
    expect(await listTables(database, sql)).toEqual(tablesOf(reads, isPlain).sort());
  }
});

it("parameters are declared in one place", () => {
  const withParameters = [
    ...files.map((file) => `reports/${file}`),
    ...filters.map((name) => `filters/${name}`),
  ].filter((file) => readSql(`${file}.sql`).replaceAll(/--.*$/gm, "").includes("?"));
  expect(withParameters).toEqual(["filters/p"]);
});
