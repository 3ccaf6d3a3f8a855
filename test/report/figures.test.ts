import { describe, expect, it } from "vitest";
import { listReportFiles, readReportHeader } from "../../src/mart/report-header.ts";
import { listGroupings, reportColumns } from "../../src/report/columns/report-columns.ts";
import { figureOf } from "../../src/report/figures.ts";
import { reportNames } from "../../src/report/report-name.ts";
import { reports } from "../../src/report/reports.ts";

it("every file says which reports it serves", () => {
  const named = listReportFiles().flatMap((file) => readReportHeader(file).reports);
  expect(named.filter((name) => !(reportNames as readonly string[]).includes(name))).toEqual([]);
});

describe.each(reportNames)("%s", (report) => {
  const { file } = reports[report];

  it("has a label and a definition of every column", () => {
    const shown = reportColumns(file, listGroupings(file)).map(({ name }) => figureOf(name, report));
    expect(shown.length).toBeGreaterThan(3);
    expect(shown.filter(({ label, definition }) => !label || !definition)).toEqual([]);
  });

  it("shows columns of --by words that were asked for, before those of no word, without what can only be 1", () => {
    const { by, single } = readReportHeader(file);
    const measures = reportColumns(file).map(({ name }) => name);
    for (const [word, columns] of by) {
      expect(reportColumns(file, [word]).map(({ name }) => name)).toEqual([
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
  expect(figureOf(name, report).definition).toEqual(definition);
});
