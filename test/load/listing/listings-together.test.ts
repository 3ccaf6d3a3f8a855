import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import type { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { LandingUnreadableError } from "../../../src/load/errors.ts";
import { loadListings } from "../../../src/load/listing/load-listings.ts";
import type { ListingLanding } from "../../../src/load/listing/read-listings.ts";
import { itEachLimited, itInAll } from "../../support/long-suite.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { createLoadFixture, type LoadFixture, musicLine } from "../load-fixture.ts";

const options = { loadedAt: new Date("2026-04-01"), serviceTimeZone: "Europe/Berlin" };

type Random = ReturnType<typeof randomNumbers>;

/** Landings of several owners over some days, unordered, some of the same instant, with their contents. */
function randomLandings(folder: string, random: Random): ListingLanding[] {
  return Array.from({ length: 40 }, (_, index) => {
    const listing = randomSource(random);
    const path = join(folder, `${index}.jsonl`);
    const lines = random(4) === 0 ? [] : randomRecords(listing.source, random);
    writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
    // Mostly in order; equal instants are likely.
    const hours = random(4) === 0 ? random(90) : index + random(3);
    const requestedAt = new Date(Date.UTC(2026, 2, 10, hours));
    return { ...listing, landingId: `landing ${index}`, path, requestedAt };
  });
}

function randomSource(random: Random) {
  const owner = random(2) === 0 ? { groupId: 1 + random(2) } : { zoneId: 7 + random(2) };
  const kind = random(3) === 0 ? ("messaging" as const) : ("signage" as const);
  switch (random(7)) {
    case 0:
      return { source: "devices", groupId: 1 + random(2) } as const;
    case 1:
      return { source: random(2) === 0 ? "notices" : "components" } as const;
    case 2:
      return { source: "assets", kind, ...owner } as const;
    default:
      return { source: "campaigns", kind, ...owner } as const;
  }
}

function randomRecords(source: ListingLanding["source"], random: Random): string[] {
  const ids = [1, 2, 3].filter(() => random(4) > 0);
  const lines = ids.map((id) => JSON.stringify(randomRecord(source, id, random)));
  if (random(4) === 0) lines.push("no record", '{"id":null}');
  return lines;
}

function randomRecord(source: ListingLanding["source"], id: number, random: Random): object {
  const odd = random(8) === 0 ? { mood: 1 } : {};
  const asset = (assetId: number) => ({
    asset_id: assetId,
    name: `Asset ${random(6) === 0 ? "new" : "old"}`,
    duration: random(6) === 0 ? 20 : 15,
    start_date: random(8) === 0 ? "2026-03-11" : "",
  });
  switch (source) {
    case "devices": {
      const location = { location_id: id, name: `Location ${random(2)}`, city: `City ${random(3)}` };
      return { ...odd, device_id: id, zone_id: 6 + id, status: "online", location };
    }
    case "campaigns":
      return {
        ...odd,
        campaign_id: id,
        name: random(8) === 0 ? "New" : "Old",
        status: "enabled",
        start_date: "2026-03-01",
        rrule: random(8) === 0 ? "FREQ=WEEKLY;BYDAY=MO" : "FREQ=DAILY;INTERVAL=2",
        assets: [asset(id), asset(9)],
      };
    case "assets":
      return { ...odd, ...asset(id) };
    default:
      return { ...odd, id, name: `Name ${random(2)}`, state: `state ${random(3)}` };
  }
}

/** All of core except what is compared separately, without ids that depend on row order within one load. */
async function coreOf(warehouse: DuckDb): Promise<Record<string, unknown[]>> {
  const tables = await warehouse.all<{ name: string }>(
    "select table_name as name from duckdb_tables() where schema_name = 'core' order by 1",
  );
  const core: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    if (/^dirty_|^campaign_(rule|date)$|^calendar$/.test(name)) continue;
    core[name] = await warehouse.all(`select columns(c -> c <> 'rule_id') from core.${name} order by all`);
  }
  return core;
}

/** Zone dates on which each rule occurs; how far they extend beyond depends on when they were found. */
async function ruleDates(warehouse: DuckDb): Promise<unknown[]> {
  return await warehouse.all(`
    select r.rrule, r.start_date, r.add_date, r.rule_error, r.is_every_day, d.date
    from core.campaign_rule as r
    left join core.campaign_date as d
      on d.rule_id = r.rule_id and d.date between (select min(date) from core.zone_day)
        and (select max(date) from core.zone_day)
    order by all`);
}

async function loadInParts(
  { warehouse }: LoadFixture,
  landings: readonly ListingLanding[],
  next: () => number,
): Promise<unknown[]> {
  const results: unknown[] = [];
  for (let from = 0; from < landings.length; ) {
    const to = from + next();
    results.push(...(await loadListings(warehouse, landings.slice(from, to), options)));
    from = to;
  }
  return results;
}

itEachLimited(
  [1, 2, 3, 4],
  0,
  1,
)("together they give the same as each alone (seed %i)", async (seed) => {
  const [alone, together] = [await createLoadFixture(), await createLoadFixture()];
  const random = randomNumbers(seed);
  const landings = randomLandings(alone.folder, random);
  for (const fixture of [alone, together]) await fixture.load([musicLine()]);
  const results = await loadInParts(alone, landings, () => 1);
  expect(await loadInParts(together, landings, () => 1 + random(25))).toEqual(results);
  expect(await coreOf(together.warehouse)).toEqual(await coreOf(alone.warehouse));
  expect(await ruleDates(together.warehouse)).toEqual(await ruleDates(alone.warehouse));
  // A joint load knows all its days from the start, so it may mark more of them dirty.
  for (const topic of ["campaign", "device"]) {
    const dirty = `from core.dirty_${topic}_day order by all`;
    expect(await together.warehouse.all(dirty)).toEqual(
      expect.arrayContaining(await alone.warehouse.all(dirty)),
    );
  }
});

it("listings of every source, of groups and zones, are each stored when loaded together", async () => {
  const { folder, warehouse } = await createLoadFixture();
  const files = {
    devices: { device_id: 70, zone_id: 7, location: { location_id: 5, name: "Main Street" } },
    campaigns: { campaign_id: 1, rrule: "FREQ=DAILY", assets: [{ asset_id: 2, name: "Tulips" }] },
    assets: { asset_id: 3, name: "Roses", mood: 1 },
    notices: { id: 4, type: "planned" },
    components: { id: 5, name: "API" },
  };
  const requestedAt = new Date(Date.UTC(2026, 2, 10, 12));
  const landing = (source: keyof typeof files, owner: object) => {
    const path = join(folder, source);
    writeFileSync(path, JSON.stringify(files[source]));
    return { source, ...owner, landingId: `${source} ${JSON.stringify(owner)}`, path, requestedAt };
  };
  const landings = [
    landing("devices", { groupId: 1 }),
    landing("campaigns", { kind: "signage", groupId: 1 }),
    landing("campaigns", { kind: "signage", zoneId: 8 }),
    landing("assets", { kind: "signage", zoneId: 9 }),
    landing("notices", {}),
    landing("components", {}),
  ] as ListingLanding[];
  const results = await loadListings(warehouse, landings, options);
  expect(results).toMatchObject(landings.map(() => ({ records: 1, rejected: 0, isRepeat: false })));
  const countOf = async (table: string) =>
    (await warehouse.get<{ rows: number }>(`select count(*) as rows from core.${table}`)).rows;
  const stored = {
    ...{ snapshot: 6, device_snapshot: 1, location: 1, zone_location_span: 1, zone_group_sighting: 1 },
    ...{ listing_span: 2, listing_asset_span: 2, linked_asset: 1, campaign_rule: 1, asset_snapshot: 1 },
    ...{ notice: 1, component: 1, name_span: 3, unknown_field: 1, service_time_zone: 1, zone_day: 3 },
  };
  for (const [table, rows] of Object.entries(stored))
    expect([table, await countOf(table)]).toEqual([table, rows]);
  expect(await countOf("campaign_date")).toBeGreaterThan(0);
});

it("a zone seen only in its own listing has days from then on, whatever groups' listings are loaded with it", async () => {
  const { folder, warehouse } = await createLoadFixture();
  const path = join(folder, "campaigns");
  writeFileSync(path, '{"campaign_id":1}\n');
  const requestedAt = new Date(Date.UTC(2026, 2, 10, 12));
  const campaigns = { source: "campaigns", kind: "signage", path, requestedAt } as const;
  const ofGroup: ListingLanding = { ...campaigns, landingId: "of a group", groupId: 1 };
  const ofZone: ListingLanding = { ...campaigns, landingId: "of a zone", zoneId: 8 };
  await loadListings(warehouse, [ofGroup, ofZone], options);
  expect(await warehouse.all("select zone_id, date from core.zone_day")).toEqual([
    { zone_id: 8, date: "2026-03-10" },
  ]);
});

it("a missing, broken or already loaded landing does not affect the others", async () => {
  const { folder, warehouse } = await createLoadFixture();
  const landing = (name: string, day: number): ListingLanding => ({
    source: "assets",
    kind: "signage",
    zoneId: 7,
    landingId: name,
    path: join(folder, name),
    requestedAt: new Date(Date.UTC(2026, 2, day)),
  });
  const landings = [landing("one", 1), landing("missing", 2), landing("broken.gz", 3), landing("two", 4)];
  writeFileSync(join(folder, "one"), '{"asset_id":1,"mood":1}\n');
  writeFileSync(join(folder, "two"), '{"asset_id":1}\n{"asset_id":2}\n');
  // Its first records can be read.
  const whole = gzipSync(Array.from({ length: 9999 }, (_, id) => `{"asset_id":${id},"odd":1}\n`).join(""));
  writeFileSync(join(folder, "broken.gz"), whole.subarray(0, whole.length / 2));

  const [one, missing, broken, two] = await loadListings(warehouse, landings, options);
  expect([one, two]).toMatchObject([{ records: 1 }, { records: 2 }]);
  expect([missing, broken]).toEqual([expect.any(LandingUnreadableError), expect.any(LandingUnreadableError)]);
  const assets = "select asset_id, requested_at from core.asset_snapshot order by all";
  const stored = await warehouse.all(assets);
  expect(stored).toEqual([1, 2].map((id) => ({ asset_id: id, requested_at: "2026-03-04 00:00:00" })));
  expect(await warehouse.all("select field from core.unknown_field")).toEqual([{ field: "mood" }]);

  expect(await loadListings(warehouse, [landing("two", 4), landing("one", 1)], options)).toEqual([
    { ...two, isRepeat: true },
    { ...one, isRepeat: true },
  ]);
  expect(await warehouse.all(assets)).toEqual(stored);
});

itInAll("unchanged listings add rows only to the ledgers", async () => {
  const { folder, warehouse } = await createLoadFixture();
  const path = join(folder, "campaigns");
  const records = [1, 2].map((id) => randomRecord("campaigns", id, () => 1));
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  writeFileSync(join(folder, "assets"), '{"asset_id":1}\n{"asset_id":2}\n');
  const day = (date: number): ListingLanding[] =>
    [7, 8].flatMap((zoneId) => {
      const listing = { kind: "signage" as const, zoneId, requestedAt: new Date(Date.UTC(2026, 2, date)) };
      return [
        { ...listing, source: "campaigns", landingId: `campaigns ${zoneId} ${date}`, path },
        { ...listing, source: "assets", landingId: `assets ${zoneId} ${date}`, path: join(folder, "assets") },
      ];
    });
  const sizes = async () => {
    const core = Object.entries(await coreOf(warehouse));
    return Object.fromEntries(core.map(([table, rows]) => [table, rows.length]));
  };
  await loadListings(warehouse, day(10), options);
  const before = await sizes();
  await loadListings(warehouse, [...day(11), ...day(12)], options);
  expect(await sizes()).toEqual({ ...before, snapshot: 12, campaign_listing: 6, zone_day: 6 });
  for (const table of ["listing_span", "listing_asset_span"])
    expect(await warehouse.all(`select distinct last_seen_at from core.${table}`)).toEqual([
      { last_seen_at: "2026-03-12 00:00:00" },
    ]);
});
