import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  loadAssets,
  loadCampaigns,
  loadComponents,
  loadDevices,
  loadNotices,
} from "../support/load-listing.ts";
import { createLoadFixture, type LoadFixture, musicLine } from "./load-fixture.ts";

const options = { loadedAt: new Date("2026-03-11"), serviceTimeZone: "UTC" };
let landings = 0;

function land({ folder }: LoadFixture, records: readonly unknown[], requestedAt: string) {
  landings += 1;
  const path = join(folder, `answer-${landings}.jsonl`);
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return { landingId: `answer-${landings}`, path, requestedAt: new Date(requestedAt) };
}

async function stored({ warehouse }: LoadFixture): Promise<string[]> {
  const rows = await warehouse.all(
    "select * from core.unknown_field order by source, kind, records desc, field",
  );
  return rows.map((row) => Object.values(row).join(" | "));
}

it("of listings: counted per source and kind, including within locations and assets", async () => {
  const fixture = await createLoadFixture();
  const { warehouse } = fixture;
  const device = { device_id: 70, zone_id: 7, status: "online", location: { location_id: 5, country: "DE" } };
  const devices = [{ ...device, volume: 40, uptime: { days: 3 } }, device, { uptime: 1 }, null];
  const campaign = {
    campaign_id: "5",
    name: "Spring",
    assets: [{ asset_id: 7, codec: "h264" }, { codec: 1 }],
  };
  const notice = { id: 4, type: "planned", tag_list: [], components: [{ id: 1, tier: 2 }], severity: "low" };

  await loadDevices(warehouse, { ...land(fixture, devices, "2026-03-10T06:00:00Z"), groupId: 1 }, options);
  await loadDevices(warehouse, { ...land(fixture, devices, "2026-03-09T06:00:00Z"), groupId: 2 }, options);
  await loadCampaigns(
    warehouse,
    { ...land(fixture, [campaign, campaign], "2026-03-10T06:00:00Z"), kind: "signage", zoneId: 7 },
    options,
  );
  await loadAssets(
    warehouse,
    { ...land(fixture, [{ asset_id: 7, codec: 1 }], "2026-03-10T06:00:00Z"), kind: "messaging", groupId: 1 },
    options,
  );
  await loadNotices(warehouse, land(fixture, [notice], "2026-03-10T06:00:00Z"), options);
  await loadComponents(
    warehouse,
    land(fixture, [{ id: 1, links: { children: {} } }], "2026-03-10T06:00:00Z"),
    options,
  );

  expect(await stored(fixture)).toEqual([
    "assets | messaging | codec | 1 | 1 | 2026-03-10 06:00:00 | 2026-03-10 06:00:00",
    "campaigns | signage | assets.codec | 1 | 2 | 2026-03-10 06:00:00 | 2026-03-10 06:00:00",
    "devices |  | location.country | 2 | 4 | 2026-03-09 06:00:00 | 2026-03-10 06:00:00",
    "devices |  | uptime | 2 | 4 | 2026-03-09 06:00:00 | 2026-03-10 06:00:00",
    "devices |  | volume | 2 | 2 | 2026-03-09 06:00:00 | 2026-03-10 06:00:00",
    "notices |  | components.tier | 1 | 1 | 2026-03-10 06:00:00 | 2026-03-10 06:00:00",
    "notices |  | severity | 1 | 1 | 2026-03-10 06:00:00 | 2026-03-10 06:00:00",
  ]);
});

it("of history: in the first 2,000 lines, then every 500th, the same however often a load reads a file", async () => {
  const fixture = await createLoadFixture();
  const line = (index: number) =>
    musicLine({
      song_id: index,
      ...(index < 2 ? { asset_id: 1 } : {}),
      ...(index >= 1999 ? { mood: "calm" } : {}),
    });
  const lines = Array.from({ length: 3100 }, (_, index) => line(index));
  await fixture.load([...lines, "{", "[1]", ""], { requestedAt: new Date("2026-06-01T00:00:00Z") });
  const both = [
    "history | music | mood | 1 | 3 | 2026-06-01 00:00:00 | 2026-06-01 00:00:00",
    "history | music | asset_id | 1 | 2 | 2026-06-01 00:00:00 | 2026-06-01 00:00:00",
  ];
  expect(await stored(fixture)).toEqual(both);
  // An already loaded landing is not counted again; another one is.
  await fixture.load([musicLine({ mood: "loud" }), musicLine({ mood: null })], {
    requestedAt: new Date("2026-06-02T00:00:00Z"),
  });
  expect(await stored(fixture)).toEqual([
    "history | music | mood | 2 | 5 | 2026-06-01 00:00:00 | 2026-06-02 00:00:00",
    both[1],
  ]);
});

it("with noise as names: at most a hundred per response, of any characters", async () => {
  const fixture = await createLoadFixture();
  const noise = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`id-${index}`, 1]));
  await fixture.load([musicLine({ "\0\ud800'\"<b>": 1, ["x".repeat(5000)]: 1, __proto__x: 2, ...noise })]);
  const rows = await stored(fixture);
  expect(rows).toHaveLength(100);
  expect(rows.map((row) => row.split(" | ")[2])).toEqual(
    expect.arrayContaining(["\ufffd\ufffd'\"<b>", "x".repeat(200), "__proto__x", "id-96"]),
  );
});
