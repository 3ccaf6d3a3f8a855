import { expect, it } from "vitest";
import { listWholeRanges, rangesOf } from "../../src/build/dirty-days.ts";
import { topics } from "../../src/mart/topic.ts";
import { FedWarehouse } from "./fed-warehouse.ts";

const days = [3, 3, 1, 5].map((plays, index) => ({ date: `2026-03-0${index + 1}`, plays }));

it.each([
  [100, ["0001-01-01..9999-12-31"]],
  [6, ["0001-01-01..2026-03-02", "2026-03-03..9999-12-31"]],
  [7, ["0001-01-01..2026-03-03", "2026-03-04..9999-12-31"]],
  [
    1,
    ["0001-01-01..2026-03-01", "2026-03-02..2026-03-02", "2026-03-03..2026-03-03", "2026-03-04..9999-12-31"],
  ],
])("days of about %i plays: ranges without gaps, open at both ends", (playsAtOnce, expected) => {
  expect(rangesOf(days, playsAtOnce).map(({ from, to }) => `${from}..${to}`)).toEqual(expected);
});

it("models of plays are built by so many plays, those of campaigns by month, those of devices at once", async () => {
  const fed = await FedWarehouse.open();
  const line = {
    zone_id: 1,
    zone_name: "A zone",
    location_id: 1,
    location_name: "A place",
    duration_secs: 10,
  };
  const plays = ["2026-09-30", "2026-10-01"].map((date) => ({
    ...{ ...line, play_start: `${date}T12:00:00+00:00`, asset_id: 1, asset_name: "An asset" },
  }));
  await fed.history("signage", plays, new Date("2026-10-02T06:00:00Z"));
  await fed.campaigns({ zoneId: 1 }, [], new Date("2026-10-02T06:00:00Z"));
  const asked = await Promise.all(topics.map((topic) => listWholeRanges(fed.warehouse, topic, 1)));
  expect(Object.fromEntries(topics.map((topic, index) => [topic, asked[index]]))).toEqual({
    plays: [
      { from: "0001-01-01", to: "2026-09-30" },
      { from: "2026-10-01", to: "9999-12-31" },
    ],
    campaigns: [
      { from: "2026-09-01", to: "2026-09-30" },
      { from: "2026-10-01", to: "2026-10-31" },
    ],
    devices: undefined,
  });
});
