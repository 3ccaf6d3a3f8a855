import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyReference } from "../../src/load/reference/apply-reference.ts";
import { readSql } from "../../src/util/files/package-files.ts";
import { loadDevices } from "../support/load-listing.ts";
import { itEachSampled, itInAll, share } from "../support/long-suite.ts";
import { createLoadFixture, type LoadFixture, musicLine } from "./load-fixture.ts";
import { writeReference, zoneTimeZones } from "./reference/write-reference.ts";

const at = (playStart: string, values: Record<string, unknown> = {}) =>
  musicLine({ play_start: playStart, ...values });

describe("a zone's local days", () => {
  it("follow the offsets of its plays across a change to summer time, without gap or overlap", async () => {
    const { load, state } = await createLoadFixture();
    await load(
      [at("2026-03-28T20:00:00+01:00"), at("2026-03-29T20:00:00+02:00"), at("2026-03-31T20:00:00+02:00")],
      { requestedAt: new Date("2026-03-31T21:00:00Z") },
    );
    expect((await state()).zoneDays).toEqual([
      { zone_id: 7, date: "2026-03-28", start_at: "2026-03-27 23:00:00", end_at: "2026-03-28 22:00:00" },
      { zone_id: 7, date: "2026-03-29", start_at: "2026-03-28 22:00:00", end_at: "2026-03-29 22:00:00" },
      { zone_id: 7, date: "2026-03-30", start_at: "2026-03-29 22:00:00", end_at: "2026-03-30 22:00:00" },
      { zone_id: 7, date: "2026-03-31", start_at: "2026-03-30 22:00:00", end_at: "2026-03-31 22:00:00" },
    ]);
  });

  it("follow the last play of a date, and ignore records of zero seconds", async () => {
    const { load, state } = await createLoadFixture();
    await load(
      [
        at("2026-10-25T01:00:00+02:00"),
        at("2026-10-25T23:00:00+01:00"),
        at("2026-10-29T23:00:00+01:00", { duration_secs: 0 }),
        at("2026-10-20T23:00:00+01:00", { duration_secs: 0, zone_id: 8 }),
      ],
      { requestedAt: new Date("2026-10-29T22:00:00Z") },
    );
    expect((await state()).zoneDays).toEqual([
      { zone_id: 7, date: "2026-10-25", start_at: "2026-10-24 23:00:00", end_at: "2026-10-25 23:00:00" },
      // Extended to the day of the request.
      ...["26", "27", "28", "29"].map((day) => ({
        zone_id: 7,
        date: `2026-10-${day}`,
        start_at: `2026-10-${Number(day) - 1} 23:00:00`,
        end_at: `2026-10-${day} 23:00:00`,
      })),
    ]);
  });

  it("follow the named time zone: 23 hours in spring, 25 in autumn", async () => {
    const fixture = await createLoadFixture();
    await applyReference(fixture.warehouse, writeReference(zoneTimeZones("7,Europe/Berlin\n")));
    await fixture.load(
      ["2026-03-28", "2026-03-29", "2026-03-30", "2026-10-24", "2026-10-25", "2026-10-26"].map((date) =>
        at(`${date}T12:00:00Z`),
      ),
      { requestedAt: new Date("2026-11-01") },
    );
    const hours = await fixture.warehouse.all(
      "select date, epoch(end_at - start_at)::integer // 3600 as hours from core.zone_day where epoch(end_at - start_at) <> 86400",
    );
    expect(hours).toEqual([
      { date: "2026-03-29", hours: 23 },
      { date: "2026-10-25", hours: 25 },
    ]);
  });
});

describe("a day of a named time zone starts at its first instant", () => {
  itEachSampled(
    [
      [
        "whose clock goes back to midnight, which occurs twice",
        "America/Havana",
        "2026-11-01",
        "2026-11-01 04:00:00",
      ],
      ["the same", "Atlantic/Azores", "2026-10-25", "2026-10-25 00:00:00"],
      ["whose clock goes back at midnight", "America/Santiago", "2026-04-05", "2026-04-05 04:00:00"],
      ["that has no midnight", "Asia/Beirut", "2026-03-29", "2026-03-28 22:00:00"],
    ],
    2,
  )("%s: %s", async ([_label, timeZone, date, startAt]) => {
    const dayBefore = new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);
    const fixture = await createLoadFixture();
    await applyReference(fixture.warehouse, writeReference(zoneTimeZones(`7,${timeZone}\n`)));
    await fixture.load([at(`${dayBefore}T12:00:00Z`)], { requestedAt: new Date(`${dayBefore}T13:00:00Z`) });
    // The day itself is added as it begins, and found again with the previous day.
    await fixture.load([at(`${date}T12:00:00Z`, { zone_id: 8 })], {
      requestedAt: new Date(`${date}T12:00:00Z`),
    });
    const begun = (await fixture.state()).zoneDays;
    await fixture.load([at(`${date}T12:00:00Z`)], { requestedAt: new Date(`${date}T12:00:00Z`) });
    for (const days of [begun, (await fixture.state()).zoneDays]) {
      const ofZone = (day: string) => days.find((found) => found.zone_id === 7 && found.date === day);
      expect(ofZone(date)).toMatchObject({ start_at: startAt });
      expect(ofZone(dayBefore)).toMatchObject({ end_at: startAt });
    }
  });
});

const listing = async (
  { folder, warehouse }: LoadFixture,
  requestedAt: string,
  zoneId: number,
  serviceTimeZone: string,
) => {
  const path = join(folder, `devices ${requestedAt} ${zoneId}.jsonl`);
  writeFileSync(path, JSON.stringify({ zone_id: zoneId, device_id: zoneId * 10, status: "online" }));
  const landing = { landingId: path, path, groupId: 1, requestedAt: new Date(requestedAt) };
  await loadDevices(warehouse, landing, { loadedAt: new Date("2026-06-02"), serviceTimeZone });
};

itInAll("days of older warehouses that began at the second of two midnights begin at the first", async () => {
  const fixture = await createLoadFixture();
  const { warehouse } = fixture;
  await applyReference(warehouse, writeReference(zoneTimeZones("7,America/Havana\n8,Europe/Berlin\n")));
  for (const zoneId of [7, 8]) {
    await fixture.load(
      ["2026-10-24", "2026-11-02"].map((date) => at(`${date}T12:00:00Z`, { zone_id: zoneId })),
      { requestedAt: new Date("2026-11-03T00:00:00Z") },
    );
  }
  // A zone without plays uses the service's time zone.
  await listing(fixture, "2026-10-24T12:00:00Z", 9, "America/Havana");
  const { zoneDays } = await fixture.state();
  await warehouse.run(
    "update core.zone_day set start_at = '2026-11-01 05:00:00' where zone_id in (7, 9) and date = '2026-11-01'",
  );
  await warehouse.run(
    "update core.zone_day set end_at = '2026-11-01 05:00:00' where zone_id in (7, 9) and date = '2026-10-31'",
  );
  expect((await fixture.state()).zoneDays).not.toEqual(zoneDays);
  await warehouse.run("delete from core.dirty_device_day");
  await warehouse.run(readSql("warehouse/0050_corrections.sql"));
  expect((await fixture.state()).zoneDays).toEqual(zoneDays);
  expect(await warehouse.all("select date from core.dirty_device_day order by date")).toEqual([
    { date: "2026-10-31" },
    { date: "2026-11-01" },
  ]);
});

it("days of older warehouses that ended before they began have no time", async () => {
  const fixture = await createLoadFixture();
  const { warehouse } = fixture;
  const plays = ["2026-11-18T12:00:00-12:00", "2026-11-19T12:00:00-12:00", "2026-11-20T12:00:00+13:00"];
  await fixture.load(
    plays.flatMap((start) => [at(start), at(start.replace("+13", "-12"), { zone_id: 8 })]),
    { requestedAt: new Date("2026-11-21T00:00:00Z") },
  );
  const { zoneDays } = await fixture.state();
  expect(zoneDays.slice(0, 3)).toEqual([
    { zone_id: 7, date: "2026-11-18", start_at: "2026-11-18 12:00:00", end_at: "2026-11-19 11:00:00" },
    { zone_id: 7, date: "2026-11-19", start_at: "2026-11-19 11:00:00", end_at: "2026-11-19 11:00:00" },
    { zone_id: 7, date: "2026-11-20", start_at: "2026-11-19 11:00:00", end_at: "2026-11-20 11:00:00" },
  ]);
  await warehouse.run(
    "update core.zone_day set start_at = '2026-11-19 12:00:00' where zone_id = 7 and date = '2026-11-19'",
  );
  await warehouse.run(
    "update core.zone_day set end_at = '2026-11-19 12:00:00' where zone_id = 7 and date = '2026-11-18'",
  );
  expect((await fixture.state()).zoneDays).not.toEqual(zoneDays);
  await warehouse.run("delete from core.dirty_device_day");
  await warehouse.run(readSql("warehouse/0050_corrections.sql"));
  expect((await fixture.state()).zoneDays).toEqual(zoneDays);
  expect(await warehouse.all("select date from core.dirty_device_day order by date")).toEqual([
    { date: "2026-11-18" },
    { date: "2026-11-19" },
  ]);
});

describe("days of all zones", () => {
  const spans = async ({ warehouse }: LoadFixture) =>
    await warehouse.all(
      "select zone_id, min(start_at) as first_at, max(end_at) as last_at, count(*) as days from core.zone_day group by zone_id order by zone_id",
    );

  it("go from the first play or listing to the newest request of any zone", async () => {
    const fixture = await createLoadFixture();
    await fixture.load([at("2026-03-10T12:00:00+01:00")], { requestedAt: new Date("2026-03-10T12:00:00Z") });
    await listing(fixture, "2026-03-11T02:00:00Z", 8, "America/New_York");
    // It is still 10 March in New York, the assumed location of the zone without plays.
    expect(await spans(fixture)).toEqual([
      { zone_id: 7, first_at: "2026-03-09 23:00:00", last_at: "2026-03-11 23:00:00", days: 2 },
      { zone_id: 8, first_at: "2026-03-10 04:00:00", last_at: "2026-03-11 04:00:00", days: 1 },
    ]);
    await listing(fixture, "2026-03-13T12:00:00Z", 7, "America/New_York");
    expect(await spans(fixture)).toEqual([
      { zone_id: 7, first_at: "2026-03-09 23:00:00", last_at: "2026-03-13 23:00:00", days: 4 },
      { zone_id: 8, first_at: "2026-03-10 04:00:00", last_at: "2026-03-14 04:00:00", days: 4 },
    ]);
    // Earlier evidence, and another time zone of the service.
    await listing(fixture, "2026-03-08T12:00:00Z", 7, "UTC");
    await listing(fixture, "2026-03-09T12:00:00Z", 8, "UTC");
    expect(await spans(fixture)).toEqual([
      { zone_id: 7, first_at: "2026-03-07 23:00:00", last_at: "2026-03-13 23:00:00", days: 6 },
      { zone_id: 8, first_at: "2026-03-09 00:00:00", last_at: "2026-03-14 00:00:00", days: 5 },
    ]);
  });

  itInAll("move with the service's time zone if a zone has no other clock", async () => {
    const fixture = await createLoadFixture();
    await fixture.load([at("2026-03-10T12:00:00+01:00")], { requestedAt: new Date("2026-03-10T12:00:00Z") });
    await listing(fixture, "2026-03-10T12:00:00Z", 8, "America/New_York");
    // Another zone's time zone.
    await listing(fixture, "2026-03-10T13:00:00Z", 9, "Asia/Tokyo");
    expect(await spans(fixture)).toEqual([
      { zone_id: 7, first_at: "2026-03-09 23:00:00", last_at: "2026-03-10 23:00:00", days: 1 },
      { zone_id: 8, first_at: "2026-03-09 15:00:00", last_at: "2026-03-10 15:00:00", days: 1 },
      { zone_id: 9, first_at: "2026-03-09 15:00:00", last_at: "2026-03-10 15:00:00", days: 1 },
    ]);
  });

  it("do not depend on the order of arrival", async () => {
    const requests: ((fixture: LoadFixture) => Promise<unknown>)[] = [
      (fixture) => listing(fixture, "2026-03-27T12:00:00Z", 7, "UTC"),
      (fixture) => listing(fixture, "2026-03-31T12:00:00Z", 8, "UTC"),
      (fixture) =>
        fixture.load([at("2026-03-28T20:00:00+01:00"), at("2026-03-30T20:00:00+02:00")], {
          requestedAt: new Date("2026-03-30T21:00:00Z"),
        }),
    ];
    const states = [];
    const orders = [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
      [2, 0, 1],
    ];
    for (const order of share(orders.slice(0, 2), orders, orders)) {
      const fixture = await createLoadFixture();
      for (const index of order) await requests[index]?.(fixture);
      states.push((await fixture.state()).zoneDays);
    }
    expect(states[0]).toHaveLength(6);
    for (const state of states) expect(state).toEqual(states[0]);
  });
});

describe("a zone's named time zone", () => {
  const lines = [
    at("2026-03-28T23:30:00+00:00"),
    at("2026-03-29T00:30:00+00:00"),
    at("2026-03-29T01:30:00+00:00"),
    at("2026-03-29T23:30:00+00:00"),
    at("2026-03-29T23:30:00+00:00", { zone_id: 8 }),
  ];

  it("gives local times across a change to summer time", async () => {
    const fixture = await createLoadFixture();
    await applyReference(fixture.warehouse, writeReference(zoneTimeZones("7,Europe/Berlin\n")));
    await fixture.load(lines);
    expect((await fixture.state()).play).toMatchObject([
      {
        zone_id: 7,
        played_at_local: "2026-03-29 00:30:00",
        utc_offset_minutes: 60,
        written_offset_minutes: 0,
        date: "2026-03-29",
      },
      { zone_id: 7, played_at_local: "2026-03-29 01:30:00", utc_offset_minutes: 60 },
      { zone_id: 7, played_at_local: "2026-03-29 03:30:00", utc_offset_minutes: 120 },
      { zone_id: 7, played_at_local: "2026-03-30 01:30:00", utc_offset_minutes: 120, date: "2026-03-30" },
      { zone_id: 8, played_at_local: "2026-03-29 23:30:00", utc_offset_minutes: 0, date: "2026-03-29" },
    ]);
  });

  it("may be set, changed and removed after the plays", async () => {
    const named = await createLoadFixture();
    await applyReference(named.warehouse, writeReference(zoneTimeZones("7,Europe/Berlin\n")));
    await named.load(lines);
    const plain = await createLoadFixture();
    await plain.load(lines);

    const fixture = await createLoadFixture();
    await fixture.load(lines);
    for (const [text, like] of [
      ["7,America/New_York\n", undefined],
      ["7,Europe/Berlin\n", named],
      ["", plain],
      ["# nothing\n8,UTC\n7,Europe/Berlin\n", named],
    ] as const) {
      await applyReference(fixture.warehouse, writeReference(zoneTimeZones(text)));
      if (!like) continue;
      const [{ play, zoneDays }, expected] = [await fixture.state(), await like.state()];
      expect({ play, zoneDays }).toEqual({ play: expected.play, zoneDays: expected.zoneDays });
    }
  });

  it("dirties old and new dates when set, and nothing if unchanged", async () => {
    const fixture = await createLoadFixture();
    await fixture.load(lines);
    const reference = writeReference(zoneTimeZones("7,Asia/Tokyo\n"));
    await fixture.warehouse.run("delete from core.dirty_day");
    expect((await applyReference(fixture.warehouse, reference)).applied).toContain("zone_time_zones.csv");
    expect((await fixture.state()).dirty.map(({ date }) => date)).toEqual([
      "2026-03-28",
      "2026-03-29",
      "2026-03-30",
    ]);

    await fixture.warehouse.run("delete from core.dirty_day");
    expect((await applyReference(fixture.warehouse, reference)).applied).toEqual([]);
    expect((await fixture.state()).dirty).toEqual([]);
  });

  itInAll("leaves reloaded plays unchanged", async () => {
    const fixture = await createLoadFixture();
    await applyReference(fixture.warehouse, writeReference(zoneTimeZones("7,Europe/Berlin\n")));
    await fixture.load(lines);
    const before = await fixture.state();
    expect(await fixture.load(lines)).toMatchObject({ unchanged: 5, changed: 0 });
    await fixture.warehouse.run("update core.play set line_hash = null");
    expect(await fixture.load(lines)).toMatchObject({ unchanged: 5, changed: 0 });
    expect(await fixture.state()).toEqual(before);
  });
});
