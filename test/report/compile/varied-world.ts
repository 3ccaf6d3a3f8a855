import { listDaysBetween } from "../../../src/util/local-date.ts";
import type { PublishedFixture } from "../../support/published-fixture.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { campaignKeys, drawnWorld, groupBy, period, zoneIds } from "../drawn-world.ts";

/** Days with data, in a quarter and the next. */
export const days = listDaysBetween(period.from, period.to);
/** Days with plays: more months, within which attributes change. */
export const playDays = listDaysBetween("2026-07-20", "2026-12-10");
const draw = randomNumbers(11);
const pick = <Item>(items: readonly Item[]): Item => items[draw(items.length)] as Item;

const zones = zoneIds.slice(0, 12);
/** Zones 1 and 2 are in two groups, zone 12 in none. */
const groups: Readonly<Record<number, readonly number[]>> = {
  1: [1, 2, 3, 4, 5],
  2: [1, 2, 6, 7, 8],
  3: [9, 10, 11],
};
export function groupsOf(zone: number): number[] {
  return [1, 2, 3].filter((group) => groups[group]?.includes(zone));
}
/** The first starts and ends past midnight; the evening is in no daypart. */
export const dayparts = [
  { daypart: "night", from_secs: 79_200, to_secs: 111_600 },
  { daypart: "day", from_secs: 36_000, to_secs: 64_800 },
];

/** Attributes with the values of `region`, whose names mean something in SQL or within a statement. */
export const oddNames = ["order", "end", "select", "place", "step", "is_there", "is_now", "attribute_1", "f"];

/**
 * The drawn world, made harder: groups, songs of two artists, plays without a known length, dayparts past
 * midnight, several devices in a zone with changing firmware, outages, silences, and shares of plays.
 */
export function variedWorld(): PublishedFixture {
  // Files in one worker share the numbers drawn, so it is drawn once.
  drawn ??= drawVariedWorld();
  return drawn;
}

let drawn: PublishedFixture | undefined;

function drawVariedWorld(): PublishedFixture {
  const world = drawnWorld();
  const plays = (world.rows.fact_play ?? [])
    .filter(({ zone_id }) => zones.includes(Number(zone_id)))
    .map((play) => {
      const [minute, isMusic] = [draw(60), play.kind === "music"];
      const date = draw(3) === 0 ? pick(playDays) : String(play.date);
      const time = `${date}T${String(play.play_hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
      return {
        ...play,
        date,
        played_at: `${time}:00Z`,
        played_at_local: `${time}:00`,
        artist_id: isMusic ? (Number(play.item_key) % 3) + 1 + draw(2) : null,
        is_complete: isMusic || Number(play.item_key) % 3 === 0 ? null : draw(2) === 0,
      } as unknown as Play;
    });
  const perDay = groupBy(plays, ({ zone_id, item_key, artist_id, date }) =>
    [zone_id, item_key, artist_id, date].join(),
  );
  const devices = zones.flatMap((zone) =>
    zone === 12 ? [] : zone % 3 === 0 ? [10 * zone, 10 * zone + 1] : [10 * zone],
  );
  const deviceDays = devices.flatMap((device) =>
    days.map((date) => ({ device_id: device, zone_id: Math.floor(device / 10), date, ...drawSeconds() })),
  );
  return {
    ...world,
    rows: {
      ...world.rows,
      dim_group: Object.keys(groups).map((id) => ({ group_id: Number(id), group_name: `Group ${id}` })),
      bridge_group_zone: Object.entries(groups).flatMap(([id, members]) =>
        members.map((zone) => ({ group_id: Number(id), zone_id: zone })),
      ),
      bridge_zone_attribute: (world.rows.bridge_zone_attribute ?? []).flatMap((value) => [
        value,
        ...(value.attribute_name === "region"
          ? oddNames.map((name) => ({ ...value, attribute_name: name }))
          : []),
      ]),
      dim_artist: [1, 2, 3, 4].map((id) => ({ artist_id: id, artist_name: `Artist ${id}` })),
      dim_daypart: dayparts,
      fact_play: plays,
      fact_play_day: [...perDay.values()].map((of) => ({
        ...chooseKeys(of[0] as Play),
        plays: of.length,
        play_seconds: of.reduce((sum, { duration_secs }) => sum + duration_secs, 0),
        complete_plays: of.filter(({ is_complete }) => is_complete).length,
        measured_plays: of.filter(({ is_complete }) => is_complete !== null).length,
        short_plays: of.filter(({ is_short }) => is_short).length,
      })),
      fact_campaign_zone_day: (world.rows.fact_campaign_zone_day ?? [])
        .filter(({ zone_id }) => zones.includes(Number(zone_id)))
        .map((cell) => {
          const plays = pick([0, 0, 1, 3]);
          return {
            ...cell,
            is_assumed: draw(4) === 0,
            candidate_plays: plays,
            play_seconds: 20 * plays,
            exclusive_plays: draw(plays + 1),
            weighted_plays: plays / pick([1, 2, 3]),
            weighted_seconds: (20 * plays) / 3,
            complete_plays: draw(plays + 1),
            measured_plays: plays,
            active_assets: 3,
            played_assets: draw(4),
            due_times: pick([null, 2, 4]),
            met_times: draw(3),
          };
        }),
      fact_device_day: deviceDays,
      fact_zone_uptime: zones.flatMap((zone) =>
        days.map((date) => ({ zone_id: zone, date, ...drawSeconds() })),
      ),
      bridge_device_firmware: devices.flatMap((device) => {
        const versions = { device_id: device, platform: pick(["linux", ""]), model: pick(["A", "B", ""]) };
        return device % 4 === 0
          ? []
          : [
              { ...versions, firmware: "1.0", valid_from: "1900-01-01", valid_to: "2026-09-25" },
              {
                ...versions,
                firmware: pick(["1.1", "2.0"]),
                valid_from: "2026-09-26",
                valid_to: "2099-12-31",
              },
            ];
      }),
      fact_snapshot: [1, 2].flatMap((group) =>
        Array.from({ length: 20 }, (_, index) => ({
          snapshot_id: 100 * group + index,
          source: "devices",
          group_id: group,
          requested_at: `2026-09-${20 + Math.floor(index / 2)} ${String(group + 11 * (index % 2)).padStart(2, "0")}:00:00`,
          loaded_at: "2026-10-20 05:00:00",
          records: 6,
          rejected: 0,
        })),
      ),
      dim_campaign: (world.rows.dim_campaign ?? []).filter(({ campaign_key }) =>
        campaignKeys.includes(Number(campaign_key)),
      ),
    },
  };
}

/** Columns of `fact_play` that are used here. */
type Play = {
  kind: string;
  zone_id: number;
  item_key: number;
  artist_id: number | null;
  date: string;
  duration_secs: number;
  is_complete: boolean | null;
  is_short: boolean | null;
};

function chooseKeys({ kind, zone_id, item_key, artist_id, date }: Play) {
  return { kind, zone_id, item_key, artist_id, date };
}

function drawSeconds() {
  const down = pick([0, 0, draw(9000)]);
  return {
    up_seconds: draw(80_000),
    down_seconds: down,
    unknown_seconds: draw(400),
    open_up_seconds: draw(30_000),
    open_down_seconds: draw(down + 1),
    planned_down_seconds: draw(down + 1),
    silent_seconds: pick([0, draw(4000)]),
    playing_while_down_seconds: draw(down + 1),
    outages: down > 900 ? 1 + draw(2) : 0,
  };
}
