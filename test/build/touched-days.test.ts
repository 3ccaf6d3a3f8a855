import { beforeEach, expect, it } from "vitest";
import { readSql } from "../../src/util/files/package-files.ts";
import type { Kind } from "../../src/util/kind.ts";
import { itEachSampled, itInAll } from "../support/long-suite.ts";
import { WarehouseFixture } from "./warehouse-fixture.ts";

const dayMs = 86_400_000;
const at = (text: string) => new Date(`${text}Z`);

/** Plays of zone 1, as `[asset or song, local start]`. */
function linesOf(kind: Kind, plays: readonly (readonly [itemId: number, start: string])[]): object[] {
  return plays.map(([itemId, start]) => ({
    zone_id: 1,
    zone_name: "Zone 1",
    location_id: 1,
    location_name: "A place",
    duration_secs: 10,
    play_start: `${start}+00:00`,
    ...(kind === "music"
      ? { song_id: itemId, song_name: "A song", artist_id: 1, artist_name: "An artist" }
      : { asset_id: itemId, asset_name: "An asset" }),
  }));
}

const campaign = (values: object = {}) => ({
  campaign_id: "1",
  name: "Campaign 1",
  status: "enabled",
  add_date: "2026-01-01",
  start_date: "",
  end_date: "",
  rrule: "",
  assets: [{ asset_id: 1, name: "Asset 1", duration: 10, start_date: "", end_date: "" }],
  ...values,
});

const device = (status: string, lastOnlineAt: Date) => ({
  zone_id: 1,
  device_id: 101,
  status,
  last_online_date: lastOnlineAt.toISOString(),
  location: { location_id: 1, name: "A place" },
});

let fed: WarehouseFixture;

/**
 * Zone 1 plays a song at noon each day from September 1 to November 9, a Monday, and campaign 1 once, on that
 * last day. Its device was seen online on the last three mornings.
 */
const openFixture = WarehouseFixture.prepareCopies(async (fed) => {
  await fed.devices(1, [device("online", at("2026-09-01T06:00:00"))], at("2026-09-01T06:00:00"));
  for (const day of ["08", "09", "10"]) await seen("online", `2026-11-${day}T06:00:00`, fed);
  await fed.campaigns({ zoneId: 1 }, [campaign()], at("2026-09-01T06:00:00"));
  const days = Array.from({ length: 70 }, (_, index) => new Date(Date.parse("2026-09-01") + index * dayMs));
  const music = days.map((date) => [9, `${date.toISOString().slice(0, 10)}T12:00:00`] as const);
  await fed.history("music", linesOf("music", music), at("2026-11-10T06:00:00"));
  await exportSignage("2026-11-10T06:00:00", [], fed);
  await fed.rebuiltDays();
});

beforeEach(async () => {
  fed = await openFixture();
});

async function exportSignage(requestedAt: string, late: readonly string[] = [], into = fed): Promise<void> {
  const plays = [...late, "2026-11-09T12:00:00"].map((start) => [1, start] as const);
  await into.history("signage", linesOf("signage", plays), at(requestedAt));
}

async function seen(status: string, requestedAt: string, into = fed): Promise<void> {
  const lastOnlineAt =
    status === "online" ? at(requestedAt) : new Date(at(requestedAt).getTime() - dayMs / 2);
  await into.devices(1, [device(status, lastOnlineAt)], at(requestedAt));
}

async function states(): Promise<Record<string, string>> {
  const rows = await fed.warehouse.all(
    "select date, state from mart.fact_campaign_zone_day where zone_id = 1 order by 1",
  );
  return Object.fromEntries(rows.map(({ date, state }) => [String(date).slice(5), String(state)]));
}

async function restatements(): Promise<unknown[]> {
  return await fed.warehouse.all(
    "select date, plays_before, plays_after, states_changed from mart.fact_restatement where version = ?",
    [fed.version],
  );
}

it("no changes: no days", async () => {
  expect(await fed.rebuiltDays()).toEqual({ plays: [], campaigns: [], devices: [] });
});

itEachSampled(
  [
    ["mart.fact_play_day", "plays"],
    ["mart.fact_play", "plays"],
    ["mart.fact_campaign_zone_day", "campaigns"],
    ["mart.fact_device_day", "devices"],
  ] as const,
  1,
)("%s, with changed SQL: every day of its topic", async ([model, topic]) => {
  await fed.warehouse.run("update core.built_model set sha256 = 'another' where model = ?", [model]);
  const rebuilt = await fed.rebuiltDays();
  const { days } = await fed.warehouse.get<{ days: number }>(
    `select count(distinct date) as days from (${readSql(`build/every_day/${topic}.sql`)}\n) as every_day`,
  );
  expect(rebuilt[topic]).toHaveLength(days);
  expect({ ...rebuilt, [topic]: [] }).toEqual({ plays: [], campaigns: [], devices: [] });
});

it("changed compliance rules: the restatement lists the days published with another state", async () => {
  await fed.warehouse.run(`update mart.fact_campaign_zone_day set state = 'compliant'
    where date in (date '2026-09-03', date '2026-09-07')`);
  await fed.warehouse.run(
    "update core.built_model set sha256 = 'another' where model = 'mart.fact_campaign_zone_day'",
  );
  await fed.rebuiltDays();
  expect(await restatements()).toEqual([
    { date: "2026-09-03", plays_before: 0, plays_after: 0, states_changed: 1 },
    { date: "2026-09-07", plays_before: 0, plays_after: 0, states_changed: 1 },
  ]);
});

it("one more day: that day, the adjacent device day, and the days that it settles", async () => {
  expect(await states()).toMatchObject({ "11-06": "missed", "11-07": "pending" });
  await exportSignage("2026-11-11T06:00:00", ["2026-11-10T12:00:00"]);
  const rebuilt = await fed.rebuiltDays();
  expect(rebuilt.plays).toEqual(["11-10"]);
  expect(rebuilt.campaigns).toEqual(["11-07", "11-10", "11-11"]);
  // It was last seen on November 10.
  expect(rebuilt.devices.filter((day) => day < "11-09")).toEqual([]);
});

it("a play two months late: its day; missed becomes compliant, and is restated", async () => {
  expect((await states())["09-03"]).toBe("missed");
  // One hour later no other day is settled.
  await exportSignage("2026-11-10T07:00:00", ["2026-09-03T12:00:00"]);
  expect(await fed.rebuiltDays()).toMatchObject({
    plays: ["09-03"],
    campaigns: ["09-03"],
    devices: ["09-02", "09-03", "09-04", "09-05"],
  });
  expect((await states())["09-03"]).toBe("compliant");
  expect((await fed.mart())["mart.fact_play_month"]).toEqual(
    (await fed.martFromNothing())["mart.fact_play_month"],
  );
  expect(await restatements()).toEqual([
    { date: "2026-09-03", plays_before: 0, plays_after: 1, states_changed: 1 },
  ]);
});

itInAll("an unfinished day that fills up is not restated; a finished one is", async () => {
  const asOf = async (requestedAt: string, starts: readonly string[]) => {
    const lines = linesOf(
      "music",
      starts.map((start) => [9, start] as const),
    );
    await fed.history("music", lines, at(requestedAt));
    await exportSignage(requestedAt);
    await fed.rebuiltDays();
  };
  await asOf("2026-11-10T12:00:00", ["2026-11-10T09:00:00"]);
  expect(await restatements()).toEqual([]);
  await asOf("2026-11-10T18:00:00", ["2026-11-10T09:00:00", "2026-11-10T15:00:00"]);
  expect(await restatements()).toEqual([]);
  // Published more than an hour after midnight.
  await asOf("2026-11-11T01:00:00", ["2026-11-10T20:00:00", "2026-11-09T20:00:00"]);
  expect(await restatements()).toEqual([
    { date: "2026-11-09", plays_before: 1, plays_after: 2, states_changed: 0 },
  ]);
  await asOf("2026-11-11T06:00:00", ["2026-11-10T23:00:00", "2026-11-11T02:00:00"]);
  expect(await restatements()).toEqual([
    { date: "2026-11-10", plays_before: 3, plays_after: 4, states_changed: 0 },
  ]);
});

itInAll("plays from files only: their last day may be incomplete, so it is not restated", async () => {
  const files = await WarehouseFixture.open();
  const load = async (requestedAt: string, starts: readonly string[]) => {
    const lines = linesOf(
      "music",
      starts.map((start) => [9, start] as const),
    );
    await files.history("music", lines, at(requestedAt), { source: "file", isComplete: false });
    await files.rebuiltDays();
  };
  await load("2026-11-20T06:00:00", ["2026-11-08T09:00:00", "2026-11-09T09:00:00"]);
  await load("2026-11-21T06:00:00", ["2026-11-08T10:00:00", "2026-11-09T10:00:00", "2026-11-10T09:00:00"]);
  const restated = await files.warehouse.all(
    "select date, plays_before, plays_after from mart.fact_restatement",
  );
  expect(restated).toEqual([{ date: "2026-11-08", plays_before: 1, plays_after: 2 }]);
});

itInAll("a late play of a kind that never played: missed becomes compliant, and is restated", async () => {
  const listedAt = at("2026-09-01T06:00:00");
  await fed.campaigns({ zoneId: 1 }, [campaign()], listedAt, "messaging");
  await fed.history("messaging", [], at("2026-11-10T06:00:00"));
  await fed.rebuiltDays();
  expect(await restatements()).toEqual([]);
  const late = linesOf("messaging", [
    [1, "2026-11-03T12:00:00"],
    // Not settled yet: this day had no published figures.
    [1, "2026-11-08T12:00:00"],
  ]);
  await fed.history("messaging", late, at("2026-11-10T07:00:00"));
  await fed.rebuiltDays();
  expect(await restatements()).toEqual([
    { date: "2026-11-03", plays_before: 0, plays_after: 1, states_changed: 1 },
  ]);
});

itInAll(
  "the settle window moves: the days that it passes and the new ones; pending days are never restated",
  async () => {
    expect(await states()).toMatchObject({ "11-06": "missed", "11-07": "pending", "11-09": "pending" });
    await exportSignage("2026-11-12T06:00:00");
    const rebuilt = await fed.rebuiltDays();
    expect(rebuilt.plays).toEqual([]);
    expect(rebuilt.campaigns).toEqual(["11-07", "11-08", "11-11", "11-12"]);
    expect(await states()).toMatchObject({ "11-07": "missed", "11-08": "missed", "11-09": "pending" });
    expect(await restatements()).toEqual([]);
  },
);

itInAll("a changed listing: the days since the previous one", async () => {
  await fed.campaigns({ zoneId: 1 }, [campaign()], at("2026-11-05T06:00:00"));
  await fed.rebuiltDays();
  await fed.campaigns({ zoneId: 1 }, [campaign({ status: "disabled" })], at("2026-11-07T06:00:00"));
  expect(await fed.rebuiltDays()).toEqual({
    plays: [],
    campaigns: ["11-04", "11-05", "11-06", "11-07", "11-08", "11-09", "11-10"],
    devices: [],
  });
  expect(await states()).toMatchObject({ "11-04": "missed", "11-05": "not_measurable" });
});

itInAll(
  "an empty listing that replaces the last one of the same instant: also the days before it",
  async () => {
    await fed.campaigns({ zoneId: 1 }, [campaign({ status: "disabled" })], at("2026-11-05T06:00:00"));
    await fed.rebuiltDays();
    expect(await states()).toMatchObject({ "09-02": "not_measurable", "11-04": "not_measurable" });
    await fed.campaigns({ zoneId: 1 }, [], at("2026-11-05T06:00:00"));
    const fromNothing = await fed.martFromNothing();
    await fed.rebuiltDays();
    expect(await states()).toMatchObject({ "09-02": "missed", "11-04": "missed" });
    expect(await fed.mart()).toEqual(fromNothing);
  },
);

itInAll("a late play of several days: also the days it continues on", async () => {
  for (const time of ["2026-11-10T18:00:00", "2026-11-11T06:00:00"]) await seen("offline", time);
  await fed.rebuiltDays();
  const [poster] = linesOf("signage", [[2, "2026-11-05T09:00:00"]]);
  await fed.history("signage", [{ ...poster, duration_secs: 6 * 86_400 }], at("2026-11-11T06:30:00"));
  const fromNothing = await fed.martFromNothing();
  const { devices } = await fed.rebuiltDays();
  expect(devices).toEqual(expect.arrayContaining(["11-05", "11-08", "11-10", "11-11"]));
  expect(await fed.mart()).toEqual(fromNothing);
  expect(
    await fed.warehouse.get(
      "select playing_while_down_seconds from mart.fact_device_day where date = '2026-11-10'",
    ),
  ).toEqual({ playing_while_down_seconds: 18 * 3600 });
});

itInAll("a device snapshot: the days since the previous one", async () => {
  await seen("online", "2026-11-10T18:00:00");
  const rebuilt = await fed.rebuiltDays();
  expect(rebuilt).toEqual({ plays: [], campaigns: [], devices: ["11-09", "11-10", "11-11"] });
});

itInAll("a replaced device: also days of its other zones, on another date", async () => {
  const zones = ["1,America/Adak", "2,Pacific/Kiritimati"];
  await fed.reference("zone_time_zones.csv", ["zone_id,time_zone", ...zones]);
  const of = (deviceId: number, zoneId: number, status: string, time: string, kbps: number) => ({
    ...{ device_id: deviceId, zone_id: zoneId, status, bandwidth_kbps: String(kbps) },
    last_online_date: at(time).toISOString(),
  });
  // Throughout, it is November 11 in zone 2 and November 10 in zone 1.
  const looks = [
    [of(102, 2, "online", "2026-11-10T10:10:00", 100), "2026-11-10T10:10:00"],
    [of(102, 1, "online", "2026-11-10T11:00:00", 100), "2026-11-10T11:00:00"],
    [of(102, 2, "offline", "2026-11-10T11:00:00", 500), "2026-11-10T12:00:00"],
  ] as const;
  for (const [record, time] of looks) await fed.devices(1, [record], at(time));
  await fed.rebuiltDays();
  const another = of(103, 2, "online", "2026-11-20T12:00:00", 100);
  await fed.devices(1, [another], at("2026-11-20T12:00:00"));
  const fromNothing = await fed.martFromNothing();
  await fed.rebuiltDays();
  expect(
    await fed.warehouse.all(
      "select date, bandwidth_kbps from mart.fact_device_day where device_id = 102 and zone_id = 2",
    ),
  ).toEqual([{ date: "2026-11-11", bandwidth_kbps: 100 }]);
  expect((await fed.mart())["mart.fact_device_day"]).toEqual(fromNothing["mart.fact_device_day"]);
});

itInAll("a play after the end of known history: also the silent days before it", async () => {
  const hours = [1, 2, 3, 4, 5, 6, 7].map((weekday) => `1,${weekday},08:00,20:00`);
  await fed.reference("opening_hours.csv", ["zone_id,day_of_week,opens,closes", ...hours]);
  // Group 2's history was last requested on November 5.
  const earlier = { source: "export", groupId: 2, isComplete: true } as const;
  await fed.history("music", [], at("2026-11-05T06:00:00"), earlier);
  for (const day of ["11", "12", "13", "14"]) await seen("online", `2026-11-${day}T06:00:00`);
  await fed.rebuiltDays();
  await exportSignage("2026-11-14T06:00:00", ["2026-11-13T12:00:00"]);
  await fed.rebuiltDays();
  const silent = await fed.warehouse.all(
    "select date, silent_seconds > 0 as is_silent from mart.fact_device_day where date >= '2026-11-10' order by 1",
  );
  expect(silent.map(({ date, is_silent: isSilent }) => [date, isSilent])).toEqual([
    ["2026-11-10", true],
    ["2026-11-11", true],
    ["2026-11-12", true],
    ["2026-11-13", true],
    ["2026-11-14", false],
  ]);
});

itInAll("opening hours that adjoin midnight: also the day before, which becomes silent too", async () => {
  const hours = ["1,7,23:55,24:00", "1,1,00:00,00:10"];
  const silent = async () =>
    await fed.warehouse.all(
      `select date, silent_seconds from mart.fact_device_day
      where date between '2026-11-08' and '2026-11-09' order by 1`,
    );
  await fed.reference("opening_hours.csv", ["zone_id,day_of_week,opens,closes", ...hours.slice(0, 1)]);
  await fed.rebuiltDays();
  expect((await silent()).map((day) => day.silent_seconds)).toEqual([0, 0]);
  await fed.reference("opening_hours.csv", ["zone_id,day_of_week,opens,closes", ...hours]);
  await fed.rebuiltDays();
  expect((await silent()).map((day) => day.silent_seconds)).toEqual([300, 600]);
});

it("opening hours: days without plays that they open or close, and their device days", async () => {
  await seen("online", "2026-11-14T06:00:00");
  await exportSignage("2026-11-30T06:00:00");
  await fed.rebuiltDays();
  await fed.reference("opening_hours.csv", ["zone_id,day_of_week,opens,closes", "1,1,08:00,20:00"]);
  const { plays, campaigns } = await fed.rebuiltDays();
  expect(plays).toEqual([]);
  expect(campaigns.filter((day) => day < "11-10")).toEqual([]);
  expect(campaigns).toContain("11-11");
  expect(campaigns).not.toContain("11-16");
  expect(await states()).toMatchObject({ "11-11": "closed" });
});

itInAll("kinds of zones: the days that gain or lose the kind, and those alone", async () => {
  const given = async (...lines: string[]) => {
    await fed.reference("zone_kinds.csv", ["zone_id,kind,valid_from,valid_to", ...lines]);
    const fromNothing = await fed.martFromNothing();
    const rebuilt = await fed.rebuiltDays();
    expect(await fed.mart()).toEqual(fromNothing);
    expect({ ...rebuilt, campaigns: [] }).toEqual({ plays: [], campaigns: [], devices: [] });
    return rebuilt.campaigns;
  };
  const before = await states();
  expect(await given("2,music,,", "1,signage,,")).toEqual([]);
  expect(await given("1,signage,,2026-11-06", "1,music,,")).toEqual(["11-07", "11-08", "11-09", "11-10"]);
  const { "11-09": played, "11-06": missed, ...rest } = await states();
  expect({ played, missed, later: rest["11-07"] ?? rest["11-08"] }).toEqual({
    played: "unscheduled",
    missed: before["11-06"],
    later: undefined,
  });
  expect(await given("1,signage,2026-11-05,2026-11-06", "1,music,,")).toContain("09-02");
  expect(Object.keys(await states())).toEqual(["11-05", "11-06", "11-09"]);
  await given();
  expect(await states()).toEqual(before);
});

itInAll(
  "a time zone that moves no play to another date: the zone's days, but none with other plays",
  async () => {
    await fed.reference("zone_time_zones.csv", ["zone_id,time_zone", "2,Europe/Berlin"]);
    expect(await fed.rebuiltDays()).toEqual({ plays: [], campaigns: [], devices: [] });
    await fed.reference("zone_time_zones.csv", ["zone_id,time_zone", "1,Pacific/Auckland"]);
    const { plays, campaigns } = await fed.rebuiltDays();
    expect([plays.at(0), plays.at(-1), plays.length]).toEqual(["09-01", "11-10", 71]);
    expect([campaigns.at(0), campaigns.at(-1)]).toEqual(["09-01", "11-10"]);
  },
);

itInAll(
  "a time zone with the same days but an earlier clock change: the day on which a rule's UNTIL falls",
  async () => {
    // 00:30 UTC on October 25, a day of 25 hours in both: 03:30 in Athens, 02:30 in Jerusalem.
    const rrule = "FREQ=DAILY;BYHOUR=3;UNTIL=20261025T003000Z";
    await fed.reference("zone_time_zones.csv", ["zone_id,time_zone", "1,Europe/Athens"]);
    await fed.campaigns({ zoneId: 1 }, [campaign({ rrule })], at("2026-09-02T06:00:00"));
    await fed.rebuiltDays();
    expect(await states()).toHaveProperty("10-25", "missed");
    await fed.reference("zone_time_zones.csv", ["zone_id,time_zone", "1,Asia/Jerusalem"]);
    const fromNothing = await fed.martFromNothing();
    expect(await fed.rebuiltDays()).toMatchObject({ plays: [], campaigns: ["10-25"] });
    expect(await states()).not.toHaveProperty("10-25");
    expect(await states()).toHaveProperty("10-24", "missed");
    expect(await fed.mart()).toEqual(fromNothing);
  },
);

itInAll("a campaign's last day ends after the listing that omits it: also the days before it", async () => {
  const other = campaign({ campaign_id: "2", assets: [] });
  const ending = campaign({ end_date: "2026-11-07" });
  await fed.campaigns({ zoneId: 1 }, [ending, other], at("2026-11-04T06:00:00"));
  await fed.campaigns({ zoneId: 1 }, [other], at("2026-11-08T00:30:00"));
  await fed.rebuiltDays();
  expect(await states()).toMatchObject({ "11-05": "missed", "11-06": "missed" });
  // A later play reveals another offset: November 8 begins an hour later.
  const later = linesOf("music", [[9, "2026-11-08T12:30:00"]]).map((line) => ({
    ...line,
    play_start: "2026-11-08T12:30:00-01:00",
  }));
  await fed.history("music", later, at("2026-11-10T06:00:00"), { source: "file", isComplete: false });
  const fromNothing = await fed.martFromNothing();
  expect((await fed.rebuiltDays()).campaigns).toEqual(["11-04", "11-05", "11-06", "11-07", "11-08"]);
  expect(await states()).toMatchObject({ "11-05": "not_measurable", "11-06": "not_measurable" });
  expect(await fed.mart()).toEqual(fromNothing);
});

itInAll("a time zone set later: the day on which a rule ends moves with it", async () => {
  const rrule = "FREQ=DAILY;BYHOUR=20;UNTIL=20261104T120000Z";
  await fed.campaigns({ zoneId: 1 }, [campaign({ rrule })], at("2026-09-02T06:00:00"));
  await fed.rebuiltDays();
  expect(Object.keys(await states()).at(-2)).toBe("11-03");
  await fed.reference("zone_time_zones.csv", ["zone_id,time_zone", "1,Pacific/Auckland"]);
  const fromNothing = await fed.martFromNothing();
  await fed.rebuiltDays();
  expect(Object.keys(await states()).at(-2)).toBe("11-04");
  expect(await fed.mart()).toEqual(fromNothing);
});

itInAll("rules that an earlier version expanded differently: the days on which it did", async () => {
  const counted = "FREQ=HOURLY;COUNT=24";
  const ending = "FREQ=DAILY;BYHOUR=18;UNTIL=20261103T200000Z";
  await fed.reference("zone_time_zones.csv", ["zone_id,time_zone", "1,America/New_York"]);
  const campaigns = [
    campaign({ campaign_id: "2", rrule: counted, start_date: "2026-11-06" }),
    campaign({ campaign_id: "3", rrule: ending, start_date: "2026-11-01" }),
  ];
  await fed.campaigns({ zoneId: 1 }, campaigns, at("2026-09-01T12:00:00"));
  await fed.build();
  await fed.publish();
  const datesOf = async (campaignId: number) => {
    const rows = await fed.warehouse.all(
      `select date from mart.fact_campaign_zone_day
      where campaign_key = ? * 4 + 1 and state <> 'unscheduled' order by date`,
      [campaignId],
    );
    return rows.map(({ date }) => String(date).slice(5)).join(" ");
  };
  expect(await datesOf(2)).toBe("11-06");
  expect(await datesOf(3)).toBe("11-01 11-02");

  // The earlier version counted COUNT by dates and dropped every Z of UNTIL.
  const idOf = (rrule: string) => `(select rule_id from core.campaign_rule where rrule = '${rrule}')`;
  await fed.warehouse.run(`
    update core.campaign_rule set until_at = null;
    update core.campaign_date set first_secs = null;
    delete from core.campaign_date where rule_id = ${idOf(ending)} and date > '2026-11-03';
    insert into core.campaign_date (rule_id, date)
    select ${idOf(counted)}, date from core.calendar where date between '2026-11-07' and '2026-11-29';
    insert into core.dirty_campaign_day
    select 'signage', date from core.calendar where date between '2026-11-01' and '2026-11-10'`);
  await fed.build();
  await fed.publish();
  expect(await datesOf(2)).toBe("11-06 11-07 11-08 11-09 11-10");
  expect(await datesOf(3)).toBe("11-01 11-02 11-03");

  await fed.warehouse.run("update core.campaign_rule set expanded_by = 'another version'");
  const days = ["11-02", "11-03", "11-04", "11-07", "11-08", "11-09", "11-10"];
  expect(await fed.rebuiltDays()).toEqual({ plays: [], campaigns: days, devices: [] });
  expect(await datesOf(2)).toBe("11-06");
  expect(await datesOf(3)).toBe("11-01 11-02");
});

it("group names: no days", async () => {
  await fed.reference("group_names.csv", ["group_id,group_name", "1,A group"]);
  expect(await fed.rebuiltDays()).toEqual({ plays: [], campaigns: [], devices: [] });
});

const timed = campaign({ rrule: "FREQ=WEEKLY;BYDAY=MO,TU;BYHOUR=12,18", start_date: "2026-01-01" });
const weekHours = (closes: string) => [1, 2, 3, 4, 5, 6, 7].map((day) => `1,${day},08:00,${closes}`);

/** Due and met times of the last Monday. */
async function timesOfMonday(): Promise<unknown> {
  const [row] = await fed.warehouse.all(
    "select due_times, met_times from mart.fact_campaign_zone_day where zone_id = 1 and date = '2026-11-09'",
  );
  return row && [row.due_times, row.met_times];
}

itInAll("other opening hours: the days on which rules name times", async () => {
  await fed.reference("opening_hours.csv", ["zone_id,day_of_week,opens,closes", ...weekHours("20:00")]);
  await fed.campaigns({ zoneId: 1 }, [timed], at("2026-09-01T06:00:00"));
  await fed.rebuiltDays();
  expect(await timesOfMonday()).toEqual([2, 1]);
  await fed.reference("opening_hours.csv", ["zone_id,day_of_week,opens,closes", ...weekHours("17:00")]);
  const { campaigns } = await fed.rebuiltDays();
  expect(campaigns).toContain("11-09");
  expect(await timesOfMonday()).toEqual([1, 1]);
});

itInAll("another slot length: only the days on which rules name times", async () => {
  await fed.campaigns({ zoneId: 1 }, [timed], at("2026-09-01T06:00:00"));
  await exportSignage("2026-11-10T06:00:00", ["2026-11-02T12:20:00"]);
  await fed.rebuiltDays();
  const met = async () =>
    (
      await fed.warehouse.get<{ met: number }>(
        "select sum(met_times)::bigint as met from mart.fact_campaign_zone_day",
      )
    ).met;
  expect(await met()).toBe(2);
  fed.options = { ...fed.options, slotMinutes: 15 };
  const { plays, campaigns, devices } = await fed.rebuiltDays();
  expect([plays, devices]).toEqual([[], []]);
  const weekdays = new Set(campaigns.map((day) => new Date(`2026-${day}`).getUTCDay()));
  expect(weekdays).toEqual(new Set([1, 2]));
  expect(await met()).toBe(1);
  expect((await fed.mart())["mart.fact_campaign_zone_day"]).toEqual(
    (await fed.martFromNothing())["mart.fact_campaign_zone_day"],
  );
});
