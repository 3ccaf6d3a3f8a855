import { describe, expect } from "vitest";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { splitReport } from "../../../src/report/split/split-report.ts";
import { itEachSampled } from "../../support/long-suite.ts";
import { now, openDrawnWorld } from "../drawn-reports.ts";
import { cityOf, groupBy, locationOf, period, plays, toAttributeName } from "../drawn-world.ts";
import { rowsOf } from "../report-rows.ts";

const { getMart } = openDrawnWorld();

describe("--split writes a report for each value, with the zones that have it", () => {
  const cases: [by: string, where: string[], valueFor: (zone: number, date: string) => unknown][] = [
    ["region", [], (zone, date) => toAttributeName("region", { zone }, date)],
    [
      "region",
      ["region=North,(none)", "genre=Jazz"],
      (zone, date) => toAttributeName("region", { zone }, date),
    ],
    ["city", ["brand=A"], cityOf],
    ["location", [], locationOf],
  ];
  itEachSampled(cases, 4)("by %s where %j", async ([by, where, valueFor]) => {
    const words = { report: "plays", by: ["zone"], ...period, ...(where.length > 0 && { where }) };
    const request = parseReportOptions(words);
    const { parts } = await splitReport(getMart(), request, { by, out: `{${by}}.csv` }, now);
    const found: string[] = [];
    for (const { file, request } of parts)
      for (const { zone_id, plays } of await rowsOf(await runReport(getMart(), request, now)))
        found.push(JSON.stringify([file, zone_id, plays]));
    const chosen = parseWhere(where);
    const of = plays.filter((play) =>
      Object.entries(chosen).every(([name, values]) =>
        values.includes(toAttributeName(name, play, play.date)),
      ),
    );
    const fileOf = (value: unknown) =>
      value === null || value === "(none)"
        ? "none"
        : by === "location"
          ? `Location ${value}`
          : String(value).replaceAll(/[,']/g, "-");
    const counts = groupBy(of, ({ zone, date }) =>
      JSON.stringify([`${fileOf(valueFor(zone, date))}.csv`, zone]),
    );
    expect(found.sort()).toEqual(
      [...counts].map(([key, { length }]) => JSON.stringify([...JSON.parse(key), length])).sort(),
    );
    expect(new Set(parts.map(({ file }) => file)).size).toBe(parts.length);
  });
});

/** E.g. `region=North,South`. */
function parseWhere(texts: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(
    texts.map((text) => {
      const [name = "", values = ""] = text.split("=");
      return [name, values.split(",")];
    }),
  );
}
