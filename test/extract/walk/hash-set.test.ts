import fc from "fast-check";
import { expect, it } from "vitest";
import { HashSet } from "../../../src/extract/walk/distinct-lines.ts";

/** Some share a slot, some are repeated. */
const numbers = fc.array(
  fc.oneof(
    fc.nat({ max: 3000 }),
    fc.nat({ max: 40 }).map((index) => index * 1024),
    fc.maxSafeNat(),
  ),
  { maxLength: 3000, size: "max" },
);

it("behaves like a set of numbers of any size", () => {
  fc.assert(
    fc.property(numbers, (values) => {
      const [set, expected] = [new HashSet(), new Set<number>()];
      for (const value of values) {
        expect(set.add(value)).toBe(!expected.has(value));
        expected.add(value);
        expect(set.size).toBe(expected.size);
      }
      for (const value of values) expect(set.add(value)).toBe(false);
      expect(set.size).toBe(expected.size);
    }),
    { numRuns: 20, seed: 20261126, examples: [[Array.from({ length: 2000 }, (_, index) => index)]] },
  );
});
