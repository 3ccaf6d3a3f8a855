import { expect, it } from "vitest";
import { formatTable } from "../../../../src/report/format/table/format-table.ts";
import type { Report } from "../../../../src/report/result-types.ts";

const names = [
  ...Array.from(
    { length: 30 },
    (_, index) => `Harbourside Shopping Centre, Ground Floor, Store ${index + 1}`,
  ),
  ..."ABC".split("").map((letter) => `Harbourside Shopping Centre ${letter}, Ground Floor, by the canal`),
  ...["East", "West"].map((end) => `${"Harbourside ".repeat(300)}${end}`),
  "Airport",
];

function reportOf(): Report {
  return {
    title: "Plays by zone",
    filters: [],
    dataAsOf: null,
    version: "v000001",
    columns: [
      { name: "zone_name", type: "text" },
      { name: "plays", type: "integer" },
    ],
    rows: (async function* () {
      yield* names.map((name) => [name, 4711]);
    })(),
    notes: [],
  };
}

it.each([
  ["a terminal of 30 columns", { isTerminal: true, width: 30 }, 30],
  ["a terminal of 60 columns", { isTerminal: true, width: 60 }, 60],
  ["a wide table on a terminal", { isTerminal: true, width: 60, isWide: true }, Number.POSITIVE_INFINITY],
  ["a pipe", {}, Number.POSITIVE_INFINITY],
])("different zones have distinct names on %s", async (_label, options, width) => {
  let text = "";
  for await (const piece of formatTable(reportOf(), options)) text += piece;
  const lines = text.split("\n").filter((line) => /\s4[,.]?711$/.test(line));
  expect(lines).toHaveLength(names.length);
  expect(new Set(lines).size).toBe(names.length);
  expect(lines.filter((line) => line.length > width)).toEqual([]);
});
