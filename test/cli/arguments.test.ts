import { InvalidArgumentError } from "commander";
import { expect, it } from "vitest";
import { wholeNumber } from "../../src/cli/arguments.ts";

it.each([
  ["0", 0],
  ["3874013256351745", 3_874_013_256_351_745],
  ["9007199254740991", Number.MAX_SAFE_INTEGER],
])("a flag takes the whole number %s", (text, number) => {
  expect(wholeNumber(0)(text)).toBe(number);
});

it.each(["", "-1", "1.5", "1e3", "9007199254740992", "12345678901234567"])(
  "a flag takes no %j for a whole number",
  (text) => {
    expect(() => wholeNumber(0)(text)).toThrow(InvalidArgumentError);
  },
);
