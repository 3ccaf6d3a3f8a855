import { expect, it } from "vitest";
import { SlidingWindow } from "../../../../src/emulator/server/requests/rate-limit.ts";

it.each([
  ["one a second", 1, [0, 999, 1000, 1500, 2000], "y n y n y"],
  ["refused requests do not count", 1, [0, 500, 900, 1000], "y n n y"],
  ["three in any second", 3, [0, 100, 200, 300, 999, 1000, 1050, 1100], "y y y n n y n y"],
  ["less than one a second", 0.5, [0, 1500, 2000], "y n y"],
])("%s", (_label, rate, arrivals, granted) => {
  const window = new SlidingWindow(rate);
  expect(arrivals.map((arrivedAtMs) => (window.grants(arrivedAtMs) ? "y" : "n")).join(" ")).toBe(granted);
});
