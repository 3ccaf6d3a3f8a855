import { expect, it } from "vitest";
import { checkOpeningHours, readOpeningHours } from "../../../src/load/reference/opening-hours.ts";
import type { ReferenceRow } from "../../../src/load/reference/reference-file.ts";

/** Lines of `opening_hours.csv`, numbered from 2. */
function readLines(...lines: readonly string[]): ReferenceRow[] {
  return lines.map((line, index) => {
    const [zone_id = "", day_of_week = "", opens = "", closes = ""] = line.split(",");
    return { lineNumber: index + 2, values: { zone_id, day_of_week, opens, closes } };
  });
}

const findMistakes = (line: string) => readLines(line).map(checkOpeningHours.findMistake);

const findOverlaps = (...lines: readonly string[]) =>
  checkOpeningHours
    .findContradictions(readLines(...lines))
    .map(({ lineNumber, value, accepted }) => `${lineNumber}: ${value}: ${accepted}`);

it.each([
  "7,1,00:00,24:00",
  "7,7,23:59,00:00",
  "7,3,19:59,20:00",
  "7,4,09:59,09:59",
  "7,5,9:00,20:00:00",
  "7,5,0:00,24:00:00",
])("%s is valid", (line) => expect(findMistakes(line)).toEqual([undefined]));

it.each(["0", "8", "12", "71", "Monday", ""])("%j is not a day of the week", (day) => {
  expect(findMistakes(`7,${day},09:00,20:00`)).toEqual([
    [day, "a day_of_week from 1 (Monday) to 7 (Sunday)"],
  ]);
});

const noTimes = [
  "24:01",
  "25:00",
  "30:00",
  "09:60",
  "09:000",
  "109:00",
  "9:0",
  "09:00:30",
  "9:00:0",
  "0900",
  "9 am",
  "",
];

it.each([...noTimes, "24:00"])("%j is not an opening time", (time) => {
  expect(findMistakes(`7,1,${time},20:00`)).toEqual([[time, "opens as HH:MM, from 00:00 to 23:59"]]);
});

it.each(noTimes)("%j is not a closing time", (time) => {
  expect(findMistakes(`7,1,09:00,${time}`)).toEqual([[time, "closes as HH:MM, from 00:00 to 24:00"]]);
});

it.each([
  ["closes later on the same day", "7,1,09:05,20:30", 1, 32_700, 73_800],
  ["is written as a spreadsheet saves it", "7,1,9:05,20:30:00", 1, 32_700, 73_800],
  ["closes at 24:00", "7,2,00:00,24:00", 2, 0, 86_400],
  ["closes at midnight", "7,3,18:00,00:00", 3, 64_800, 86_400],
  ["closes on the day after", "7,4,18:00,02:00", 4, 64_800, 93_600],
  ["closes a day later", "7,7,06:00,06:00", 7, 21_600, 108_000],
])("a zone that %s is open for the right time", (_label, line, day_of_week, opens_secs, closes_secs) => {
  expect(readLines(line).map(readOpeningHours)).toEqual([{ day_of_week, opens_secs, closes_secs }]);
});

it.each([
  ["touch", ["7,1,09:00,12:00", "7,1,12:00,18:00"]],
  ["are in another order", ["7,3,09:00,12:00", "7,1,09:00,12:00", "7,2,09:00,12:00"]],
  ["are of other zones", ["7,1,09:00,12:00", "8,1,09:00,12:00"]],
  ["are around the clock", ["7,1,06:00,06:00", "7,2,06:00,06:00", "7,7,06:00,06:00"]],
  ["are the only ones of a zone", ["7,1,06:00,06:00"]],
  ["end on Monday when others start", ["7,7,18:00,02:00", "7,1,02:00,05:00"]],
])("hours that %s are valid", (_label, lines) => expect(findOverlaps(...lines)).toEqual([]));

it.each([
  ["overlap", ["7,1,09:00,12:00", "7,1,11:59,13:00"], ["3: 7,1,11:59,13:00"]],
  ["are within others", ["7,1,09:00,18:00", "7,1,12:00,13:00"], ["3: 7,1,12:00,13:00"]],
  ["overlap the next day", ["7,2,01:00,05:00", "7,1,18:00,02:00"], ["3: 7,1,18:00,02:00"]],
  [
    "start on Monday, into which Sunday extends",
    ["7,7,18:00,02:00", "7,1,01:59,05:00"],
    ["3: 7,1,01:59,05:00"],
  ],
  ["extend from Sunday into Monday", ["7,1,01:00,05:00", "7,7,18:00,02:00"], ["3: 7,7,18:00,02:00"]],
  ["are repeated", ["7,1,09:00,12:00", "7,1,09:00,12:00"], ["3: 7,1,09:00,12:00"]],
  [
    "are of the same zone in another notation",
    ["07,1,09:00,12:00", "7,1,09:00,12:00"],
    ["3: 7,1,09:00,12:00"],
  ],
])("for hours that %s, the later line is rejected", (_label, lines, refused) => {
  expect(findOverlaps(...lines)).toEqual(
    refused.map((line) => `${line}: hours that do not overlap those of line 2`),
  );
});

it("all overlapping lines are reported in the order of the file, with the lines they overlap", () => {
  expect(
    findOverlaps(
      "8,2,09:00,12:00",
      "7,1,09:00,12:00",
      "9,1,09:00,12:00",
      "7,1,11:00,13:00",
      "8,2,11:00,13:00",
      "7,1,12:00,12:30",
    ),
  ).toEqual([
    "5: 7,1,11:00,13:00: hours that do not overlap those of line 3",
    "6: 8,2,11:00,13:00: hours that do not overlap those of line 2",
    "7: 7,1,12:00,12:30: hours that do not overlap those of line 5",
  ]);
});
