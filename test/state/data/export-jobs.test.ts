import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { openDataState } from "../../../src/state/data/data-state.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

const service = "https://venue.test/v5";

/** The speed derived from downloads, each given as bytes and milliseconds. */
function speedAfter(...downloads: readonly (readonly [number, number])[]): number | undefined {
  const state = openDataState(join(createTempFolder(), "state.db"));
  onTestFinished(() => state.close());
  for (const [bytes, ms] of downloads) {
    const { id } = state.exportJobs.begin(service, "music", 1, new Date());
    state.exportJobs.setDownload(id, bytes, ms);
  }
  return state.exportJobs.bytesPerSecond(service);
}

it("computes the download speed from long downloads, despite many small files since", () => {
  const small = Array.from({ length: 12 }, () => [20_000, 200] as const);
  expect(speedAfter([100_000_000, 20_000], ...small)).toBe(5_000_000);
  expect(speedAfter(...small)).toBe(undefined);
});

const hourMs = 3_600_000;

it.each([
  ["a day ago", -24 * hourMs, 24 * hourMs, 1],
  ["eight days ago", -8 * 24 * hourMs, 0, 0],
  ["in an hour, because the clock was set back", hourMs, hourMs, 1],
  ["in a year, because the clock was set back", 365 * 24 * hourMs, 0, 0],
])("finds an export that failed %s", (_label, fromNowMs, sinceFailureMs, failures) => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ["Date"] });
  const now = Date.now();
  const state = openDataState(join(createTempFolder(), "state.db"));
  onTestFinished(() => state.close());
  vi.setSystemTime(now + fromNowMs);
  const { id } = state.exportJobs.begin(service, "music", 1, new Date());
  state.exportJobs.update(id, { state: "failed", error: "no reason given" });
  vi.setSystemTime(now);
  expect(state.exportJobs.record(service, "music", 1)).toMatchObject({ sinceFailureMs, failures });
});
