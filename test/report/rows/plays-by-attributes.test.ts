import { describe, expect } from "vitest";
import { itEachSampled } from "../../support/long-suite.ts";
import { combine, count, distinct, filters, keyOf, openDrawnWorld } from "../drawn-reports.ts";
import { cells, groupBy, plays } from "../drawn-world.ts";

const { report, reported } = openDrawnWorld();

describe("plays by attributes equal counts of the plays", () => {
  const bys = [
    ["region"],
    ["genre"],
    ["region", "genre"],
    ["region", "brand", "genre"],
    ["genre", "language", "week"],
    ["brand", "date"],
    ["region", "zone"],
    ["region", "zone", "date"],
    ["genre", "zone", "date"],
    ["genre", "item"],
    ["region", "item"],
    ["region", "hour"],
    ["genre", "hour"],
    ["region", "kind", "month"],
    ["genre", "kind"],
    ["city"],
    ["quarter"],
    ["city", "quarter", "item"],
    ["city", "location", "hour"],
    ["region", "city", "month"],
    ["zone"],
    ["date"],
    [],
  ];
  const wheres = [...filters, { genre: ["Jazz", "(none)"] }, { genre: ["Ad"], region: ["North"] }];
  itEachSampled(combine(bys, wheres), 12)("by $by where $where", async ({ by, where }) => {
    const measure = (of: readonly (typeof plays)[number][]) => ({
      plays: of.length,
      play_seconds: of.reduce((sum, { seconds }) => sum + seconds, 0),
      ...(by.includes("zone") ? {} : { zones: distinct(of, ({ zone }) => zone) }),
      ...(by.includes("item") ? {} : { items: distinct(of, ({ item }) => item) }),
    });
    const found = await reported("plays", { by, where }, ["plays", "play_seconds", "zones", "items"]);
    expect(found).toEqual(count(plays, { by, where }, measure));
    expect(found.length).toBeGreaterThan(0);
  });
});

describe("--top with --per shows the most played of each group, equal ones in order of their ids", () => {
  const cases: [by: string[], per: string[], top: number][] = [
    [["city", "item"], ["city"], 3],
    [["location", "item"], ["location"], 1],
    [["region", "genre"], ["region"], 2],
    [["genre", "region", "item"], ["genre", "region"], 2],
    [["zone", "month"], ["month"], 20],
    [["city", "item"], ["city", "item"], 5],
  ];
  itEachSampled(cases, 6)("by %s", async ([by, per, top]) => {
    const all = await report({ report: "plays", by });
    const keyOfGroup = (row: Record<string, unknown>) =>
      JSON.stringify(per.map((word) => row[keyOf(word)[0]]));
    // Rows of a report are in the order of their keys, and sorting is stable.
    const expected = [...groupBy(all, keyOfGroup).values()].flatMap((rows) =>
      rows.toSorted((a, b) => Number(b.plays) - Number(a.plays)).slice(0, top),
    );
    const shown = await report({ report: "plays", by, per, top: String(top) });
    expect(shown.map((row) => JSON.stringify(row)).sort()).toEqual(
      expected.map((row) => JSON.stringify(row)).sort(),
    );
    // The rows of each group are adjacent, the largest first.
    const groups = [...groupBy(shown, keyOfGroup).values()];
    expect(groups.flat()).toEqual(shown);
    for (const rows of groups)
      expect(rows.map(({ plays }) => plays)).toEqual(
        rows.map(({ plays }) => Number(plays)).sort((a, b) => b - a),
      );
  });
});

describe("plays by campaign, attributes and places equal counts of the campaign days", () => {
  const bys = [
    ["campaign", "quarter"],
    ["campaign", "city"],
    ["advertiser", "campaign", "city", "quarter"],
  ];
  itEachSampled(combine(bys, [{}, { region: ["North"] }]), 6)(
    "by $by where $where",
    async ({ by, where }) => {
      const measure = (of: readonly (typeof cells)[number][]) => ({
        plays: of.length,
        zones: distinct(of, ({ zone }) => zone),
      });
      expect(await reported("plays", { by, where }, ["plays", "zones"])).toEqual(
        count(cells, { by, where }, measure),
      );
    },
  );
});
