import { afterAll, beforeAll, expect, it } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { listRows } from "../../../src/report/catalog/catalog.ts";
import { countedPlays, singlePlays } from "../../../src/report/catalog/single-plays.ts";
import { compileList } from "../../../src/report/compile/compile-list.ts";
import { buildStatement } from "../../../src/report/options/report-statement.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { findUnportable } from "../../support/portability.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { shareFolder } from "../../support/shared-folder.ts";
import { period } from "../drawn-world.ts";
import { groupsOf, variedWorld } from "./varied-world.ts";

const world = variedWorld();
let mart: PublishedMart;
let database: DuckDb;
beforeAll(async () => {
  const folder = await shareFolder("varied world", (own) => publishFixture(own, world));
  mart = await openPublished(folder, { threads: 1 });
  database = await DuckDb.open();
});
afterAll(() => {
  mart.close();
  database.close();
});

const lists = listRows().flatMap((rows) => ("rows" in rows ? [rows] : []));

it.each(lists)("$name runs on both engines with any filter", async (list) => {
  const attributes = list.attributes.map((subject) => ({ subject, name: "region", values: ["North"] }));
  const only = list.isInState && { only: ["down"] };
  const filters = Object.keys(list.filters).map((word) => ({ [word]: word === "kind" ? ["music"] : [1] }));
  for (const where of [{}, ...filters, Object.assign({}, ...filters)]) {
    for (const options of [{}, { attributes, top: 3, ...only }]) {
      const { text, values } = compileList(list, { where, period, ...options });
      expect(await findUnportable(database, text), text).toEqual([]);
      await mart.all(text, values);
    }
  }
});

type Play = Record<"zone_id" | "item_key" | "artist_id" | "played_at" | "kind" | "date", string | number>;
const listed = ((world.rows.fact_play ?? []) as unknown as Play[]).filter(
  ({ date }) => String(date) >= period.from && String(date) <= period.to,
);
const regionOf = ({ zone_id, date }: Play) =>
  (world.rows.bridge_zone_attribute ?? []).find(
    (one) =>
      one.zone_id === zone_id &&
      one.attribute_name === "region" &&
      String(one.valid_from) <= date.toString() &&
      String(one.valid_to) >= date.toString(),
  )?.attribute_value ?? "(none)";
const regions = [{ subject: "zone" as const, name: "region", values: ["North", "(none)"] }];

it.each<[string, object, (play: Play) => boolean]>([
  ["all", {}, () => true],
  [
    "zones and a kind",
    { zoneIds: [1, 3], kinds: ["music"] },
    (one) => [1, 3].includes(Number(one.zone_id)) && one.kind === "music",
  ],
  [
    "groups with a zone in common",
    { groupIds: [1, 2] },
    (one) => groupsOf(Number(one.zone_id)).some((group) => group < 3),
  ],
  [
    "an item number, of any kind",
    { itemIds: [2, 5] },
    (one) => [2, 5].includes(Math.floor(Number(one.item_key) / 4)),
  ],
  ["an artist", { artistIds: [2] }, (one) => one.artist_id === 2],
  [
    "an attribute on the day",
    { attributes: regions },
    (one) => ["North", "(none)"].includes(String(regionOf(one))),
  ],
])("single plays of %s, by time, zone and item, with their figures", async (_name, filters, isListed) => {
  const inputs = { ...filters, period };
  const rows = await mart.all<Record<string, unknown>>(...buildStatement(singlePlays, inputs));
  const expected = listed.filter(isListed);
  const keyOf = (time: unknown, zone: unknown, item: unknown) =>
    [
      String(time).replace("T", " ").slice(0, 19),
      String(zone).padStart(3, "0"),
      String(item).padStart(3, "0"),
    ].join();
  expect(rows.map((row) => keyOf(row.played_at, row.zone_id, row.item_name?.toString().slice(5)))).toEqual(
    expected.map((one) => keyOf(one.played_at, one.zone_id, one.item_key)).sort(),
  );
  expect(expected.length).toBeGreaterThan(0);
  const [total] = await mart.all(...buildStatement(countedPlays, inputs));
  expect(total).toMatchObject({
    plays: expected.length,
    zones: new Set(expected.map((one) => one.zone_id)).size,
    items: new Set(expected.map((one) => one.item_key)).size,
  });
});
