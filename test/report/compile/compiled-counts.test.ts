import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { plays } from "../../../src/report/catalog/plays.ts";
import { compile } from "../../../src/report/compile/compile.ts";
import type { ReportQuery } from "../../../src/report/compile/request.ts";
import { buildStatement } from "../../../src/report/options/report-statement.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { share } from "../../support/long-suite.ts";
import { findUnportable } from "../../support/portability.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { shareFolder } from "../../support/shared-folder.ts";
import { type Counted, counted, drawQueries } from "./drawn-queries.ts";
import { countPlainly, pickCounted } from "./plain-count.ts";
import { oddNames, variedWorld } from "./varied-world.ts";

const world = {
  ...variedWorld(),
  period: { from: "2026-09-29", to: "2026-10-12" },
  before: { from: "2026-09-15", to: "2026-09-28" },
};
let mart: PublishedMart;
let database: DuckDb;
beforeAll(async () => {
  const folder = await shareFolder("varied world", (own) => publishFixture(own, world));
  mart = await openPublished(folder, { threads: 1 });
  database = await DuckDb.open();
});
afterAll(() => {
  mart.close();
  database.close();
});

const seed = 31;
type Row = Record<string, unknown>;

describe.each(Object.keys(counted) as Counted[])("%s", (file) => {
  const report = counted[file];
  const queries = drawQueries(file, seed, share(12, 100, 1000));

  it(`equals a plain count of the facts, for any request (seed ${seed})`, async () => {
    for (const { top, ...query } of queries) {
      const [sql, parameters] = buildStatement(report, query);
      const rows = await mart.all<Row>(sql, parameters);
      const expected = countPlainly(file, query, world.rows);
      const measures = Object.keys(JSON.parse(expected[0] ?? "[[], {}]")[1]);
      expect(rows.map((row) => pickCounted(row, query, measures)).sort(), JSON.stringify(query)).toEqual(
        expected,
      );
      expect(await findUnportable(database, sql), sql).toEqual([]);
      if (top === undefined) continue;
      const ranked = await mart.all<Row>(...buildStatement(report, { ...query, top }));
      const ordered = rows.toSorted((a, b) => Number(b.plays) - Number(a.plays)).slice(0, top);
      expect(ranked, JSON.stringify({ ...query, top })).toEqual(ordered);
    }
  });

  it("has the same values if only one measure is requested", async () => {
    const query = queries.find(({ by }) => by.length > 2) ?? queries[0];
    if (!query) throw new Error("no query");
    const { top: _top, ...all } = query;
    const rows = await mart.all<Row>(...buildStatement(report, all));
    const measure = file === "compliance" ? "compliance" : file === "uptime" ? "availability" : "zones";
    const [sql, parameters] = buildStatement(report, { ...all, measures: [measure] });
    const values = (found: Row[]) => found.map((row) => row[measure]);
    expect(values(await mart.all<Row>(sql, parameters))).toEqual(values(rows));
    expect(sql.length).toBeLessThan(buildStatement(report, all)[0].length);
  });
});

it.each(oddNames)("takes an attribute called %s", async (name) => {
  const read = async (attribute: string, changes: Partial<ReportQuery>) => {
    const attributes = [{ subject: "zone" as const, name: attribute, values: ["North", "South"] }];
    const query = { by: [attribute, "week"], attributes, period: world.period, measures: ["plays", "zones"] };
    const { text, values } = compile(plays, { ...query, ...changes });
    const rows = await mart.all<Row>(text, values);
    return rows.map(({ [attribute]: value, ...row }) => ({ value, ...row }));
  };
  const compare = {
    period: world.before,
    shift: { days: 14, weeks: 2, months: 0, quarters: 0 },
    isPossible: true,
  };
  for (const changes of [{}, { top: 3 }, { compare }]) {
    const rows = await read("region", changes);
    expect(rows.length).toBeGreaterThan(2);
    expect(await read(name, changes)).toEqual(rows);
  }
});

it("takes any number of attributes", async () => {
  const names = ["region", ...oddNames];
  const attributes = names.map((name) => ({ subject: "zone" as const, name, values: [] }));
  const { text, values } = compile(plays, { by: names, attributes, period: world.period });
  const [row = {}] = await mart.all<Row>(text, values);
  expect(new Set(names.map((name) => row[name])).size).toBe(1);
});
