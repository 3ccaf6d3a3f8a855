import { expect, it } from "vitest";
import { parseTrinoType, trinoValueReader } from "../../../src/engines/trino/trino-answer.ts";

it.each([
  ["varchar(12)", "VARCHAR"],
  ["decimal(21, 1)", "DECIMAL(21,1)"],
  ["timestamp(6)", "TIMESTAMP"],
  ["timestamp(3) with time zone", "TIMESTAMP WITH TIME ZONE"],
  ["array(array(decimal(2, 1)))", "DECIMAL(2,1)[][]"],
  ["double", "DOUBLE"],
  ["row(a integer, b varchar(1))", "STRUCT"],
])("the type %s", (type, word) => {
  expect(parseTrinoType(type).word).toBe(word);
});

it.each([
  ["bigint", "9007199254740993", 9007199254740993n],
  ["bigint", 12, 12],
  ["double", "NaN", Number.NaN],
  ["decimal(4,2)", "1.50", 1.5],
  ["timestamp(6)", "2026-01-02 03:04:10.120000", "2026-01-02 03:04:10.12"],
  ["timestamp(6)", "2026-01-02 03:04:10.000000", "2026-01-02 03:04:10"],
  ["timestamp(0)", "2026-01-02 03:04:00", "2026-01-02 03:04:00"],
  ["timestamp(3) with time zone", "2026-01-02 01:04:10.500 +02:00", "2026-01-01 23:04:10.5"],
  ["timestamp(3) with time zone", "2026-01-02 01:04:10.500 UTC", "2026-01-02 01:04:10.5"],
  ["array(bigint)", [1, null, "9007199254740993"], [1, null, 9007199254740993n]],
  ["varbinary", "qyBh", "\\xAB a"],
  ["row(a integer)", [1], "[1]"],
  ["date", null, null],
])("a %s: %s", (type, value, expected) => {
  expect(trinoValueReader(parseTrinoType(type))(value)).toEqual(expected);
});

it("does not guess what a named time zone's clock was ahead", () => {
  const read = trinoValueReader(parseTrinoType("timestamp(0) with time zone"));
  expect(() => read("2026-01-02 03:04:05 Europe/Berlin")).toThrow("at time zone 'UTC'");
});
