import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSql } from "../../../src/util/files/package-files.ts";
import { loadAssets, loadDevices } from "../../support/load-listing.ts";
import { itEachSampled, itInAll } from "../../support/long-suite.ts";
import { createLoadFixture, type LoadFixture, musicLine } from "../load-fixture.ts";

let landings = 0;

function landing({ folder }: LoadFixture, records: readonly unknown[], requestedAt: string, groupId = 1) {
  landings += 1;
  const path = join(folder, `listing-${landings}.jsonl`);
  const lines = records.map((record) => (typeof record === "string" ? record : JSON.stringify(record)));
  writeFileSync(path, lines.join("\n"));
  return { landingId: `listing-${landings}`, path, groupId, requestedAt: new Date(requestedAt) };
}

const device = {
  zone_id: 7,
  device_id: 70,
  status: "online",
  platform: "linux",
  model: "M2",
  firmware: "1.2",
  version: "5",
  ip_address: "10.0.0.7",
  mac_address: "aa:bb:cc:dd:ee:ff",
  bandwidth_kbps: "2048",
  storage_used_mb: "100.5",
  storage_total_mb: "8000",
  last_online_date: "2026-03-10 08:00:00",
  last_online_ago: 60,
  last_play_date: "2026-03-10 07:59:00",
  last_sd_error: "",
  last_sd_error_date: "0000-00-00 00:00:00",
  location: {
    location_id: 51,
    name: "Main Street",
    street: "Main Street 1",
    city: "Bonn",
    state: "NW",
    zip: "53111",
    latitude: "50.7",
    longitude: "7.1",
  },
};
const options = { loadedAt: new Date("2026-03-11"), serviceTimeZone: "America/New_York" };

describe("a device listing", () => {
  it("becomes a snapshot, with addresses, names and sightings", async () => {
    const fixture = await createLoadFixture();
    const { warehouse } = fixture;
    const records = [
      device,
      {
        ...device,
        zone_id: "8",
        device_id: "80",
        location: null,
        last_play_date: "2026-03-10T07:59:00Z",
        last_sd_error: "worn",
      },
    ];
    expect(await loadDevices(warehouse, landing(fixture, records, "2026-03-10T13:00:00Z"), options)).toEqual({
      snapshotId: 1,
      records: 2,
      rejected: 0,
      isRepeat: false,
    });
    expect(await warehouse.all("select * from core.device_snapshot order by device_id")).toMatchObject([
      {
        group_id: 1,
        requested_at: "2026-03-10 13:00:00",
        device_id: 70,
        zone_id: 7,
        location_id: 51,
        bandwidth_kbps: 2048,
        storage_used_mb: 100.5,
        last_online_at: "2026-03-10 12:00:00",
        last_play_at: "2026-03-10 11:59:00",
        last_sd_error: null,
        last_sd_error_at: null,
      },
      {
        device_id: 80,
        zone_id: 8,
        location_id: null,
        last_play_at: "2026-03-10 07:59:00",
        last_sd_error: "worn",
      },
    ]);
    expect(await warehouse.all("select * from core.location")).toMatchObject([
      { location_id: 51, city: "Bonn", latitude: 50.7 },
    ]);
    const { names, locations, sightings } = await fixture.state();
    expect(names).toMatchObject([
      { subject: "location", id: 51, name: "Main Street", last_at: "2026-03-10 13:00:00" },
    ]);
    expect(locations).toMatchObject([{ zone_id: 7, location_id: 51 }]);
    expect(sightings).toMatchObject([
      { zone_id: 7, group_id: 1, source: "devices", kind: "" },
      { zone_id: 8, group_id: 1, source: "devices", kind: "" },
    ]);
  });

  it("counts invalid records, and stores the others", async () => {
    const fixture = await createLoadFixture();
    const records = [
      "oops",
      "[]",
      "",
      "7",
      { ...device, device_id: "x" },
      { ...device, zone_id: null },
      { ...device, zone_id: -1 },
      { ...device, location: 7, bandwidth_kbps: "fast", last_online_date: "never" },
      '{"zone_id":9,"device_id":90,"status":"\\ud800"}',
    ];
    expect(
      await loadDevices(fixture.warehouse, landing(fixture, records, "2026-03-10"), options),
    ).toMatchObject({ records: 2, rejected: 6 });
    expect(
      await fixture.warehouse.all(
        "select device_id, location_id, bandwidth_kbps, last_online_at, status from core.device_snapshot order by device_id",
      ),
    ).toEqual([
      { device_id: 70, location_id: null, bandwidth_kbps: null, last_online_at: null, status: "online" },
      { device_id: 90, location_id: null, bandwidth_kbps: null, last_online_at: null, status: "\uFFFD" },
    ]);
  });

  it.each([
    ["in the repeated hour, ahead as its first", "01:40", "2026-11-01T05:50:00Z", "05:40"],
    ["after that hour, as its second", "01:40", "2026-11-01T06:50:00Z", "06:40"],
    ["by a clock some minutes ahead, as its second", "01:52", "2026-11-01T06:50:00Z", "06:52"],
    ["that occurs once unchanged, however far ahead", "03:10", "2026-11-01T05:50:00Z", "08:10"],
    ["of another clock unchanged", "02:40", "2026-11-01T05:50:00Z", "07:40"],
  ])("reads a date-time %s", async (_name, time, requestedAt, expected) => {
    const fixture = await createLoadFixture();
    const local = `2026-11-01 ${time}:00`;
    const record = { ...device, last_online_date: local, last_play_date: local, last_sd_error_date: local };
    await loadDevices(fixture.warehouse, landing(fixture, [record], requestedAt), options);
    const instant = `2026-11-01 ${expected}:00`;
    expect(
      await fixture.warehouse.all(
        "select last_online_at, last_play_at, last_sd_error_at from core.device_snapshot",
      ),
    ).toEqual([{ last_online_at: instant, last_play_at: instant, last_sd_error_at: instant }]);
  });

  itEachSampled(["America/New_York", "Etc/GMT+12", "Pacific/Kiritimati", "Europe/Amsterdam"], 2)(
    "reads the epoch in any time zone as unknown: %s",
    async (serviceTimeZone) => {
      const fixture = await createLoadFixture();
      const epochs = ["1970-01-01", "1970-01-01T00:00:00Z", "1969-12-31T19:00:00-05:00"];
      for (let hours = -12; hours <= 14; hours += 1)
        epochs.push(new Date(hours * 3_600_000).toISOString().slice(0, 19).replace("T", " "));
      const known = "1970-01-03 00:00:00";
      const records = [...epochs, known].map((text, index) => ({
        ...device,
        ...{ zone_id: index, device_id: index },
        ...{ last_online_date: text, last_play_date: text, last_sd_error_date: text },
      }));
      await loadDevices(fixture.warehouse, landing(fixture, records, "2026-03-10"), {
        ...options,
        serviceTimeZone,
      });
      expect(
        await fixture.warehouse.all(
          `select device_id from core.device_snapshot
        where coalesce(last_online_at, last_play_at, last_sd_error_at) is not null`,
        ),
      ).toEqual([{ device_id: epochs.length }]);
    },
  );

  itInAll("clears the epoch in warehouses of earlier versions", async () => {
    const fixture = await createLoadFixture();
    const { warehouse } = fixture;
    const devices = [
      device,
      { ...device, zone_id: 8, device_id: 80, last_sd_error_date: "2026-03-09 08:00:00" },
    ];
    await loadDevices(warehouse, landing(fixture, devices, "2026-03-10"), options);
    const read = () =>
      warehouse.all(
        "select last_online_at, last_play_at, last_sd_error_at from core.device_snapshot order by device_id",
      );
    const loaded = await read();
    await warehouse.run("update core.device_snapshot set last_online_at = '1970-01-01' where device_id = 70");
    await warehouse.run("update core.device_snapshot set last_play_at = '1969-12-31' where device_id = 80");
    await warehouse.run("delete from core.dirty_device_day");
    await warehouse.run(readSql("warehouse/0050_corrections.sql"));
    expect(await read()).toEqual([
      { ...loaded[0], last_online_at: null },
      { ...loaded[1], last_play_at: null },
    ]);
    expect(await warehouse.all("select date from core.dirty_device_day")).toEqual([{ date: "2026-03-10" }]);
  });

  it("reads years before 1970, the end of time and infinite numbers as unknown", async () => {
    const fixture = await createLoadFixture();
    const nones = ["0001-01-01 00:00:00", "-0001-11-30T00:00:00Z", "infinity", "-infinity"];
    // The limits of DuckDB's timestamps.
    nones.push("294247-01-10 04:00:54", "294247-01-10T04:00:54Z", "290309-12-22 (BC) 00:00:00");
    const records = nones.map((none, index) => ({
      ...device,
      ...{ zone_id: index, device_id: index, last_online_date: none, last_play_date: none },
      ...{ bandwidth_kbps: "NaN", storage_used_mb: "nan", storage_total_mb: "Infinity" },
      location: { location_id: index, latitude: "NaN", longitude: "-inf" },
    }));
    expect(
      await loadDevices(fixture.warehouse, landing(fixture, records, "2026-03-10"), options),
    ).toMatchObject({ records: nones.length, rejected: 0 });
    expect(
      await fixture.warehouse.all(
        `select distinct last_online_at, last_play_at, bandwidth_kbps, storage_used_mb, storage_total_mb, latitude,
          longitude from core.device_snapshot inner join core.location using (location_id)`,
      ),
    ).toEqual([
      {
        ...{ last_online_at: null, last_play_at: null, bandwidth_kbps: null },
        ...{ storage_used_mb: null, storage_total_mb: null, latitude: null, longitude: null },
      },
    ]);
  });

  it("counts a device listed twice in a zone once: as it was online last", async () => {
    const fixture = await createLoadFixture();
    const later = { ...device, status: "offline", last_online_date: "2026-03-10 09:00:00" };
    const records = [device, later, device, { ...device, zone_id: 8 }];
    expect(
      await loadDevices(fixture.warehouse, landing(fixture, records, "2026-03-10"), options),
    ).toMatchObject({ records: 2, rejected: 2 });
    expect(
      await fixture.warehouse.all("select zone_id, status from core.device_snapshot order by zone_id"),
    ).toEqual([
      { zone_id: 7, status: "offline" },
      { zone_id: 8, status: "online" },
    ]);
  });

  it("of an older day restores neither an address nor a name; a newer one replaces both", async () => {
    const fixture = await createLoadFixture();
    const moved = { ...device, location: { ...device.location, city: "Cologne", name: "High Street" } };
    await loadDevices(fixture.warehouse, landing(fixture, [device], "2026-03-10"), options);
    await loadDevices(fixture.warehouse, landing(fixture, [moved], "2026-03-09"), options);
    expect(await fixture.warehouse.all("select city from core.location")).toEqual([{ city: "Bonn" }]);
    await loadDevices(fixture.warehouse, landing(fixture, [moved], "2026-03-11"), options);
    expect(await fixture.warehouse.all("select city from core.location")).toEqual([{ city: "Cologne" }]);
    expect((await fixture.state()).names).toMatchObject([
      { name: "High Street", first_at: "2026-03-09 00:00:00", last_at: "2026-03-11 00:00:00" },
      { name: "Main Street", first_at: "2026-03-10 00:00:00", last_at: "2026-03-10 00:00:00" },
    ]);
  });
});

describe("an asset listing", () => {
  const load = (fixture: LoadFixture, records: readonly unknown[]) =>
    loadAssets(fixture.warehouse, { ...landing(fixture, records, "2026-04-01"), kind: "signage" }, options);

  it("becomes a snapshot, with names in addition to those of history", async () => {
    const fixture = await createLoadFixture();
    await fixture.load([musicLine({ song_id: undefined, asset_id: 3, asset_name: "Offer" })], {
      kind: "signage",
    });
    const records = [
      {
        asset_id: 3,
        name: "Spring offer",
        duration: 15,
        add_date: "2026-01-01",
        start_date: "",
        end_date: "2026-06-30",
        url: "x",
      },
      { asset_id: "4", name: "", duration: "7.5", start_date: "2026-02-30" },
      { name: "no id" },
    ];
    expect(await load(fixture, records)).toMatchObject({ records: 2, rejected: 1 });
    expect(
      await fixture.warehouse.all(
        "select * exclude (snapshot_id, zone_id) from core.asset_snapshot order by asset_id",
      ),
    ).toEqual([
      {
        kind: "signage",
        group_id: 1,
        requested_at: "2026-04-01 00:00:00",
        asset_id: 3,
        asset_name: "Spring offer",
        duration: 15,
        add_date: "2026-01-01",
        start_date: null,
        end_date: "2026-06-30",
      },
      {
        kind: "signage",
        group_id: 1,
        requested_at: "2026-04-01 00:00:00",
        asset_id: 4,
        asset_name: "",
        duration: 7.5,
        add_date: null,
        start_date: null,
        end_date: null,
      },
    ]);
    expect((await fixture.state()).names.filter(({ subject }) => subject === "item")).toMatchObject([
      { kind: "signage", id: 3, name: "Offer" },
      { kind: "signage", id: 3, name: "Spring offer" },
    ]);
  });

  itInAll("counts an asset listed twice once: the first record", async () => {
    const fixture = await createLoadFixture();
    const records = [
      { asset_id: 3, name: "Offer", duration: 30 },
      { asset_id: 4, name: "Sale", duration: 15 },
      { asset_id: "3", name: "Bargain", duration: 20 },
    ];
    expect(await load(fixture, records)).toMatchObject({ records: 2, rejected: 1 });
    expect(
      await fixture.warehouse.all(
        "select asset_id, asset_name, duration from core.asset_snapshot order by asset_id",
      ),
    ).toEqual([
      { asset_id: 3, asset_name: "Offer", duration: 30 },
      { asset_id: 4, asset_name: "Sale", duration: 15 },
    ]);
  });
});
