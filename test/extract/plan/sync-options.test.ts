import { expect, it } from "vitest";
import { Settings } from "../../../src/config/settings.ts";
import { computeZoneListings } from "../../../src/extract/plan/sync-options.ts";
import { computePace, estimateSendSeconds } from "../../../src/state/client/pace.ts";

it.each([
  ["0.05", 30],
  ["0.3", 180],
  ["1", 600],
  ["1.9", 600],
  ["2.5", 1200],
  ["20", 12_000],
])("requests as many zone listings as fit into 10 minutes: %s per second", (rate, expected) => {
  const environment = { VENUE_RATE_PER_SECOND: rate };
  const settings = new Settings({ flags: {}, environment, workingFolder: "/" });
  const options = { topics: ["campaigns"], keepLandingDays: 7, campaignMinutes: 10 } as const;
  expect(computeZoneListings(settings, options)).toBe(expected);
  // Each window adds a margin.
  expect(estimateSendSeconds(expected, computePace(Number(rate))) / 60).toBeCloseTo(10, -1);
});
