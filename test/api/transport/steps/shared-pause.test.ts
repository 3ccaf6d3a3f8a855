import { expect, it } from "vitest";
import { SharedPause } from "../../../../src/api/transport/steps/shared-pause.ts";
import { monotonicMs } from "../../../../src/util/clock.ts";

it("doubles with each refusal up to a bound, counts what was under way together once, and begins anew", () => {
  const pause = new SharedPause({ firstDelayMs: 500, longestDelayMs: 1500 });
  const sentMs = monotonicMs() - 1;
  expect(pause.afterRefusalOf(sentMs)).toBe(500);
  expect(pause.afterRefusalOf(sentMs)).toBeUndefined();
  expect(pause.afterRefusalOf(monotonicMs())).toBe(1000);
  expect(pause.afterRefusalOf(monotonicMs())).toBe(1500);
  pause.end();
  expect(pause.afterRefusalOf(monotonicMs())).toBe(500);
});
