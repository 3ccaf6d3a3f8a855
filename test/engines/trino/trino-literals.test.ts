import { expect, it } from "vitest";
import { trinoLiteral, withParameters } from "../../../src/engines/trino/trino-engine.ts";

it.each([
  ["it's; -- ü\n", "'it''s; -- ü\n'"],
  [5, "bigint '5'"],
  [-3, "bigint '-3'"],
  [2n ** 63n - 1n, "bigint '9223372036854775807'"],
  [2n ** 63n, "decimal '9223372036854775808'"],
  [1.5, "double '1.5'"],
  [1e300, "double '1e+300'"],
  [1e18, "bigint '1000000000000000000'"],
  [2 ** 63, "decimal '9223372036854775808'"],
  [Number.NaN, "nan()"],
  [Number.NEGATIVE_INFINITY, "-infinity()"],
  [null, "null"],
  [false, "false"],
])("%s", (value, literal) => {
  expect(trinoLiteral(value)).toBe(literal);
});

it("is sent beside a statement that is a text itself", () => {
  expect(withParameters("select 'a', ?", ["b'"])).toBe("execute immediate 'select ''a'', ?' using 'b'''");
});
