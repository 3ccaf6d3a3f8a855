import { describe, expect, it } from "vitest";
import { figures } from "../../src/report/figures.ts";
import { reports } from "../../src/report/reports.ts";
import { namesUnder, tableUnder } from "../docs/pages.ts";

const page = "docs/analyst.md";

describe(page, () => {
  it("defines what pages define, and nothing else by name", () => {
    expect(namesUnder(page, "## What the figures mean").sort()).toEqual(
      Object.entries(figures)
        .flatMap(([name, { definition }]) => (definition === undefined ? [] : [name]))
        .sort(),
    );
  });

  it("names every report, and only columns that pages have words for", () => {
    const rows = tableUnder(page, "## Reports");
    expect(rows.map(([name]) => name)).toEqual(Object.keys(reports));
    const columns = rows.flatMap(([, list = ""]) => list.replace(/:.*/, "").split(", "));
    expect(columns.filter((column) => figures[column] === undefined)).toEqual([]);
  });
});
