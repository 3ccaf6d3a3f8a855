import { expect, it } from "vitest";
import { readExactInteger } from "../../../src/load/history/judge-lines.ts";

it.each([
  ["77", 77],
  ["-77", -77],
  ["0", 0],
  ["77.0", 77],
  ["77.000", 77],
  ['"77"', 77],
  ['"-7"', -7],
  ['"007"', 7],
  ['"\\u0037"', 7],
  ["9007199254740993", 2 ** 53],
])("%s is a whole number", (json, integer) => {
  expect(readExactInteger(json)).toBe(integer);
});

it.each([
  "77.5",
  "77.05",
  "1e3",
  "1E3",
  '"77.0"',
  '"1e3"',
  '"+7"',
  '" 7"',
  '"7 "',
  '"7x"',
  '"x7"',
  '""',
  '"-"',
  "true",
  "null",
  "[7]",
  '{"a":7}',
  "NaN",
  "-Infinity",
])("%s is not a whole number", (json) => {
  expect(readExactInteger(json)).toBeUndefined();
});
