import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { figures } from "../../src/report/figures.ts";
import { reports } from "../../src/report/reports.ts";
import { packageRoot } from "../../src/util/package-root.ts";

const readme = readFileSync(join(packageRoot, "README.md"), "utf8");

describe("README", () => {
  it("defines what pages define, and nothing else by name", () => {
    const named = rowsOf("## What the figures mean").flatMap(([names = ""]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(named.sort()).toEqual(
      Object.entries(figures)
        .flatMap(([name, { definition }]) => (definition === undefined ? [] : [name]))
        .sort(),
    );
  });

  it("names every report, and only columns that pages have words for", () => {
    const rows = rowsOf("## Reports");
    expect(rows.map(([name]) => name)).toEqual(Object.keys(reports));
    const columns = rows.flatMap(([, list = ""]) => list.replace(/:.*/, "").split(", "));
    expect(columns.filter((column) => figures[column] === undefined)).toEqual([]);
  });
});

/** Cells of the first table under a heading; its lines stand together, or it would end there. */
function rowsOf(heading: string): string[][] {
  const [, section = ""] = readme.split(`\n${heading}\n`);
  const lines = section
    .split("\n")
    .slice(section.split("\n").findIndex((line) => line.startsWith("|---")) + 1);
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(0, end).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}
