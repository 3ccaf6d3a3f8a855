import type { PublishedFixture } from "../support/published-fixture.ts";

/** A play, as counted by the tests. */
export interface WorldPlay {
  kind: "music" | "signage" | "messaging";
  zoneId: number;
  itemId: number;
  artistId: number | null;
  /** `YYYY-MM-DDTHH:MM:SS` on the zone's clock. */
  local: string;
  offsetMinutes: number;
  durationSecs: number;
}

export const kindNumbers = { music: 0, signage: 1, messaging: 2 };

/**
 * Zone 13 is in two groups, zone 15 in none and without a location, zone 16 never played. In the period, the
 * clocks of zones 11 to 13 changed.
 */
export const zones = [
  {
    zoneId: 11,
    zoneName: "Bar",
    locationId: 1,
    groupIds: [1],
    timeZone: "Europe/Berlin",
    offsets: [120, 60, "2026-10-25"],
  },
  {
    zoneId: 12,
    zoneName: "=Gym()",
    locationId: 1,
    groupIds: [1],
    timeZone: null,
    offsets: [120, 60, "2026-10-25"],
  },
  {
    zoneId: 13,
    zoneName: "Shop | <b>",
    locationId: 2,
    groupIds: [1, 2],
    timeZone: null,
    offsets: [-240, -300, "2026-11-01"],
  },
  {
    zoneId: 14,
    zoneName: "مقهى",
    locationId: 3,
    groupIds: [2],
    timeZone: null,
    offsets: [0, 0, "2026-01-01"],
  },
  {
    zoneId: 15,
    zoneName: "Zone 15",
    locationId: null,
    groupIds: [],
    timeZone: null,
    offsets: [540, 540, "2026-01-01"],
  },
  {
    zoneId: 16,
    zoneName: "Silent",
    locationId: 3,
    groupIds: [2],
    timeZone: null,
    offsets: [0, 0, "2026-01-01"],
  },
] as const;

/** Seconds; others are unknown. */
export const assetDurations: Readonly<Record<string, number>> = {
  "signage 1": 40,
  "signage 2": 15,
  "messaging 1": 25,
};

export const artistName = (artistId: number) => `Artist ${artistId}`;
export const itemName = (kind: string, itemId: number) => `${kind} item ${itemId}`;

/** Zones 14 and 15 are open from 08:00 to 01:00 each day. */
export const openings = zones
  .filter(({ zoneId }) => zoneId === 14 || zoneId === 15)
  .flatMap(({ zoneId, offsets }) =>
    Array.from({ length: 41 }, (_, day) => {
      const at = (hours: number) =>
        new Date(Date.UTC(2026, 9, 11 + day, hours) - offsets[0] * 60_000).toISOString();
      return {
        zone_id: zoneId,
        date: new Date(Date.UTC(2026, 9, 11 + day)).toISOString().slice(0, 10),
        opens_at: at(8),
        closes_at: at(25),
      };
    }),
  );

/** About 3,000 plays on the 40 days to 2026-11-20; the same on every call. */
export function generatePlays(): WorldPlay[] {
  const random = createRandom(7);
  const plays: WorldPlay[] = [];
  for (const { zoneId, offsets } of zones.filter((zone) => zone.zoneId !== 16)) {
    for (let day = 0; day < 40; day += 1) {
      const date = new Date(Date.UTC(2026, 9, 12 + day)).toISOString().slice(0, 10);
      const [before, after, changedOn] = offsets;
      for (let index = 0; index < 15; index += 1) {
        const minute = index * 96 + Math.floor(random() * 90);
        const time = new Date(minute * 60_000).toISOString().slice(11, 19);
        const kind =
          (["music", "music", "signage", "messaging"] as const)[Math.floor(random() * 4)] ?? "music";
        const itemId = 1 + Math.floor(random() * 6);
        plays.push({
          kind,
          zoneId,
          itemId,
          // Song 6 is listed under two artists.
          artistId: kind === "music" ? (itemId === 6 ? 1 + (index % 2) : 1 + (itemId % 3)) : null,
          local: `${date}T${time}`,
          // The hour that a spring or autumn change makes ambiguous: both sides occur.
          offsetMinutes: date < changedOn || (date === changedOn && minute < 150) ? before : after,
          durationSecs: 1 + Math.floor(random() * 60),
        });
      }
    }
  }
  return plays;
}

export function publishedWorld(version: string, plays: readonly WorldPlay[]): PublishedFixture {
  const factPlays = plays.map(factPlay);
  return {
    version,
    dataAsOf: "2026-11-21T04:10:00.000Z",
    rows: {
      dim_zone: zones.map(({ zoneId, zoneName, locationId, groupIds, timeZone }) => {
        const dates = factPlays.filter((play) => play.zone_id === zoneId).map(({ date }) => date);
        return {
          zone_id: zoneId,
          zone_name: zoneName,
          location_id: locationId,
          home_group_id: groupIds[0] ?? null,
          time_zone: timeZone,
          first_play_date: dates.reduce<string | null>((a, b) => (a === null || b < a ? b : a), null),
          last_play_date: dates.reduce<string | null>((a, b) => (a === null || b > a ? b : a), null),
        };
      }),
      dim_location: [1, 2, 3].map((id) => ({ location_id: id, location_name: `Location ${id}` })),
      dim_group: [
        { group_id: 1, group_name: "Bars" },
        { group_id: 2, group_name: "Group 2" },
      ],
      fact_freshness: [1, 2].flatMap((groupId) =>
        Object.keys(kindNumbers).map((kind) => ({
          group_id: groupId,
          kind,
          source: "export",
          requested_at: "2026-11-21 04:10:00",
        })),
      ),
      bridge_group_zone: zones.flatMap(({ zoneId, groupIds }) =>
        groupIds.map((groupId) => ({ group_id: groupId, zone_id: zoneId })),
      ),
      dim_item: Object.entries(kindNumbers).flatMap(([kind, number]) =>
        [1, 2, 3, 4, 5, 6].map((itemId) => ({
          item_key: itemId * 4 + number,
          kind,
          item_id: itemId,
          item_name: itemName(kind, itemId),
          asset_duration: assetDurations[`${kind} ${itemId}`] ?? null,
        })),
      ),
      dim_artist: [1, 2, 3].map((id) => ({ artist_id: id, artist_name: artistName(id) })),
      fact_play: factPlays,
      fact_play_day: factPlayDays(factPlays),
    },
  };
}

function factPlay({ kind, zoneId, itemId, artistId, local, offsetMinutes, durationSecs }: WorldPlay) {
  const length = assetDurations[`${kind} ${itemId}`];
  return {
    kind,
    zone_id: zoneId,
    item_key: itemId * 4 + kindNumbers[kind],
    artist_id: artistId,
    played_at: new Date(Date.parse(`${local}Z`) - offsetMinutes * 60_000).toISOString(),
    played_at_local: local,
    utc_offset_minutes: offsetMinutes,
    date: local.slice(0, 10),
    play_hour: Number(local.slice(11, 13)),
    duration_secs: durationSecs,
    is_complete: length === undefined ? null : durationSecs >= length - 1,
    is_short: kind === "music" ? durationSecs < 30 : null,
  };
}

function factPlayDays(plays: readonly ReturnType<typeof factPlay>[]) {
  const days = new Map<string, Record<string, string | number | null>>();
  for (const { kind, zone_id, item_key, artist_id, date, duration_secs, is_complete, is_short } of plays) {
    const key = [kind, zone_id, item_key, artist_id, date].join();
    const day = days.get(key) ?? {
      kind,
      zone_id,
      item_key,
      artist_id,
      date,
      plays: 0,
      play_seconds: 0,
      complete_plays: 0,
      measured_plays: 0,
      short_plays: 0,
    };
    const add = (name: string, amount: number) => {
      day[name] = Number(day[name]) + amount;
    };
    add("plays", 1);
    add("play_seconds", duration_secs);
    add("complete_plays", is_complete ? 1 : 0);
    add("measured_plays", is_complete === null ? 0 : 1);
    add("short_plays", is_short ? 1 : 0);
    days.set(key, day);
  }
  return [...days.values()];
}

/** Pseudorandom numbers from 0 to 1, repeatable by seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
