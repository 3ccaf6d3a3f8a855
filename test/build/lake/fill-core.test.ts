import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { type FillSummary, fillCore } from "../../../src/build/lake/fill-core.ts";
import type { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { closeLake, openLake } from "../../../src/lake/read-lake.ts";
import { ruleExpander } from "../../../src/load/rules/campaign-dates.ts";
import { forgetMachine } from "../../../src/publish/lake/machine-folders.ts";
import { addDays } from "../../../src/util/local-date.ts";
import { silentLogger as logger } from "../../../src/util/logger.ts";
import { LakeMachine, song } from "../../publish/lake/lake-machine.ts";
import { itInAll } from "../../support/long-suite.ts";
import { openNewWarehouse } from "../../support/new-warehouse.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

let lake: string;
let east: LakeMachine;
let west: LakeMachine;
let union: DuckDb;
beforeEach(async () => {
  lake = join(createTempFolder(), "lake");
  east = await LakeMachine.open("east", lake);
  west = await LakeMachine.open("west", lake);
  union = await openNewWarehouse();
});

/** A load, and plays of zones on days that the machine knows. */
async function feed(
  machine: LakeMachine,
  loadId: number,
  loadedAt: string,
  ...plays: ReturnType<typeof song>[]
) {
  await machine.add("load", {
    ...{
      load_id: loadId,
      landing_id: `${machine.name} ${loadId}`,
      source: "export",
      kind: "music",
      group_id: 1,
    },
    ...{ requested_at: loadedAt, loaded_at: loadedAt },
  });
  await machine.add(
    "play",
    ...plays.map((play) => ({ ...play, first_load_id: loadId, last_load_id: loadId })),
  );
  for (const { zone_id: zoneId, played_at: playedAt } of plays) {
    const date = String(playedAt).slice(0, 10);
    await machine.warehouse.run("delete from core.zone_day where zone_id = ? and date = cast(? as date)", [
      Number(zoneId),
      date,
    ]);
    const end = new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
    await machine.add("zone_day", {
      zone_id: zoneId ?? 0,
      date,
      start_at: `${date} 00:00:00`,
      end_at: `${end} 00:00:00`,
    });
  }
}

async function fill(...machines: readonly LakeMachine[]): Promise<FillSummary> {
  for (const machine of machines) await machine.publish();
  const manifests = await openLake(union, lake);
  try {
    return await union.transaction(() =>
      fillCore(union, { rules: ruleExpander, machines: manifests, logger }),
    );
  } finally {
    await closeLake(union);
  }
}

async function plays(): Promise<string[]> {
  const rows = await union.all(
    "select zone_id, played_at, date, duration_secs, location_id, artist_id from core.play order by played_at, zone_id",
  );
  return rows.map((row) => Object.values(row).join(" "));
}

/** Days marked dirty since the last call. */
async function dirtyDays(table = "dirty_day"): Promise<string[]> {
  const rows = await union.all<{ day: string }>(
    `select distinct trim(kind || ' ' || date) as day from core.${table} order by 1`,
  );
  await union.run(`delete from core.${table}`);
  return rows.map(({ day }) => day);
}

it("a play on two machines is stored once: the longest, otherwise the one loaded last", async () => {
  await feed(east, 1, "2026-11-20 06:00:00", {
    ...song("2026-11-05 10:00:00"),
    duration_secs: 90,
    location_id: 4,
  });
  await feed(
    west,
    1,
    "2026-11-20 07:00:00",
    { ...song("2026-11-05 10:00:00"), duration_secs: 30, artist_id: 8 },
    song("2026-11-05 11:00:00", 2),
  );
  await fill(east, west);
  expect(await plays()).toEqual([
    "1 2026-11-05 10:00:00 2026-11-05 90 4 9",
    "2 2026-11-05 11:00:00 2026-11-05 100  9",
  ]);
});

it("a play that another machine dates differently leaves its previous day", async () => {
  await feed(west, 1, "2026-11-20 06:00:00", { ...song("2026-11-05 23:30:00"), utc_offset_minutes: 60 });
  await fill(west);
  expect(await plays()).toEqual(["1 2026-11-05 23:30:00 2026-11-06 100  9"]);
  await dirtyDays();
  await feed(east, 1, "2026-11-20 07:00:00", song("2026-11-05 23:30:00"));
  await fill(east);
  expect(await plays()).toEqual(["1 2026-11-05 23:30:00 2026-11-05 100  9"]);
  expect(await dirtyDays()).toEqual(["music 2026-11-05", "music 2026-11-06"]);
});

it("a play that two machines date two days apart is on one day", async () => {
  const fromSamoa = { ...song("2026-11-06 10:30:00"), utc_offset_minutes: -660 };
  const inKiritimati = { zone_id: 1, time_zone: "Pacific/Kiritimati" };
  await feed(west, 1, "2026-11-20 06:00:00", fromSamoa);
  await east.add("zone_time_zone", inKiritimati);
  await fill(east, west);
  expect(await plays()).toEqual(["1 2026-11-06 10:30:00 2026-11-07 100  9"]);
  await east.warehouse.run("delete from core.zone_time_zone");
  await fill(east);
  expect(await plays()).toEqual(["1 2026-11-06 10:30:00 2026-11-05 100  9"]);
  await east.add("zone_time_zone", inKiritimati);
  await fill(east);
  expect(await plays()).toEqual(["1 2026-11-06 10:30:00 2026-11-07 100  9"]);
});

it("a clock that jumps forward by more than a day assigns no second to two days", async () => {
  await feed(east, 1, "2026-11-05 23:00:00", { ...song("2026-11-05 22:00:00"), utc_offset_minutes: -720 });
  await feed(west, 1, "2026-11-06 12:00:00", { ...song("2026-11-05 21:00:00"), utc_offset_minutes: 780 });
  await fill(east, west);
  const days = await union.all("select date, start_at, end_at from core.zone_day order by date");
  expect(days.map((day) => Object.values(day).join(", "))).toEqual([
    "2026-11-05, 2026-11-05 11:00:00, 2026-11-05 11:00:00",
    "2026-11-06, 2026-11-05 11:00:00, 2026-11-06 11:00:00",
    "2026-11-07, 2026-11-06 11:00:00, 2026-11-07 11:00:00",
  ]);
});

it("refills only the month that a machine publishes again", async () => {
  await feed(east, 1, "2026-11-20 06:00:00", song("2026-10-05 10:00:00"), song("2026-11-05 10:00:00"));
  await feed(west, 1, "2026-11-20 06:00:00", song("2026-11-05 10:30:00", 2));
  await fill(east, west);
  expect(await dirtyDays()).toEqual(["music 2026-10-05", "music 2026-11-05"]);

  const same = await fill();
  expect([same.tables, same.playDays, await dirtyDays()]).toEqual([[], 0, []]);

  await union.run("update core.play set duration_secs = 1");
  await east.warehouse.run("update core.play set duration_secs = 7 where date = date '2026-11-05'");
  const changed = await fill(east);
  expect([changed.playDays, await dirtyDays()]).toEqual([1, ["music 2026-11-05"]]);
  expect(await plays()).toEqual([
    "1 2026-10-05 10:00:00 2026-10-05 1  9",
    "1 2026-11-05 10:00:00 2026-11-05 7  9",
    "2 2026-11-05 10:30:00 2026-11-05 100  9",
  ]);

  await east.warehouse.run("delete from core.play where date = date '2026-10-05'");
  await fill(east);
  expect(await dirtyDays()).toEqual(["music 2026-10-05"]);
  expect(await plays()).toHaveLength(2);
});

function daysTo(from: string, to: string): string[] {
  return from > to ? [] : [from, ...daysTo(addDays(from, 1), to)];
}

it("marks the device days touched by a publish once", async () => {
  const touched = () => dirtyDays("dirty_device_day");
  await feed(east, 1, "2026-11-20 06:00:00", song("2026-11-05 10:00:00"), song("2026-11-06 10:00:00"));
  await fill(east, west);
  // A zone has all days from its first play to the newest request.
  expect(await touched()).toEqual(daysTo("2026-11-05", "2026-11-20"));
  await east.warehouse.run(
    "update core.zone_day set start_at = timestamp '2026-11-05 01:00:00' where date = date '2026-11-05'",
  );
  await fill(east);
  expect(await touched()).toEqual(["2026-11-05"]);
  await feed(west, 1, "2026-11-20 06:00:00", song("2026-11-08 10:00:00", 2));
  await fill(west);
  expect(await touched()).toEqual(daysTo("2026-11-08", "2026-11-20"));
});

itInAll("a listing that replaces one of the same instant also marks the days before it", async () => {
  const owner = { kind: "signage", owner_kind: "group", owner_id: 1 };
  await east.add(
    "campaign_listing",
    { ...owner, requested_at: "2026-11-05 06:00:00", campaigns: 1, is_valid: true },
    {
      ...{ ...owner, requested_at: "2026-11-15 06:00:00", campaigns: 1, is_valid: true },
      previous_at: "2026-11-05 06:00:00",
    },
  );
  const said = { ...owner, campaign_id: 7, is_enabled: true, from_at: "1970-01-01 00:00:00" };
  await east.add("listing_span", { ...said, seen_from_at: "2026-11-05 06:00:00" });
  const linked = { ...owner, campaign_id: 7, asset_id: 8, from_at: "1970-01-01 00:00:00" };
  await east.add("listing_asset_span", { ...linked, seen_from_at: "2026-11-05 06:00:00" });
  await feed(east, 1, "2026-11-20 06:00:00", song("2026-11-01 10:00:00"));
  await fill(east);
  await dirtyDays("dirty_campaign_day");

  const touched = daysTo("2026-11-04", "2026-11-20").map((date) => `signage ${date}`);
  const ended = "set until_at = timestamp '2026-11-15 06:00:00'";
  await east.warehouse.run(`update core.listing_span ${ended}`);
  await fill(east);
  expect(await dirtyDays("dirty_campaign_day")).toEqual(touched);
  await east.add("listing_span", {
    ...{ ...said, is_enabled: false, from_at: "2026-11-15 06:00:00" },
    seen_from_at: "2026-11-15 06:00:00",
  });
  await fill(east);
  expect(await dirtyDays("dirty_campaign_day")).toEqual(touched);
  await east.warehouse.run(`update core.listing_asset_span ${ended}`);
  await fill(east);
  expect(await dirtyDays("dirty_campaign_day")).toEqual(touched);
});

itInAll("removes what only a forgotten machine had", async () => {
  await feed(east, 1, "2026-11-20 06:00:00", song("2026-11-05 10:00:00"), song("2026-11-06 10:00:00"));
  await feed(west, 1, "2026-11-21 06:00:00", song("2026-11-06 10:00:00"), song("2026-11-07 10:00:00", 2));
  await fill(east, west);
  await dirtyDays();
  await dirtyDays("dirty_device_day");
  await forgetMachine(lake, "west");
  const { machines, gone } = await fill();
  expect([machines, gone]).toEqual([["east"], ["west"]]);
  expect(await dirtyDays()).toEqual(["music 2026-11-06", "music 2026-11-07"]);
  expect(await plays()).toEqual([
    "1 2026-11-05 10:00:00 2026-11-05 100  9",
    "1 2026-11-06 10:00:00 2026-11-06 100  9",
  ]);
  expect((await union.get("select count(*) as loads from core.load")).loads).toBe(1);
  expect((await fill()).gone, "until a version without it is published").toEqual(["west"]);
  await fill(west);
  expect((await fill()).gone).toEqual([]);
});

itInAll("a time zone set on one machine applies to plays of another, as long as it is set", async () => {
  await feed(west, 1, "2026-11-20 06:00:00", song("2026-11-05 23:50:00", 2), song("2026-11-07 23:50:00", 3));
  await fill(east, west);
  await dirtyDays();
  await east.add("zone_time_zone", { zone_id: 2, time_zone: "Europe/Berlin" });
  await fill(east);
  expect((await plays()).map((play) => play.slice(0, 32))).toEqual([
    "2 2026-11-05 23:50:00 2026-11-06",
    "3 2026-11-07 23:50:00 2026-11-07",
  ]);
  expect(await dirtyDays()).toEqual(["music 2026-11-05", "music 2026-11-06"]);
  await east.warehouse.run("delete from core.zone_time_zone");
  await fill(east);
  expect((await plays())[0]).toContain("2 2026-11-05 23:50:00 2026-11-05");
  expect(await dirtyDays()).toEqual(["music 2026-11-05", "music 2026-11-06"]);
});

itInAll("expands rules over the days of all machines without touching days they covered before", async () => {
  const rule = { rule_id: 4, rrule: "FREQ=WEEKLY;BYDAY=MO", add_date: "2026-01-01", is_every_day: false };
  await east.add("campaign_rule", { ...rule, expanded_from: "2026-11-09", expanded_to: "2026-12-31" });
  await east.add("campaign_date", { rule_id: 4, date: "2026-11-09" }, { rule_id: 4, date: "2026-11-16" });
  const owner = { kind: "signage", owner_kind: "group", owner_id: 1 };
  await east.add("campaign_listing", { ...owner, requested_at: "2026-11-20 06:00:00", campaigns: 1 });
  await east.add("listing_span", {
    ...{ ...owner, campaign_id: 7, rule_id: 4, rrule: rule.rrule, add_date: rule.add_date },
    ...{ from_at: "1970-01-01 00:00:00", seen_from_at: "2026-11-20 06:00:00" },
  });
  await feed(west, 1, "2026-11-20 06:00:00", song("2026-10-05 10:00:00"), song("2026-11-16 10:00:00"));
  await fill(east, west);
  const dates = await union.all<{ date: string }>(
    "select date from core.campaign_date order by date limit 4",
  );
  expect(dates.map(({ date }) => date)).toEqual(["2026-10-05", "2026-10-12", "2026-10-19", "2026-10-26"]);
  expect(await union.all("select rrule, start_date, add_date from core.campaign_rule")).toEqual([
    { rrule: rule.rrule, start_date: null, add_date: rule.add_date },
  ]);
  await dirtyDays("dirty_campaign_day");

  // Read again from the lake: the machine still knows only its earlier data.
  await feed(west, 2, "2026-11-21 06:00:00", song("2026-09-28 10:00:00"));
  await east.add("campaign_rule", { rule_id: 5, rrule: "FREQ=YEARLY", expanded_to: "2026-12-31" });
  await fill(east, west);
  expect(await dirtyDays("dirty_campaign_day")).toEqual([]);
  const { count } = await union.get(
    "select count(*) as count from core.campaign_date where date < date '2026-11-09'",
  );
  expect(count).toBe(6);
});

itInAll(
  "if reference files differ, the last one applied counts for all machines, and both are reported",
  async () => {
    const inBerlin = { ...song("2026-11-05 23:30:00"), utc_offset_minutes: 60 };
    await feed(east, 1, "2026-11-20 06:00:00", inBerlin);
    await feed(west, 1, "2026-11-20 06:00:00", song("2026-11-05 23:40:00"), song("2026-11-05 23:50:00", 2));
    await east.add("zone_time_zone", { zone_id: 1, time_zone: "Europe/Berlin" });
    await east.add("reference_file", { name: "zone_time_zones.csv", applied_at: "2026-11-02 00:00:00" });
    expect((await fill(east, west)).conflicts).toEqual([]);
    const timed = async () => (await plays()).map((play) => play.slice(2, 32));
    expect(await timed()).toEqual([
      "2026-11-05 23:30:00 2026-11-06",
      "2026-11-05 23:40:00 2026-11-06",
      "2026-11-05 23:50:00 2026-11-05",
    ]);
    await dirtyDays();

    await west.add("zone_time_zone", { zone_id: 1, time_zone: "America/New_York" });
    await west.add("reference_file", { name: "zone_time_zones.csv", applied_at: "2026-11-03 00:00:00" });
    await west.add("group_name", { group_id: 7, group_name: "West" });
    await east.add("group_name", { group_id: 7, group_name: "East" });
    await east.add("opening_hours", { zone_id: 1, day_of_week: 1, opens_secs: 32400, closes_secs: 91800 });
    await west.add(
      "opening_hours",
      { zone_id: 1, day_of_week: 1, opens_secs: 36000, closes_secs: 91800 },
      { zone_id: 2, day_of_week: 1, opens_secs: 36000, closes_secs: 91800 },
    );
    const always = "1900-01-01 to 2099-12-31";
    const kind = { kind: "music", valid_from: "1900-01-01", valid_to: "2099-12-31" };
    await east.add("zone_kind", { zone_id: 1, ...kind }, { zone_id: 2, ...kind });
    await west.add("zone_kind", { zone_id: 1, ...kind }, { zone_id: 1, ...kind, kind: "signage" });
    const daypart = { name: "late", from_secs: 64800, to_secs: 93600 };
    await east.add("daypart", daypart);
    await west.add("daypart", { name: "day", from_secs: 32400, to_secs: 64800 }, daypart);
    const target = { campaign_key: 21, valid_from: "2026-11-01", valid_to: "2026-11-30" };
    await east.add("campaign_target", { ...target, plays: 500, plays_per_zone_day: null, compliance: 0.95 });
    await west.add("campaign_target", { ...target, plays: 600, plays_per_zone_day: 12.5, compliance: null });
    // Item 5 of two kinds.
    const genre = { subject: "item", name: "genre", valid_from: "1900-01-01", valid_to: "2099-12-31" };
    await east.add("attribute", { ...genre, subject_key: 20, value: "Jazz" });
    await east.add("attribute", { ...genre, subject_key: 21, value: "Trailer" });
    await west.add("attribute", { ...genre, subject_key: 20, value: "Pop" });
    await west.add("attribute", { ...genre, subject_key: 21, value: "Menu" });
    await west.warehouse.run(
      "update core.play set played_at_local = played_at - interval 5 hour where zone_id = 1",
    );
    expect((await fill(east, west)).conflicts).toEqual([
      {
        file: "campaign_targets.csv",
        kind: "signage",
        id: 5,
        entries: {
          east: "2026-11-01 to 2026-11-30, plays 500, compliance 0.950000",
          west: "2026-11-01 to 2026-11-30, plays 600, plays_per_zone_day 12.500000",
        },
      },
      {
        file: "dayparts.csv",
        kind: null,
        id: null,
        entries: { east: "late 18:00-26:00", west: "day 09:00-18:00, late 18:00-26:00" },
      },
      { file: "group_names.csv", kind: null, id: 7, entries: { east: "East", west: "West" } },
      {
        file: "item_attributes.csv",
        kind: "music",
        id: 5,
        entries: { east: `genre Jazz ${always}`, west: `genre Pop ${always}` },
      },
      {
        file: "item_attributes.csv",
        kind: "signage",
        id: 5,
        entries: { east: `genre Trailer ${always}`, west: `genre Menu ${always}` },
      },
      {
        file: "opening_hours.csv",
        kind: null,
        id: 1,
        entries: { east: "1 09:00-25:30", west: "1 10:00-25:30" },
      },
      {
        file: "zone_kinds.csv",
        kind: null,
        id: 1,
        entries: { east: `music ${always}`, west: `music ${always}, signage ${always}` },
      },
      {
        file: "zone_time_zones.csv",
        kind: null,
        id: 1,
        entries: { east: "Europe/Berlin", west: "America/New_York" },
      },
    ]);
    expect(await timed()).toEqual([
      "2026-11-05 23:30:00 2026-11-05",
      "2026-11-05 23:40:00 2026-11-05",
      "2026-11-05 23:50:00 2026-11-05",
    ]);
    expect(await dirtyDays()).toEqual(["music 2026-11-05", "music 2026-11-06"]);
  },
);
