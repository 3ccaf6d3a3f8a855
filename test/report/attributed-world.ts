import { listDaysBetween } from "../../src/util/local-date.ts";
import type { PublishedFixture } from "../support/published-fixture.ts";
import { generatePlays, publishedWorld, type WorldPlay, zones } from "./plays-world.ts";

const always = { from: "1900-01-01", to: "2099-12-31" };

interface Range {
  key: number;
  value: string;
  from: string;
  to: string;
}

/** Zone 12 changes its region, zone 16 gets one late, and zone 15 has none. */
const regions: readonly Range[] = [
  { key: 11, value: "North", ...always },
  { key: 12, value: "North", from: always.from, to: "2026-11-05" },
  { key: 12, value: "East, far", from: "2026-11-06", to: always.to },
  { key: 13, value: "<b>O'Brien</b>", ...always },
  { key: 14, value: "East, far", ...always },
  { key: 16, value: "North", from: "2026-11-10", to: always.to },
];
const managers = [11, 12, 13].map((key) => ({ key, value: "Ann", ...always }));
/** By item key: songs 1 to 3 are Jazz, song 4 is Rock. */
const genres: readonly Range[] = [4, 8, 12, 16].map((key) => ({
  key,
  value: key < 16 ? "Jazz" : "Rock",
  ...always,
}));

export const period = { from: "2026-10-24", to: "2026-11-20" };
const days = listDaysBetween(period.from, period.to);

export function regionOf(zoneId: number, date: string): string {
  return regions.find(({ key, from, to }) => key === zoneId && from <= date && date <= to)?.value ?? "(none)";
}

export const attributedPlays: readonly WorldPlay[] = generatePlays();

/** The world of plays with attributes, a campaign that zone 13 always missed, and devices up in all zones but 13. */
export function attributedWorld(): PublishedFixture {
  const world = publishedWorld("v000001", [...attributedPlays]);
  const bridge = (keyColumn: string, name: string, ranges: readonly Range[]) =>
    ranges.map(({ key, value, from, to }) => ({
      [keyColumn]: key,
      attribute_name: name,
      attribute_value: value,
      valid_from: from,
      valid_to: to,
    }));
  const zoneDays = zones.flatMap(({ zoneId }) => days.map((date) => ({ zone_id: zoneId, date })));
  const uptimeOf = (zoneId: number) => ({
    up_seconds: zoneId === 13 ? 0 : 86_400,
    down_seconds: zoneId === 13 ? 86_400 : 0,
    unknown_seconds: 0,
    open_up_seconds: 0,
    open_down_seconds: 0,
    planned_down_seconds: 0,
    silent_seconds: 0,
    playing_while_down_seconds: 0,
    outages: 0,
  });
  return {
    ...world,
    rows: {
      ...world.rows,
      bridge_zone_attribute: [
        ...bridge("zone_id", "region", regions),
        ...bridge("zone_id", "store_manager", managers),
      ],
      bridge_item_attribute: bridge("item_key", "genre", genres),
      bridge_campaign_attribute: bridge("campaign_key", "advertiser", [{ key: 5, value: "Acme", ...always }]),
      dim_campaign: [5, 9].map((key) => ({
        campaign_key: key,
        kind: "signage",
        campaign_id: (key - 1) / 4,
        campaign_name: `Campaign ${(key - 1) / 4}`,
      })),
      fact_campaign_zone_day: zoneDays.map(({ zone_id, date }) => ({
        campaign_key: 5,
        kind: "signage",
        zone_id,
        date,
        state: zone_id === 13 ? "missed" : "compliant",
        is_assumed: false,
        candidate_plays: zone_id === 13 ? 0 : 1,
        exclusive_plays: 0,
        complete_plays: 0,
        measured_plays: 0,
        active_assets: 1,
        played_assets: zone_id === 13 ? 0 : 1,
      })),
      dim_device: zones.map(({ zoneId }) => ({
        device_id: zoneId * 10,
        zone_id: zoneId,
        ...([13, 16].includes(zoneId)
          ? { status: "offline", state: "down", last_online_at: "2026-11-20T04:00:00Z" }
          : { status: "online", state: "up" }),
        first_seen_at: "2026-10-01T00:00:00Z",
        last_seen_at: "2026-11-21T04:00:00Z",
      })),
      fact_device_day: zoneDays.map((day) => ({
        ...day,
        device_id: day.zone_id * 10,
        ...uptimeOf(day.zone_id),
      })),
      fact_zone_uptime: zoneDays.map((day) => ({
        ...day,
        start_at: `${day.date}T00:00:00Z`,
        end_at: `${day.date}T23:59:59Z`,
        ...uptimeOf(day.zone_id),
      })),
      fact_snapshot: [
        {
          snapshot_id: 1,
          source: "devices",
          group_id: 1,
          requested_at: "2026-11-21T04:00:00Z",
          loaded_at: "2026-11-21T04:01:00Z",
          records: 6,
          rejected: 0,
        },
      ],
    },
  };
}
