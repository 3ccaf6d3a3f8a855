import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { itEachSampled } from "../../support/long-suite.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { listReservedNames } from "../../support/reserved-names.ts";
import { tempPrefix } from "../../support/temp-folder.ts";
import { attributedWorld, period } from "../attributed-world.ts";
import { zones } from "../plays-world.ts";
import { rowsOf } from "../report-rows.ts";

const now = new Date("2026-11-21T12:00:00Z");
const database = await DuckDb.open({ threads: 1 });
const names = await listReservedNames(database);
database.close();
let folder: string;
let mart: PublishedMart;
/** Every zone has every attribute, with the attribute's name as value. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), tempPrefix));
  const world = attributedWorld();
  const bridge = names.flatMap((name) =>
    zones.map(({ zoneId }) => ({
      ...{ zone_id: zoneId, attribute_name: name, attribute_value: name },
      ...{ valid_from: "1900-01-01", valid_to: "2099-12-31" },
    })),
  );
  await publishFixture(folder, { ...world, rows: { ...world.rows, bridge_zone_attribute: bridge } });
  mart = await openPublished(folder, { threads: 1 });
});
afterAll(() => {
  mart.close();
  rmSync(folder, { recursive: true });
});

async function report(words: TypedOptions): Promise<Record<string, unknown>[]> {
  return await rowsOf(await runReport(mart, parseReportOptions({ ...period, ...words }), now));
}

const forms: ((by: string[]) => TypedOptions)[] = [
  (by) => ({ report: "plays", by: [...by, "date"], compare: "before" }),
  (by) => ({ report: "plays", by: [...by, "zone"], per: by.slice(0, 1), top: "2", sort: by[0] ?? "" }),
  (by) => ({ report: "compliance", by, compare: "before", search: by[0] ?? "" }),
  (by) => ({ report: "uptime", by, compare: "before" }),
];
const told = [
  ["order", "end", "select"],
  ["place", "step", "is_there"],
];
const triples = Array.from({ length: Math.ceil(names.length / 3) }, (_, at) =>
  names.slice(3 * at, 3 * at + 3),
);

it("some of the names are reserved", () => expect(names).toEqual(expect.arrayContaining(told.flat())));

itEachSampled([...told, ...triples], 4)("reports take attributes called %s", async (by) => {
  const expected = Object.fromEntries(by.map((name) => [name, name]));
  for (const form of forms) {
    const rows = await report(form(by));
    expect([form(by).report, rows.length > 0]).toEqual([form(by).report, true]);
    for (const row of rows) expect(row).toMatchObject(expected);
  }
});
