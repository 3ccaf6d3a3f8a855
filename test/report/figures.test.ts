import { describe, expect, it } from "vitest";
import { catalog, listRows } from "../../src/report/catalog/catalog.ts";
import { listGroupings } from "../../src/report/catalog/report-entry.ts";
import { getShape } from "../../src/report/columns/column-shape.ts";
import { listColumns } from "../../src/report/columns/list-columns.ts";
import { getFigure } from "../../src/report/figures.ts";
import { reportNames } from "../../src/report/report-name.ts";

it("columns belong to known reports", () => {
  const named = listRows().map((rows) => rows.name);
  const known: readonly string[] = [...reportNames, "proof"];
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

describe.each(reportNames)("%s", (report) => {
  const entry = catalog[report];

  it("has a label and a definition for every column", () => {
    const shown = listColumns(entry, listGroupings(entry, [])).map(({ name }) => getFigure(name, report));
    expect(shown.length).toBeGreaterThan(3);
    expect(shown.filter(({ label, definition }) => !label || !definition)).toEqual([]);
  });

  it("shows requested --by columns first, without columns that can only be 1", () => {
    const { by, single } = getShape(entry);
    const measures = listColumns(entry).map(({ name }) => name);
    for (const [word, columns] of by) {
      expect(listColumns(entry, [word]).map(({ name }) => name)).toEqual([
        ...columns,
        ...measures.filter((name) => !single.get(name)?.includes(word)),
      ]);
    }
  });
});

it.each([
  ["down_seconds", "outages", "Known downtime within the period."],
  ["down_seconds", "uptime", "Time in which devices are known to have been offline."],
  ["outages", "outages", expect.stringMatching(/^Downtime spans of at least 15 minutes/)],
  ["down_seconds", undefined, "Time in which devices are known to have been offline."],
] as const)("%s of %s", (name, report, definition) => {
  expect(getFigure(name, report).definition).toEqual(definition);
});
