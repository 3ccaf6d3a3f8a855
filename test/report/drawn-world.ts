import { addDays, listDaysBetween } from "../../src/util/local-date.ts";
import type { PublishedFixture } from "../support/published-fixture.ts";
import { randomNumbers } from "../support/random-numbers.ts";

/** The published version of the world that is drawn below, whose attributes change over time. */
export function drawnWorld(): PublishedFixture {
  const bridge = (subject: Subject, key: string) =>
    attributes[subject].map((one) => ({
      [key]: one.key,
      attribute_name: one.name,
      attribute_value: one.value,
      valid_from: one.from,
      valid_to: one.to,
    }));
  const factPlays = plays.map(({ zone, item, kind, date, hour, seconds }) => ({
    kind,
    zone_id: zone,
    item_key: item,
    played_at: `${date}T${String(hour).padStart(2, "0")}:00:00Z`,
    played_at_local: `${date}T${String(hour).padStart(2, "0")}:00:00`,
    date,
    play_hour: hour,
    duration_secs: seconds,
    is_short: kind === "music" ? seconds < 30 : null,
  }));
  const playDays = groupBy(factPlays, (play) => [play.zone_id, play.item_key, play.date].join());
  return {
    version: "v000001",
    dataAsOf: "2026-11-21T04:10:00.000Z",
    rows: {
      dim_zone: zoneIds.map((id) => ({
        zone_id: id,
        zone_name: `Zone ${id}`,
        location_id: locationOf(id),
        first_play_date: period.from,
        last_play_date: period.to,
      })),
      dim_location: cities.map((city, index) => ({
        location_id: index + 1,
        location_name: `Location ${index + 1}`,
        city,
      })),
      dim_item: itemKeys.map((key) => ({
        item_key: key,
        kind: kinds[key % 4] ?? "",
        item_id: Math.floor(key / 4),
        item_name: `Item ${key}`,
      })),
      dim_campaign: campaignKeys.map((key) => ({
        campaign_key: key,
        kind: kinds[key % 4] ?? "",
        campaign_id: Math.floor(key / 4),
        campaign_name: `Campaign ${key}`,
      })),
      dim_daypart: [{ daypart: "morning", from_secs: 0, to_secs: 43_200 }],
      bridge_zone_attribute: bridge("zone", "zone_id"),
      bridge_item_attribute: bridge("item", "item_key"),
      bridge_campaign_attribute: bridge("campaign", "campaign_key"),
      fact_play: factPlays,
      fact_play_day: [...playDays.values()].map((of) => ({
        kind: of[0]?.kind ?? "",
        zone_id: of[0]?.zone_id ?? 0,
        item_key: of[0]?.item_key ?? 0,
        date: of[0]?.date ?? "",
        plays: of.length,
        play_seconds: of.reduce((sum, { duration_secs }) => sum + duration_secs, 0),
        complete_plays: 0,
        measured_plays: 0,
        short_plays: of.filter(({ is_short }) => is_short).length,
      })),
      fact_campaign_zone_day: cells.map(({ campaign, zone, date, state }) => ({
        campaign_key: campaign,
        kind: kinds[campaign % 4] ?? "",
        zone_id: zone,
        date,
        state,
        is_assumed: false,
        candidate_plays: 1,
        exclusive_plays: 0,
        complete_plays: 0,
        measured_plays: 0,
        active_assets: 1,
        played_assets: 1,
      })),
      // Shows when the device data begins; zones count by their own days.
      fact_device_day: [{ device_id: 1, zone_id: 1, date: period.from }],
      fact_zone_uptime: uptime.map(({ zone, date, up, down, unknown }) => ({
        zone_id: zone,
        date,
        up_seconds: up,
        down_seconds: down,
        unknown_seconds: unknown,
        open_up_seconds: up,
        open_down_seconds: down,
        planned_down_seconds: 0,
        silent_seconds: 0,
        playing_while_down_seconds: 0,
        outages: 0,
      })),
      fact_zone_open_day: uptime.map(({ zone, date, up, quiet }) => ({
        zone_id: zone,
        date,
        open_seconds: up,
        quiet_seconds: quiet,
        silent_seconds: Math.floor(quiet / 2),
        quiet_down_seconds: Math.floor(quiet / 3),
      })),
    },
  };
}

/** The period crosses the end of a quarter. */
export const period = { from: "2026-09-15", to: "2026-10-12" };
const days = listDaysBetween(period.from, period.to);
const draw = randomNumbers(1);
const pick = <Item>(items: readonly Item[]): Item => items[draw(items.length)] as Item;

interface Range {
  key: number;
  name: string;
  value: string;
  from: string;
  to: string;
}

/** Values of an attribute over time: none, one for all days, or several with a gap. */
function drawRanges(keys: readonly number[], name: string, values: readonly string[]): Range[] {
  return keys.flatMap((key): Range[] => {
    const [first, second] = [addDays(period.from, draw(20)), addDays(period.from, 21 + draw(5))];
    const ranges = pick([
      [],
      [["1900-01-01", "2099-12-31"]],
      [["1900-01-01", "2099-12-31"]],
      [
        ["1900-01-01", first],
        [addDays(first, 1), "2099-12-31"],
      ],
      [
        ["1900-01-01", first],
        [second, "2099-12-31"],
      ],
    ]) as [string, string][];
    return ranges.map(([from, to]) => ({ key, name, value: pick(values), from, to }));
  });
}

export const zoneIds = Array.from({ length: 40 }, (_, index) => index + 1);
/** Two locations share a city, one has none. */
const cities = ["London", "Berlin", "London", null];
export const locationOf = (zone: number) => (zone % 5 === 0 ? null : zone % 5);
export const cityOf = (zone = 0) => cities[(locationOf(zone) ?? 0) - 1] ?? null;
const itemKeys = Array.from({ length: 60 }, (_, index) => 4 * (index + 1) + (index % 3));
const campaignKeys = [5, 9, 14, 18];
const attributes = {
  zone: [
    ...drawRanges(zoneIds, "region", ["North", "South", "East, far", "O'Brien"]),
    ...drawRanges(zoneIds, "brand", ["A", "B"]),
  ],
  item: [
    ...drawRanges(itemKeys, "genre", ["Jazz", "Rock", "Ad"]),
    ...drawRanges(itemKeys, "language", ["en", "de"]),
  ],
  campaign: drawRanges(campaignKeys, "advertiser", ["Acme", "Bolt"]),
};
export type Subject = keyof typeof attributes;
export const subjectOf: Readonly<Record<string, Subject>> = {
  region: "zone",
  brand: "zone",
  genre: "item",
  language: "item",
  advertiser: "campaign",
};

/** The value on a day according to the files. */
export function toAttributeName(name: string, keys: Partial<Record<Subject, number>>, date: string): string {
  const subject = subjectOf[name] as Subject;
  const range = attributes[subject].find(
    (one) => one.name === name && one.key === keys[subject] && one.from <= date && date <= one.to,
  );
  return range?.value ?? "(none)";
}

const kinds = ["music", "signage", "messaging"] as const;
export const plays = Array.from({ length: 10_000 }, () => {
  const itemKey = pick(itemKeys);
  return {
    zone: pick(zoneIds),
    item: itemKey,
    kind: kinds[itemKey % 4] as string,
    date: pick(days),
    hour: draw(24),
    seconds: 1 + draw(60),
  };
});
const states = [
  "compliant",
  "missed",
  "missed_offline",
  "closed",
  "not_measurable",
  "pending",
  "unscheduled",
];
export const cells = campaignKeys.flatMap((campaign) =>
  zoneIds.flatMap((zone) =>
    days.flatMap((date) => (draw(3) === 0 ? [] : [{ campaign, zone, date, state: pick(states) }])),
  ),
);
export const uptime = zoneIds.flatMap((zone) =>
  days.map((date) => {
    const up = draw(86_400);
    const down = draw(4000);
    // Some zones are without any loss.
    return {
      ...{ zone, date, up, down: zone % 7 === 0 ? 0 : down, unknown: draw(100) },
      quiet: zone % 3 === 0 ? up % 700 : 0,
    };
  }),
);

export function groupBy<One>(all: readonly One[], keyOf: (one: One) => string): Map<string, One[]> {
  const groups = new Map<string, One[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}
