import { describe, expect } from "vitest";
import { itEachSampled } from "../../support/long-suite.ts";
import { combine, count, distinct, filters, keyOf, openDrawnWorld } from "../drawn-reports.ts";
import { cells, groupBy, uptime } from "../drawn-world.ts";

const { report, reported } = openDrawnWorld();

describe("compliance by attributes equals counts of the campaign days", () => {
  const bys = [
    ["region"],
    ["advertiser"],
    ["advertiser", "region", "week"],
    ["brand", "campaign"],
    ["advertiser", "zone"],
    ["city", "quarter"],
    ["campaign", "quarter"],
    ["city", "campaign"],
    [],
  ];
  const wheres = [...filters, { advertiser: ["Acme"] }, { advertiser: ["(none)"], brand: ["B"] }];
  itEachSampled(combine(bys, wheres), 6)("by $by where $where", async ({ by, where }) => {
    const measure = (of: readonly (typeof cells)[number][]) => ({
      scheduled_days: of.filter(({ state }) => state !== "unscheduled").length,
      compliant_days: of.filter(({ state }) => state === "compliant").length,
      ...(by.includes("week") || by.includes("quarter") ? {} : sinceLastPlayed(of)),
      ...(by.includes("zone")
        ? {}
        : {
            zones_reached: distinct(
              of.filter(({ state }) => state === "compliant"),
              ({ zone }) => zone,
            ),
          }),
    });
    const columns = [
      ...["scheduled_days", "compliant_days", "last_played_date", "first_missed_date"],
      "zones_reached",
    ];
    expect(await reported("compliance", { by, where }, columns)).toEqual(
      count(cells, { by, where }, measure),
    );
  });
});

function sinceLastPlayed(of: readonly (typeof cells)[number][]) {
  const playedOn = of.flatMap(({ date, state }) => (state === "compliant" ? [date] : [])).sort();
  const missedOn = of.flatMap(({ date, state }) => (state.startsWith("missed") ? [date] : [])).sort();
  const last = playedOn.at(-1) ?? null;
  const first = missedOn.find((date) => last === null || date > last) ?? null;
  return { last_played_date: last, first_missed_date: first };
}

describe("uptime by attributes equals sums of the zones' days", () => {
  const bys = [
    ["region"],
    ["region", "brand"],
    ["brand", "date"],
    ["region", "zone"],
    ["city", "quarter"],
    [],
  ];
  itEachSampled(combine(bys, filters), 8)("by $by where $where", async ({ by, where }) => {
    const measure = (of: readonly (typeof uptime)[number][]) => ({
      up_seconds: of.reduce((sum, { up }) => sum + up, 0),
      down_seconds: of.reduce((sum, { down }) => sum + down, 0),
    });
    expect(await reported("uptime", { by, where }, ["up_seconds", "down_seconds"])).toEqual(
      count(uptime, { by, where }, measure),
    );
  });
});

describe("figures by city and by quarter add up to those without", () => {
  const additive = [
    "plays",
    "play_seconds",
    "unscheduled_plays",
    "scheduled_days",
    "compliant_days",
    "missed_days",
  ].concat([
    "pending_days",
    "closed_days",
    "candidate_plays",
    "up_seconds",
    "down_seconds",
    "unknown_seconds",
  ]);
  const cases: [name: string, by: string][] = [
    ["plays", "campaign"],
    ["plays", "daypart"],
    ["plays", "genre"],
    ["compliance", "campaign"],
    ["compliance", "region"],
    ["uptime", "region"],
  ];
  itEachSampled(cases, 6)("%s by %s", async ([name, by]) => {
    const sumsOf = (rows: readonly Record<string, unknown>[]) =>
      [...groupBy(rows, (row) => String(row[keyOf(by)[0]]))]
        .map(([key, of]) => [
          key,
          ...additive.map((column) => of.reduce((sum, row) => sum + Number(row[column] ?? 0), 0)),
        ])
        .sort();
    const expected = sumsOf(await report({ report: name, by: [by] }));
    expect(expected.length).toBeGreaterThan(1);
    for (const word of ["city", "quarter"])
      expect(sumsOf(await report({ report: name, by: [by, word] }))).toEqual(expected);
  });
});
