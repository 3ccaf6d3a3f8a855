import { expect, it } from "vitest";
import { encodeTimes } from "../../../src/load/rules/campaign-dates.ts";
import { randomNumbers } from "../../support/random-numbers.ts";

it.each<[string, number[], string]>([
  ["none", [], ""],
  ["one", [32_400], "324000000000001"],
  ["two", [32_400, 43_200], "324001080000002"],
  ["each hour", Array.from({ length: 24 }, (_, hour) => hour * 3600), "000000360000024"],
  ["one, and another distance", [0, 60, 120, 300], "000000006000003003000000000001"],
])("times of a day as text: %s", (_label, times, code) => {
  expect(encodeTimes(times)).toBe(code);
});

it("decodes to the same times, run by run", () => {
  const random = randomNumbers(3);
  for (let round = 0; round < 200; round += 1) {
    const some = new Set(Array.from({ length: random(60) }, () => random(1440) * 60));
    const times = [...some].sort((a, b) => a - b);
    const runs = encodeTimes(times).match(/.{15}/g) ?? [];
    const decoded = runs.flatMap((run) => {
      const [first = 0, step = 0, count = 0] = (run.match(/.{5}/g) ?? []).map(Number);
      return Array.from({ length: count }, (_, index) => first + index * step);
    });
    expect(decoded).toEqual(times);
  }
});
