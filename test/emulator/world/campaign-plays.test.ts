import { describe, expect, it } from "vitest";
import type { ContentKind } from "../../../src/emulator/world/content/campaign.ts";
import type { TruePlay } from "../../../src/emulator/world/plays/true-play.ts";
import { World } from "../../../src/emulator/world/world.ts";

const world = new World();
const plays: Readonly<Record<ContentKind, readonly TruePlay[]>> = {
  signage: [...world.plays({ kind: "signage", visibleAt: world.endsAt })],
  messaging: [...world.plays({ kind: "messaging", visibleAt: world.endsAt })],
};

function datesOf(kind: ContentKind, assetId: number): string {
  const dates = plays[kind].filter(({ itemId }) => itemId === assetId).map(({ localDate }) => localDate);
  return [...new Set(dates)].sort().join(" ").replaceAll("2026-", "");
}

// Dates counted by hand from the campaigns' rules and dates.
describe("an asset plays on the days of its campaign's rule", () => {
  it.each<[string, ContentKind, number, string]>([
    ["COUNT", "signage", 12, "10-05 10-06 10-07 10-08 10-09 10-10 10-11 10-12 10-13 10-14"],
    ["INTERVAL=2 of weeks", "signage", 7, "10-06 10-20 11-03 11-17"],
    ["BYMONTHDAY", "signage", 8, "10-01 10-15 11-01 11-15"],
    ["the last of the month", "signage", 15, "09-30 10-31"],
    ["COUNT and an asset's own dates", "signage", 14, "10-05 10-12 10-19 10-26 11-02"],
    [
      "INTERVAL=2 and UNTIL",
      "signage",
      13,
      "09-28 09-30 10-02 10-04 10-06 10-08 10-10 10-12 10-14 10-16 10-18 10-20 10-22 10-24 10-26 10-28 10-30 11-01",
    ],
    [
      "INTERVAL=3 and COUNT",
      "messaging",
      7,
      "09-23 09-26 09-29 10-02 10-05 10-08 10-11 10-14 10-17 10-20 10-23 10-26 10-29 11-01 11-04",
    ],
    ["BYDAY and an end", "messaging", 4, "09-26 10-03 10-10 10-17 10-24 10-31 11-07"],
  ])("%s", (_label, kind, assetId, dates) => {
    expect(datesOf(kind, assetId)).toBe(dates);
  });

  it("only in BYHOUR hours", () => {
    const hours = plays.signage
      .filter(({ itemId }) => itemId === 9)
      .map((play) => new Date(play.startedAt + play.utcOffsetMinutes * 60_000).getUTCHours());
    expect(new Set(hours)).toEqual(new Set([11, 12, 13]));
  });

  it("not after its campaign is archived, nor before the day after it was added", () => {
    expect(datesOf("signage", 18)).toMatch(/^09-23 .* 10-13$/);
    expect(datesOf("signage", 17)).toMatch(/^10-24 .* 11-22$/);
  });

  it("not in a zone where its campaign is disabled", () => {
    const zonesOf = (assetId: number) =>
      new Set(plays.signage.filter(({ itemId }) => itemId === assetId).map(({ zoneId }) => zoneId));
    expect(zonesOf(6)).toEqual(new Set([81001, 81002, 81004, 81005, 81006, 81007]));
    const afterwards = plays.signage.filter(
      ({ itemId, zoneId, localDate }) => itemId === 1 && zoneId === 81005 && localDate > "2026-10-28",
    );
    expect(afterwards).toEqual([]);
  });
});

it("a listing shows the content at an instant", () => {
  const namesAt = (date: string) => world.campaigns("signage", 58429, new Date(date)).map(({ name }) => name);
  expect(namesAt("2026-10-12T23:59:59Z")).toContain("Back to School");
  expect(namesAt("2026-10-13T00:00:00Z")).not.toContain("Back to School");
});

it("an edited campaign plays and is listed with its edits", () => {
  const edited = new World({
    zones: 8,
    campaignEdits: [
      { kind: "messaging", campaignId: 2, day: 35, rule: "FREQ=WEEKLY;BYDAY=SU" },
      { kind: "messaging", campaignId: 2, day: 28, rule: "FREQ=WEEKLY;BYDAY=MO,TH", assetIds: [1] },
    ],
  });
  const played = [...edited.plays({ kind: "messaging", zoneIds: [81008], visibleAt: edited.endsAt })];
  const datesPlayed = (asset: number) => [
    ...new Set(played.filter(({ itemId }) => itemId === asset).map(({ localDate }) => localDate.slice(5))),
  ];
  // It was already October 21 in Berlin at the first edit.
  expect(datesPlayed(3).at(-1)).toBe("10-21");
  // The last night ends on a Sunday.
  expect(datesPlayed(1)).toEqual(["10-22", "10-26", "11-01", "11-08", "11-15", "11-22"]);
  const at = (day: number) => new Date((edited.plan.firstDay + day) * 86_400_000);
  const listed = [27.9, 28, 35].map((day) =>
    edited.campaigns("messaging", 58430, at(day)).find(({ campaign_id: id }) => id === "2"),
  );
  expect(listed.map((one) => [one?.rrule, one?.assets.map(({ asset_id: id }) => id)])).toEqual([
    ["FREQ=DAILY", [3]],
    ["FREQ=WEEKLY;BYDAY=MO,TH", [1]],
    ["FREQ=WEEKLY;BYDAY=SU", [1]],
  ]);
});
