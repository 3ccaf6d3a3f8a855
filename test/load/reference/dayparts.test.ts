import { expect, it } from "vitest";
import { checkDayparts, readDaypart } from "../../../src/load/reference/dayparts.ts";

/** Lines of `dayparts.csv`, numbered from 2. */
const toRows = (lines: readonly string[]) =>
  lines.map((line, index) => {
    const [name = "", from = "", to = ""] = line.split(",");
    return { lineNumber: index + 2, values: { name, from, to } };
  });

it.each([
  ["morning,06:00,11:00", { value: "morning", opens_secs: 21_600, closes_secs: 39_600 }],
  ["night,22:00,02:00", { value: "night", opens_secs: 79_200, closes_secs: 93_600 }],
  ["all day,06:00,06:00", { value: "all day", opens_secs: 21_600, closes_secs: 108_000 }],
  ["day,0:00,24:00", { value: "day", opens_secs: 0, closes_secs: 86_400 }],
])("%s", (line, expected) => {
  const [row] = toRows([line]);
  expect(row && readDaypart(row)).toEqual(expected);
});

it.each([
  [",06:00,11:00", ""],
  ["(none),06:00,11:00", "(none)"],
  ["a,24:00,11:00", "24:00"],
  ["a,06:00,11", "11"],
])("%j is invalid", (line, value) => {
  const [row] = toRows([line]);
  expect(row && checkDayparts.findMistake(row)?.[0]).toBe(value);
});

it.each<[string[], [line: number, accepted: string][]]>([
  [["a,06:00,11:00", "b,11:00,18:00", "c,18:00,06:00"], []],
  [["a,06:00,11:00", "b,10:59,18:00"], [[3, "times that do not overlap those of line 2"]]],
  [["a,22:00,02:00", "b,01:59,03:00"], [[3, "times that do not overlap those of line 2"]]],
  [["a,00:00,24:00", "b,23:00,01:00"], [[3, "times that do not overlap those of line 2"]]],
  [["a,01:00,03:00", "b,22:00,02:00"], [[3, "times that do not overlap those of line 2"]]],
  [["a,06:00,11:00", "A,12:00,13:00"], [[3, "each name once; line 2 has it"]]],
])("%j", (lines, expected) => {
  const found = checkDayparts.findContradictions(toRows(lines));
  expect(found.map(({ lineNumber, accepted }) => [lineNumber, accepted])).toEqual(expected);
});
