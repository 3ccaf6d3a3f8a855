import { join } from "node:path";
import { expect, it } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { applyReference } from "../../src/load/reference/apply-reference.ts";
import { publishMart } from "../../src/publish/publish-mart.ts";
import { openPublished } from "../../src/report/published/open-published.ts";
import { writeReference } from "../load/reference/write-reference.ts";
import { insertCoreRows, markAllDirty } from "../support/core-rows.ts";
import { itInAll } from "../support/long-suite.ts";
import { openNewWarehouse } from "../support/new-warehouse.ts";
import { listReservedNames } from "../support/reserved-names.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { buildOptions } from "./build-options.ts";

const zones = [
  { zone_id: 1, location_id: 10 },
  { zone_id: 2, location_id: 10 },
  { zone_id: 3, location_id: 11 },
];

async function build(files: Record<string, string>) {
  const warehouse = await openNewWarehouse();
  await insertCoreRows(
    warehouse,
    "play",
    zones.map(({ zone_id }) => ({ kind: "music", zone_id, item_id: 7, played_at: "2026-11-01 10:00:00" })),
  );
  await insertCoreRows(
    warehouse,
    "zone_location_span",
    zones.map((zone) => ({ ...zone, first_at: "2026-11-01 10:00:00", last_at: "2026-11-01 10:00:00" })),
  );
  await markAllDirty(warehouse);
  await applyReference(warehouse, writeReference(files));
  await buildMart(warehouse, buildOptions);
  return warehouse;
}

it("a zone's values take precedence over its location's on their days only", async () => {
  const warehouse = await build({
    "zone_attributes.csv":
      "zone_id,brand,valid_from,valid_to\n1,Own,2026-03-01,2026-03-31\n1,Own again,2026-05-01,\n3,Third,,\n",
    "location_attributes.csv":
      "location_id,brand,valid_from,valid_to\n10,Old,,2026-01-31\n10,New,2026-02-01,2026-06-30\n11,Never,,\n",
  });
  const rows = await warehouse.all(
    `select zone_id, attribute_value as value, valid_from::varchar as "from", valid_to::varchar as "to"
    from mart.bridge_zone_attribute order by zone_id, valid_from`,
  );
  expect(rows).toEqual([
    { zone_id: 1, value: "Old", from: "1900-01-01", to: "2026-01-31" },
    { zone_id: 1, value: "New", from: "2026-02-01", to: "2026-02-28" },
    { zone_id: 1, value: "Own", from: "2026-03-01", to: "2026-03-31" },
    { zone_id: 1, value: "New", from: "2026-04-01", to: "2026-04-30" },
    { zone_id: 1, value: "Own again", from: "2026-05-01", to: "2099-12-31" },
    { zone_id: 2, value: "Old", from: "1900-01-01", to: "2026-01-31" },
    { zone_id: 2, value: "New", from: "2026-02-01", to: "2026-06-30" },
    { zone_id: 3, value: "Third", from: "1900-01-01", to: "2099-12-31" },
  ]);
});

it("attributes become columns with the values as of the data, numeric if all values are numbers", async () => {
  const warehouse = await build({
    "zone_attributes.csv":
      "zone_id,region,floor_m2,code,valid_from\n1,North,120.5,007,\n2,South,80,008,\n3,,,9,2027-01-01\n",
    "item_attributes.csv": "kind,item_id,genre\nmusic,7,Jazz\n",
    "campaign_attributes.csv": "kind,campaign_id,advertiser\nmessaging,5,Acme\n",
  });
  expect(await warehouse.all("select * from mart.dim_zone_attribute order by zone_id")).toEqual([
    { zone_id: 1, code: "007", floor_m2: 120.5, region: "North" },
    { zone_id: 2, code: "008", floor_m2: 80, region: "South" },
    { zone_id: 3, code: null, floor_m2: null, region: null },
  ]);
  expect(await warehouse.all("select * from mart.dim_item_attribute")).toEqual([
    { item_key: 28, genre: "Jazz" },
  ]);
  expect(await warehouse.all("select * from mart.dim_campaign_attribute")).toEqual([
    { campaign_key: 22, advertiser: "Acme" },
  ]);
});

itInAll("a column is a number only if that changes no value", async () => {
  const numbers = ["-0.5", "0", "100000000000001"];
  // Ids, postcodes, numbers that are not exact, and spellings that only some engines read as a number.
  const texts = ["-007", "01067", "1234567890123456", "1_000", "1e3", "+1", ".5", "5.", "0x1F", "Infinity"];
  const values = [...numbers, ...texts];
  const warehouse = await build({
    "zone_attributes.csv": `zone_id,${values.map((_, index) => `a${index}`).join()}\n1,${values.join()}\n`,
  });
  const [{ zone_id: _, ...row } = {}] = await warehouse.all("select * from mart.dim_zone_attribute");
  expect(row).toEqual(
    Object.fromEntries([...numbers.map(Number), ...texts].map((value, index) => [`a${index}`, value])),
  );
});

it("a changed file makes no day dirty, but changes the columns of the next build", async () => {
  const warehouse = await build({ "zone_attributes.csv": "zone_id,region\n1,North\n" });
  await applyReference(warehouse, writeReference({ "zone_attributes.csv": "zone_id,brand\n2,Bar\n" }));
  const { dirtyDays } = await buildMart(warehouse, { ...buildOptions, version: "v000002" });
  expect(dirtyDays).toBe(0);
  expect(await warehouse.all("select * from mart.dim_zone_attribute")).toEqual([
    { zone_id: 2, brand: "Bar" },
  ]);
});

itInAll("attributes called like anything in SQL are built, published and in the catalog", async () => {
  const parser = await DuckDb.open({ threads: 1 });
  const names = await listReservedNames(parser);
  parser.close();
  const warehouse = await build({ "zone_attributes.csv": `zone_id,${names.join()}\n1,${names.join()}\n` });
  const publishedFolder = join(createTempFolder(), "published");
  const { version, logger } = buildOptions;
  await publishMart(warehouse, { publishedFolder, version, now: new Date("2026-11-21T12:00:00Z"), logger });
  const expected = [{ zone_id: 1, ...Object.fromEntries(names.map((name) => [name, name])) }];
  const mart = await openPublished(publishedFolder, { threads: 1 });
  expect(await mart.all("select * from dim_zone_attribute")).toEqual(expected);
  mart.close();
  const catalog = await DuckDb.open({ path: join(publishedFolder, "catalog.duckdb"), threads: 1 });
  expect(await catalog.all("select * from dim_zone_attribute")).toEqual(expected);
  catalog.close();
});
