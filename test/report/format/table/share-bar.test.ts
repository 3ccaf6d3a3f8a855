import { expect, it } from "vitest";
import { drawShareBar } from "../../../../src/report/format/table/fit-table.ts";

it.each([
  ["100.0 %", "████████"],
  ["99.9 %", "████████"],
  ["50.0 %", "████    "],
  ["93.8 %", "███████▌"],
  ["0.1 %", "▏       "],
  ["0.0 %", "        "],
  ["", "        "],
  ["NaN", "        "],
  ["250.0 %", "████████"],
])("%s is %s", (percent, bar) => {
  expect(drawShareBar(percent)).toBe(bar);
});
