import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openDataState } from "../../../src/state/data/data-state.ts";
import { addDays, listDaysBetween } from "../../../src/util/local-date.ts";
import { type PublishedFixture, publishFixture } from "../../support/published-fixture.ts";

/** A world in which Acme shares a zone, an asset and a campaign with other customers, who have distinct texts and ids. */

export const days = listDaysBetween("2026-11-01", "2026-11-20");
/** Campaign 103 belongs to Acme from one day on, 104 until another; otherwise, to the first stranger. */
export const acmeSince = "2026-11-10";
export const acmeUntil = "2026-11-05";
/** A booking of 103 within Acme's days; its other booking and that of 104 have neither start nor end. */
export const acmeBooking = { from: "2026-11-12", to: "2026-11-18" };
const always = { valid_from: "1900-01-01", valid_to: "2099-12-31" };
const at = (date: string, time = "00:00:00") => `${date}T${time}Z`;
const seen = { seen_from_at: at("2026-10-01"), last_seen_at: at("2026-11-21") };

/** Another customer. */
interface Stranger {
  /** Word in all its names. */
  word: string;
  /** All its ids are above this. */
  base: number;
  plays: number;
}

/** The other customers of two worlds that are the same to Acme. */
export const strangers: readonly (readonly [Stranger, Stranger])[] = [
  [
    { word: "Betazorb", base: 620_000, plays: 3 },
    { word: "Gammaquux", base: 730_000, plays: 5 },
  ],
  [
    { word: "Deltafrob", base: 640_000, plays: 7 },
    { word: "Kappawibble", base: 750_000, plays: 2 },
  ],
];

type Rows = Record<string, Record<string, string | number | boolean | null>[]>;

const kindOf = (key: number) => ["music", "signage", "messaging"][key % 4] ?? "";

/** Rows of a campaign with one asset in one zone, listed by the zone and playing every day. */
function campaignRows(
  {
    key,
    name,
    advertiser,
    item,
    itemName,
    zone,
  }: Record<"name" | "advertiser" | "itemName", string> & Record<"key" | "item" | "zone", number>,
  plays: number,
): Rows {
  const kind = kindOf(key);
  const listing = { kind, owner_kind: "zone", owner_id: zone, campaign_key: key, from_at: at("1970-01-01") };
  return {
    dim_campaign: [
      {
        campaign_key: key,
        kind,
        campaign_id: Math.floor(key / 4),
        campaign_name: name,
        start_date: null,
        end_date: null,
        first_seen_at: at("2026-10-01"),
        last_seen_at: at("2026-11-21"),
        is_listed: true,
        rrule: null,
        rule_error: null,
      },
    ],
    bridge_campaign_attribute: [
      { campaign_key: key, attribute_name: "advertiser", attribute_value: advertiser, ...always },
      {
        campaign_key: key,
        attribute_name: "manager",
        attribute_value: `Manager of ${advertiser}`,
        ...always,
      },
    ],
    bridge_campaign_asset: [
      { campaign_key: key, item_key: item, linked_from: at("2026-10-01"), linked_to: null },
    ],
    dim_campaign_target: [
      { campaign_key: key, ...always, plays: 10_000 + plays, plays_per_zone_day: null, compliance: 0.9 },
    ],
    dim_item: [
      { item_key: item, kind, item_id: Math.floor(item / 4), item_name: itemName, asset_duration: 20 },
    ],
    bridge_item_attribute: [
      { item_key: item, attribute_name: "format", attribute_value: `Format of ${itemName}`, ...always },
    ],
    fact_listed_campaign: [
      { ...listing, campaign_name: name, status: `Status of ${advertiser}`, is_enabled: true, ...seen },
    ],
    fact_listed_asset: [{ ...listing, item_key: item, ...seen }],
    fact_campaign_zone_day: days.map((date, index) => ({
      campaign_key: key,
      kind,
      zone_id: zone,
      date,
      state: index % 5 === 0 ? "missed" : "compliant",
      is_assumed: false,
      candidate_plays: index % 5 === 0 ? 0 : plays,
      play_seconds: index % 5 === 0 ? 0 : plays * 20,
      exclusive_plays: 0,
      weighted_plays: plays / 2,
      weighted_seconds: plays * 10,
      complete_plays: plays,
      measured_plays: plays,
      active_assets: 1,
      played_assets: 1,
      due_times: null,
      met_times: null,
    })),
    ...playRows({ zone, item, artist: null }, plays),
  };
}

function playRows(
  { zone, item, artist }: { zone: number; item: number; artist: number | null },
  plays: number,
): Rows {
  const row = (date: string) => ({
    kind: kindOf(item),
    zone_id: zone,
    item_key: item,
    artist_id: artist,
    date,
  });
  return {
    fact_play_day: days.map((date) => ({
      ...row(date),
      plays,
      play_seconds: plays * 20,
      complete_plays: plays,
      measured_plays: plays,
      short_plays: 0,
    })),
    fact_play: days.flatMap((date) =>
      Array.from({ length: plays }, (_, index) => {
        const begin = `${String(8 + index).padStart(2, "0")}:${String(item % 60).padStart(2, "0")}:00`;
        return {
          ...row(date),
          played_at: at(date, begin),
          played_at_local: `${date}T${begin}`,
          utc_offset_minutes: 0,
          play_hour: 8 + index,
          duration_secs: 20,
          is_complete: true,
          is_short: null,
        };
      }),
    ),
  };
}

function zoneRows({
  zone,
  name,
  location,
  region,
  groups,
  device,
}: {
  zone: number;
  name: string;
  location: number;
  region: string;
  groups: readonly number[];
  device: number;
}): Rows {
  return {
    dim_zone: [
      {
        zone_id: zone,
        zone_name: `Zone ${name}`,
        location_id: location,
        home_group_id: groups[0] ?? 1,
        time_zone: "Etc/UTC",
        first_play_date: days[0] ?? "",
        last_play_date: days.at(-1) ?? "",
      },
    ],
    dim_location: [
      {
        location_id: location,
        location_name: `Location ${name}`,
        street: `${name} Street`,
        city: `${name} City`,
        state: `${name} State`,
        zip: `${zone}`,
        latitude: 40 + (zone % 10),
        longitude: -70 - (zone % 10),
      },
    ],
    bridge_group_zone: groups.map((group_id) => ({ group_id, zone_id: zone })),
    bridge_zone_attribute: [{ zone_id: zone, attribute_name: "region", attribute_value: region, ...always }],
    bridge_zone_listing: ["signage", "messaging"].map((kind) => ({
      kind,
      zone_id: zone,
      owner_kind: "zone",
      owner_id: zone,
      first_at: at("2026-10-01"),
      settled_until: at("2026-11-21"),
    })),
    fact_zone_day_listing: days.flatMap((date) =>
      ["signage", "messaging"].map((kind) => ({
        kind,
        zone_id: zone,
        date,
        owner_kind: "zone",
        owner_id: zone,
        start_at: at(date),
        end_at: at(addDays(date, 1)),
        after_at: at(addDays(date, 1), "04:00:00"),
        is_assumed: false,
        has_plays: true,
        is_closed: false,
        has_kind: true,
        is_up: true,
        is_down: false,
      })),
    ),
    fact_device_day: days.map((date) => ({
      device_id: device,
      zone_id: zone,
      date,
      up_seconds: 86_000,
      down_seconds: 400,
      unknown_seconds: 0,
      open_up_seconds: 0,
      open_down_seconds: 0,
      planned_down_seconds: 0,
      silent_seconds: 0,
      playing_while_down_seconds: 0,
      outages: 0,
      bandwidth_kbps: null,
    })),
    dim_device: [
      {
        device_id: device,
        zone_id: zone,
        platform: "box",
        model: "M",
        firmware: "1",
        version: "1",
        status: "online",
        state: "up",
        first_seen_at: at("2026-10-01"),
        last_seen_at: at("2026-11-21", "04:00:00"),
      },
    ],
  };
}

/** All data of a customer, also in Acme's second zone, and facts about the service that nobody else should see. */
function strangerRows({ word, base, plays }: Stranger): Rows {
  const [group, zone, device, artist, song] = [base + 1, base + 2, base + 3, base + 4, (base + 5) * 4];
  const of = (key: number, item: number, itemZone: number) =>
    campaignRows(
      { key, name: `${word} campaign`, advertiser: word, item, itemName: `${word} asset`, zone: itemZone },
      plays,
    );
  return merge([
    zoneRows({ zone, name: word, location: base + 6, region: word, groups: [1, group], device }),
    { dim_group: [{ group_id: group, group_name: `${word} group` }] },
    of((base + 7) * 4 + 1, (base + 8) * 4 + 1, zone),
    // In Acme's zone, with a separate asset and with one of Acme's.
    of((base + 9) * 4 + 1, (base + 10) * 4 + 1, 12),
    {
      fact_listed_asset: [
        {
          kind: "signage",
          owner_kind: "zone",
          owner_id: 12,
          campaign_key: (base + 9) * 4 + 1,
          item_key: 809,
          from_at: at("1970-01-01"),
          ...seen,
        },
      ],
    },
    playRows({ zone: 12, item: song, artist }, plays),
    playRows({ zone: 11, item: song, artist }, plays + 1),
    {
      dim_item: [{ item_key: song, kind: "music", item_id: base + 5, item_name: `${word} song` }],
      dim_artist: [{ artist_id: artist, artist_name: `${word} artist` }],
      dim_notice: [
        {
          notice_id: base + 11,
          type: "general",
          subject: `${word} notice`,
          url: `https://${word}.example`,
          began_at: at("2026-11-02"),
          ended_at: null,
          state: null,
        },
      ],
      dim_component: [
        {
          component_id: base + 12,
          component_name: `${word} component`,
          state: "operational",
          parent_id: null,
        },
      ],
      fact_load: [
        {
          load_id: base + 13,
          source: "export",
          kind: "signage",
          group_id: group,
          requested_at: at("2026-11-21", "04:00:00"),
          loaded_at: at("2026-11-21", "04:10:00"),
          bytes: 9,
          lines: 9,
          new_plays: 9,
          rejected: 1,
        },
      ],
      fact_reject: [{ load_id: base + 13, line_number: 1, reason: "invalid_json", line: `${word} line` }],
      fact_unknown_field: [
        {
          source: "history",
          kind: "signage",
          field: `${word}_field`,
          answers: 1,
          records: 1,
          first_seen_at: at("2026-11-01"),
          last_seen_at: at("2026-11-02"),
        },
      ],
      fact_restatement: [
        {
          version: "v000002",
          kind: "signage",
          date: "2026-11-03",
          plays_before: base,
          plays_after: base + 1,
          states_changed: 1,
        },
      ],
      fact_outage: [
        {
          outage_key: `${device}@1`,
          device_id: device,
          zone_id: 12,
          date: "2026-11-04",
          started_at: at("2026-11-04"),
          ended_at: null,
          down_seconds: base,
          is_open: true,
        },
      ],
      fact_freshness: ["music", "signage"].map((kind) => ({
        group_id: group,
        kind,
        source: "export",
        requested_at: at("2026-11-20", `0${plays}:00:00`),
      })),
      fact_snapshot: [
        {
          snapshot_id: base + 14,
          source: "campaigns",
          kind: "signage",
          group_id: group,
          requested_at: at("2026-11-19", `0${plays}:00:00`),
          loaded_at: at("2026-11-21"),
          records: base,
          rejected: 0,
        },
      ],
    },
  ]);
}

function createWorld(version: string, others: readonly [Stranger, Stranger]): PublishedFixture {
  const [first] = others;
  const acme = (key: number, item: number, zone: number, plays: number) =>
    campaignRows(
      {
        key,
        name: `Campaign ${Math.floor(key / 4)} & <own>`,
        advertiser: "Acme",
        item,
        itemName: `Asset ${Math.floor(item / 4)}`,
        zone,
      },
      plays,
    );
  const rows = merge([
    acme(405, 805, 11, 2),
    acme(410, 814, 12, 1),
    {
      fact_listed_asset: [
        {
          kind: "signage",
          owner_kind: "zone",
          owner_id: 12,
          campaign_key: 405,
          item_key: 809,
          from_at: at("1970-01-01"),
          ...seen,
        },
      ],
    },
    acme(413, 805, 12, 4),
    acme(417, 809, 12, 6),
    zoneRows({ zone: 11, name: "Bar", location: 21, region: "North", groups: [1], device: 31 }),
    zoneRows({ zone: 12, name: "Gym", location: 22, region: "South", groups: [1], device: 32 }),
    { dim_group: [{ group_id: 1, group_name: "Everywhere" }] },
    ...others.map(strangerRows),
    {
      fact_freshness: ["music", "signage", "messaging"].map((kind) => ({
        group_id: 1,
        kind,
        source: "export",
        requested_at: at("2026-11-21", "04:00:00"),
      })),
      fact_snapshot: ["campaigns", "assets", "devices"].map((source, index) => ({
        snapshot_id: index + 1,
        source,
        kind: source === "devices" ? null : "signage",
        group_id: 1,
        requested_at: at("2026-11-21", "04:00:00"),
        loaded_at: at("2026-11-21", "04:05:00"),
        records: first.plays,
        rejected: 0,
      })),
    },
  ]);

  rows.bridge_campaign_attribute = (rows.bridge_campaign_attribute ?? []).flatMap((row) => {
    if (row.attribute_name !== "advertiser") return row.campaign_key === 417 ? [] : [row];
    if (row.campaign_key === 413)
      return [
        { ...row, attribute_value: first.word, valid_to: addDays(acmeSince, -1) },
        { ...row, valid_from: acmeSince },
      ];
    if (row.campaign_key === 417)
      return [
        { ...row, valid_to: acmeUntil },
        { ...row, attribute_value: first.word, valid_from: addDays(acmeUntil, 1) },
      ];
    return [row];
  });
  rows.dim_campaign_target?.push({
    ...{ campaign_key: 413, valid_from: acmeBooking.from, valid_to: acmeBooking.to },
    ...{ plays: 500, plays_per_zone_day: null, compliance: null },
  });
  // While they are the stranger's, they have its name, and 104 also one of its assets.
  const handOver = { 413: acmeSince, 417: addDays(acmeUntil, 1) };
  for (const [key, date] of Object.entries(handOver)) {
    const isOf = (row: { campaign_key?: unknown }) => row.campaign_key === Number(key);
    const changeAt = at(date, "00:00:00");
    const isEarly = Number(key) === 413;
    rows.fact_listed_campaign = (rows.fact_listed_campaign ?? []).flatMap((row) => {
      if (!isOf(row)) return [row];
      const theirs = { campaign_name: `${first.word} renamed`, status: `Status of ${first.word}` };
      return [
        { ...row, ...(isEarly && theirs), until_at: changeAt, last_seen_at: changeAt },
        { ...row, ...(!isEarly && theirs), from_at: changeAt, seen_from_at: changeAt },
      ];
    });
    if (isEarly) continue;
    const link = { campaign_key: Number(key), item_key: (first.base + 8) * 4 + 1 };
    rows.fact_listed_asset?.push({
      kind: "signage",
      owner_kind: "zone",
      owner_id: 12,
      ...link,
      from_at: changeAt,
      ...seen,
    });
    rows.bridge_campaign_asset?.push({ ...link, linked_from: changeAt, linked_to: null });
    rows.dim_campaign = (rows.dim_campaign ?? []).map((row) =>
      isOf(row)
        ? { ...row, campaign_name: `${first.word} renamed`, end_date: `2027-01-${first.plays + 10}` }
        : row,
    );
  }
  const unique = new Map((rows.dim_item ?? []).map((row) => [row.item_key, row]));
  return {
    version,
    dataAsOf: at("2026-11-21", "04:00:00"),
    rows: { ...rows, dim_item: [...unique.values()] },
  };
}

function merge(parts: readonly Rows[]): Rows {
  const merged: Rows = {};
  for (const part of parts)
    for (const [table, rows] of Object.entries(part)) merged[table] = [...(merged[table] ?? []), ...rows];
  return merged;
}

/** Publishes two versions of a world into a data folder. */
export async function publishWorld(dataFolder: string, others: readonly [Stranger, Stranger]): Promise<void> {
  mkdirSync(join(dataFolder, "published"), { recursive: true });
  for (const version of ["v000001", "v000002"])
    await publishFixture(join(dataFolder, "published"), createWorld(version, others));
  openDataState(join(dataFolder, "state.db")).close();
}
