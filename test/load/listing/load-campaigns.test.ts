import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ListingResult, loadListings } from "../../../src/load/listing/load-listings.ts";
import { expandRules } from "../../../src/load/rules/campaign-dates.ts";
import { insertCoreRows } from "../../support/core-rows.ts";
import { type ListingOwner, loadAssets, loadCampaigns } from "../../support/load-listing.ts";
import { itEachSampled } from "../../support/long-suite.ts";
import { createLoadFixture, type LoadFixture } from "../load-fixture.ts";

type Listing = ListingOwner & {
  requestedAt: string;
  records: readonly unknown[];
  kind?: "signage" | "messaging";
};

let landings = 0;

async function load(
  { warehouse, folder }: LoadFixture,
  { records, requestedAt, kind = "signage", ...owner }: Listing,
): Promise<ListingResult> {
  landings += 1;
  const path = join(folder, `campaigns-${landings}.jsonl`);
  writeFileSync(
    path,
    records.map((record) => (typeof record === "string" ? record : JSON.stringify(record))).join("\n"),
  );
  const landing = {
    landingId: `campaigns-${landings}`,
    path,
    kind,
    requestedAt: new Date(requestedAt),
    ...owner,
  };
  return await loadCampaigns(warehouse, landing, { loadedAt: new Date("2026-03-11") });
}

function campaign(values: Record<string, unknown> = {}) {
  return {
    campaign_id: "5",
    name: "Spring",
    status: "enabled",
    add_date: "2026-02-01",
    start_date: "2026-03-01",
    end_date: "",
    rrule: "FREQ=DAILY",
    assets: [asset()],
    ...values,
  };
}

function asset(values: Record<string, unknown> = {}) {
  return {
    asset_id: 50,
    name: "Tulips",
    preview_png: "https://media.example/50.png",
    preview_gif: "",
    url: "https://media.example/50.mp4",
    duration: 15,
    add_date: "2026-02-01",
    start_date: "",
    end_date: "",
    ...values,
  };
}

const spansSql = `
  select owner_kind || ' ' || owner_id as owner, campaign_id, campaign_name, from_at, until_at, seen_from_at, last_seen_at
  from core.listing_span order by kind, owner, campaign_id, from_at, campaign_name`;

describe("a listing of campaigns", () => {
  it("becomes spans with assets, rule and names", async () => {
    const fixture = await createLoadFixture();
    const { warehouse } = fixture;
    const result = await load(fixture, {
      groupId: 1,
      requestedAt: "2026-03-10T13:00:00Z",
      records: [
        campaign({
          assets: [asset(), asset({ asset_id: "51", start_date: "2026-03-05", end_date: "2026-03-06" })],
        }),
      ],
    });
    expect(result).toMatchObject({ records: 1, rejected: 0, isRepeat: false });
    expect(await warehouse.all("select * from core.listing_span")).toEqual([
      {
        kind: "signage",
        owner_kind: "group",
        owner_id: 1,
        campaign_id: 5,
        rule_id: 1,
        campaign_name: "Spring",
        status: "enabled",
        is_enabled: true,
        add_date: "2026-02-01",
        start_date: "2026-03-01",
        end_date: null,
        rrule: "FREQ=DAILY",
        record_error: null,
        from_at: "1970-01-01 00:00:00",
        until_at: null,
        seen_from_at: "2026-03-10 13:00:00",
        last_seen_at: "2026-03-10 13:00:00",
      },
    ]);
    expect(
      await warehouse.all(
        "select campaign_id, asset_id, start_date, end_date, until_at from core.listing_asset_span order by 2",
      ),
    ).toEqual([
      { campaign_id: 5, asset_id: 50, start_date: null, end_date: null, until_at: null },
      { campaign_id: 5, asset_id: 51, start_date: "2026-03-05", end_date: "2026-03-06", until_at: null },
    ]);
    expect(
      await warehouse.all("select asset_id, duration, start_date from core.linked_asset order by 1"),
    ).toEqual([
      { asset_id: 50, duration: 15, start_date: null },
      { asset_id: 51, duration: 15, start_date: "2026-03-05" },
    ]);
    expect(await warehouse.all("select subject, kind, id, name from core.name_span order by id")).toEqual([
      { subject: "item", kind: "signage", id: 50, name: "Tulips" },
      { subject: "item", kind: "signage", id: 51, name: "Tulips" },
    ]);
    expect(await warehouse.get("select group_id, zone_id, source, kind from core.snapshot")).toEqual({
      group_id: 1,
      zone_id: null,
      source: "campaigns",
      kind: "signage",
    });
  });

  it("accounts for every record: without an id, repeated, or not an object", async () => {
    const fixture = await createLoadFixture();
    const records = [
      campaign(),
      campaign({ name: "again" }),
      campaign({ campaign_id: 6, assets: null }),
      campaign({ campaign_id: "x7" }),
      campaign({ campaign_id: null }),
      "not json",
      "[1]",
    ];
    const result = await load(fixture, { zoneId: 7, requestedAt: "2026-03-10T13:00:00Z", records });
    expect(result).toMatchObject({ records: 2, rejected: 5 });
    expect(
      await fixture.warehouse.all(
        "select campaign_id, campaign_name, owner_kind, owner_id from core.listing_span order by 1",
      ),
    ).toEqual([
      { campaign_id: 5, campaign_name: "Spring", owner_kind: "zone", owner_id: 7 },
      { campaign_id: 6, campaign_name: "Spring", owner_kind: "zone", owner_id: 7 },
    ]);
  });

  it("has no dates for an asset with an unreadable one, and links it as never active", async () => {
    const fixture = await createLoadFixture();
    const assets = [{ asset_id: 50, start_date: "2026-03-01", end_date: "soon" }];
    await load(fixture, { zoneId: 7, requestedAt: "2026-03-10", records: [campaign({ assets })] });
    const dates = (table: string) => fixture.warehouse.all(`select start_date, end_date from core.${table}`);
    expect(await dates("linked_asset")).toEqual([{ start_date: null, end_date: null }]);
    expect(await dates("listing_asset_span")).toEqual([{ start_date: "9999-12-31", end_date: "1000-01-01" }]);
  });

  const statuses = [
    ["enabled", true],
    ["Enabled ", true],
    ["disabled", false],
    ["paused", false],
    ["", false],
    [null, false],
  ] as const;
  it("is enabled by its status, however it is written", async () => {
    const fixture = await createLoadFixture();
    const records = statuses.map(([status], index) => campaign({ campaign_id: index + 1, status }));
    await load(fixture, { zoneId: 7, requestedAt: "2026-03-10", records });
    expect(
      await fixture.warehouse.all("select is_enabled from core.listing_span order by campaign_id"),
    ).toEqual(statuses.map(([_status, isEnabled]) => ({ is_enabled: isEnabled })));
  });

  const dates = [
    ["2026-03-01", "2026-03-01", null],
    [" 2026-03-01 ", "2026-03-01", null],
    ["2026-03-01 00:00:00", "2026-03-01", null],
    ["", null, null],
    [null, null, null],
    ["0000-00-00", null, null],
    [" 0000-00-00 00:00:00", null, null],
    ["-0001-11-30 00:00:00", null, null],
    ["0001-01-01T00:00:00", null, null],
    ["1970-01-01", null, null],
    ["1970-01-01 01:00:00", null, null],
    ["1969-12-31T16:00:00", null, null],
    ["1970-01-02", "1970-01-02", null],
    ["infinity", null, null],
    [" -Infinity", null, null],
    ["9999-12-31", "9999-12-31", null],
    ["12026-03-01", null, 'end_date "12026-03-01" is not a date'],
    ["0044-03-15 (BC)", null, 'end_date "0044-03-15 (BC)" is not a date'],
    ["2026-02-30", null, 'end_date "2026-02-30" is not a date'],
    ["soon", null, 'end_date "soon" is not a date'],
  ] as const;
  it("reads dates as written, and those that mean none", async () => {
    const fixture = await createLoadFixture();
    const records = dates.map(([written], index) =>
      campaign({ campaign_id: index + 1, name: String(written), end_date: written }),
    );
    await load(fixture, { zoneId: 7, requestedAt: "2026-03-10", records });
    expect(
      await fixture.warehouse.all(
        "select campaign_name, end_date, record_error from core.listing_span order by campaign_id",
      ),
    ).toEqual(
      dates.map(([written, date, error]) => ({
        ...{ campaign_name: String(written), end_date: date, record_error: error },
      })),
    );
  });
});

describe("several listings", () => {
  const day = (n: number) => `2026-03-${String(n).padStart(2, "0")}T06:00:00Z`;
  const instant = (n: number) => `2026-03-${String(n).padStart(2, "0")} 06:00:00`;

  it("split a span where something changed, and where the campaign was missing", async () => {
    const fixture = await createLoadFixture();
    const other = campaign({ campaign_id: "9", name: "Other" });
    for (const [date, records] of [
      [1, [campaign(), other]],
      [2, [campaign(), other]],
      [3, [campaign({ name: "Spring!" }), other]],
      [4, [other]],
      [5, [campaign({ name: "Spring!" }), other]],
    ] as const) {
      await load(fixture, { groupId: 1, requestedAt: day(date), records });
    }
    const seen = (campaignName: string, from: number, until: number | null, last: number) => ({
      owner: "group 1",
      campaign_id: campaignName === "Other" ? 9 : 5,
      campaign_name: campaignName,
      from_at: from === 1 ? "1970-01-01 00:00:00" : instant(from),
      until_at: until && instant(until),
      seen_from_at: instant(from),
      last_seen_at: instant(last),
    });
    expect(await fixture.warehouse.all(spansSql)).toEqual([
      seen("Spring", 1, 3, 2),
      seen("Spring!", 3, 4, 3),
      seen("Spring!", 5, null, 5),
      seen("Other", 1, null, 5),
    ]);
  });

  itEachSampled(
    [
      ["ignore one empty listing", [1, 0, 1], ["1970-01-01 00:00:00 → null"]],
      ["ignore an empty newest listing for now", [1, 1, 0], ["1970-01-01 00:00:00 → null"]],
      ["count two empty listings from the first", [1, 0, 0], [`1970-01-01 00:00:00 → ${instant(2)}`]],
      [
        "count two empty listings in between",
        [1, 0, 0, 1],
        [`1970-01-01 00:00:00 → ${instant(2)}`, `${instant(4)} → null`],
      ],
      ["count an empty one at the start", [0, 1, 1], [`${instant(2)} → null`]],
      ["ignore separate empty listings", [1, 0, 1, 0, 1], ["1970-01-01 00:00:00 → null"]],
    ] as readonly [string, (0 | 1)[], string[]][],
    3,
  )("%s", async ([_label, sequence, spans]) => {
    for (const order of ["forward", "backward"]) {
      const fixture = await createLoadFixture();
      const listings = sequence.map((isThere, index) => ({
        zoneId: 7,
        requestedAt: day(index + 1),
        records: isThere ? [campaign()] : [],
      }));
      for (const listing of order === "forward" ? listings : listings.reverse()) await load(fixture, listing);
      const rows = await fixture.warehouse.all(
        "select from_at || ' → ' || coalesce(until_at::varchar, 'null') as span from core.listing_span order by from_at",
      );
      expect(rows.map(({ span }) => span)).toEqual(spans);
    }
  });
});

it("changed listings are loaded without joining all of an owner's listings with each other", async () => {
  const { warehouse, folder } = await createLoadFixture();
  const zones = 100;
  const days = 360;
  await warehouse.run(
    `insert into core.campaign_listing
    select
      'signage', 'zone', zone, timestamp '2025-03-01' + day * interval 1 day, 1, true,
      case when day > 0 then timestamp '2025-03-01' + (day - 1) * interval 1 day end
    from range(${zones}) as zones (zone), range(${days}) as days (day);
    insert into core.listing_run
    select
      kind, owner_kind, owner_id, 'campaign', '{"campaign_id":5,"campaign_name":"' || requested_at || '"}',
      requested_at, requested_at
    from core.campaign_listing`,
  );
  const landings = Array.from({ length: zones }, (_, zoneId) => {
    const path = join(folder, `changed-${zoneId}.jsonl`);
    writeFileSync(path, JSON.stringify(campaign()));
    const requestedAt = new Date("2026-03-09T06:00:00Z");
    return {
      ...{ landingId: `changed ${zoneId}`, source: "campaigns" as const, kind: "signage" as const },
      ...{ zoneId, path, requestedAt },
    };
  });
  await warehouse.run("set memory_limit = '300MB'; set max_temp_directory_size = '0KB'");
  await loadListings(warehouse, landings, { loadedAt: new Date("2026-03-11"), serviceTimeZone: "UTC" });
  expect(await warehouse.get("select count(*) as spans from core.listing_span")).toEqual({
    spans: zones * (days + 1),
  });
  // Only the timeout reveals that join: it would take longer.
}, 60_000);

describe("rules", () => {
  it("are expanded once over the days of zones and three months beyond, and again when these grow", async () => {
    const fixture = await createLoadFixture();
    const { warehouse } = fixture;
    await insertCoreRows(warehouse, "zone_day", [
      { zone_id: 1, date: "2026-03-01" },
      { zone_id: 1, date: "2026-03-08" },
    ]);
    const records = [
      campaign({ rrule: "FREQ=WEEKLY;BYDAY=MO" }),
      campaign({ campaign_id: 6, rrule: "FREQ=DAILY;COUNT=0" }),
      campaign({ campaign_id: 8, rrule: " " }),
    ];
    await load(fixture, { groupId: 1, requestedAt: "2026-03-09T06:00:00Z", records });
    expect(
      await warehouse.all(
        "select rrule, rule_error is null as is_sound, expanded_from, expanded_to from core.campaign_rule order by 1",
      ),
    ).toEqual([
      {
        rrule: "FREQ=DAILY;COUNT=0",
        is_sound: false,
        expanded_from: "2026-02-06",
        expanded_to: "2026-06-09",
      },
      {
        rrule: "FREQ=WEEKLY;BYDAY=MO",
        is_sound: true,
        expanded_from: "2026-02-06",
        expanded_to: "2026-06-09",
      },
    ]);
    const dates = async () =>
      (await warehouse.all("select date from core.campaign_date order by 1")).map(({ date }) =>
        String(date).slice(5),
      );
    expect(await dates()).toEqual([
      "03-02",
      "03-09",
      "03-16",
      "03-23",
      "03-30",
      "04-06",
      "04-13",
      "04-20",
      "04-27",
      "05-04",
      "05-11",
      "05-18",
      "05-25",
      "06-01",
      "06-08",
    ]);
    await insertCoreRows(warehouse, "zone_day", [{ zone_id: 1, date: "2026-04-08" }]);
    await load(fixture, { groupId: 1, requestedAt: "2026-04-10T06:00:00Z", records });
    expect((await dates()).at(-1)).toBe("07-06");
    expect(
      await warehouse.all(
        "select distinct rule_id is null as has_none from core.listing_span where rrule is null",
      ),
    ).toEqual([{ has_none: true }]);
  });

  it("are expanded again by another version of the expansion; days that differ become dirty", async () => {
    const fixture = await createLoadFixture();
    const { warehouse } = fixture;
    const days = Array.from({ length: 9 }, (_, index) => ({ zone_id: 1, date: `2026-03-0${index + 1}` }));
    await insertCoreRows(warehouse, "zone_day", days);
    const records = [
      campaign({ rrule: "FREQ=WEEKLY;BYDAY=MO" }),
      campaign({ campaign_id: 6, rrule: "FREQ=DAILY;COUNT=0" }),
      campaign({ campaign_id: 7, rrule: "FREQ=DAILY;BYDAY=TU" }),
      campaign({ campaign_id: 8, rrule: "FREQ=WEEKLY;BYDAY=WE" }),
    ];
    await load(fixture, { groupId: 1, requestedAt: "2026-03-09T06:00:00Z", records });
    const state = async () => ({
      rules: await warehouse.all("select * from core.campaign_rule order by rule_id"),
      dates: await warehouse.all("select * from core.campaign_date order by all"),
    });
    const expanded = await state();
    await warehouse.run("delete from core.dirty_campaign_day");
    await expandRules(warehouse);
    expect(await warehouse.all("select * from core.dirty_campaign_day")).toEqual([]);

    // Results of an earlier version for three of them: one date more, no error, an error.
    const idOf = (rrule: string) => `(select rule_id from core.campaign_rule where rrule = '${rrule}')`;
    await warehouse.run("update core.campaign_rule set expanded_by = null");
    await warehouse.run(
      `insert into core.campaign_date (rule_id, date) values (${idOf("FREQ=WEEKLY;BYDAY=MO")}, '2026-03-05'),
        (${idOf("FREQ=DAILY;COUNT=0")}, '2026-03-07')`,
    );
    await warehouse.run("update core.campaign_rule set rule_error = null where rrule like '%COUNT%'");
    await warehouse.run("update core.campaign_rule set rule_error = 'TU is unknown' where rrule like '%TU'");
    await expandRules(warehouse);
    expect(await state()).toEqual(expanded);
    expect(await warehouse.all("select * from core.dirty_campaign_day order by date")).toEqual(
      ["2026-03-03", "2026-03-05", "2026-03-07"].map((date) => ({ kind: "signage", date })),
    );
  });
});

it("a listing of a zone's own assets is stored for the zone", async () => {
  const { warehouse, folder } = await createLoadFixture();
  const path = join(folder, "assets.jsonl");
  writeFileSync(path, JSON.stringify(asset()));
  const landing = {
    landingId: "assets",
    path,
    kind: "signage" as const,
    zoneId: 7,
    requestedAt: new Date("2026-03-10"),
  };
  await loadAssets(warehouse, landing, { loadedAt: new Date("2026-03-11") });
  expect(await warehouse.get("select group_id, zone_id, asset_id from core.asset_snapshot")).toEqual({
    group_id: null,
    zone_id: 7,
    asset_id: 50,
  });
});
