import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { attributeFiles } from "../../../src/load/reference/attribute-file.ts";
import { type CheckedReference, checkReference } from "../../../src/load/reference/check-reference.ts";
import { closedValues } from "../../../src/load/reference/closed-values.ts";
import { footfallColumns } from "../../../src/load/reference/footfall.ts";
import { dateColumns } from "../../../src/load/reference/valid-dates.ts";
import { packageRoot } from "../../../src/util/files/package-files.ts";
import { groupNames, openingHours, writeReference, zoneTimeZones } from "./write-reference.ts";

const footfall = (lines: readonly string[]) => ({
  "footfall.csv": `${[...footfallColumns, ...dateColumns].join()}\n${lines.join("\n")}\n`,
});

async function open(): Promise<DuckDb> {
  const database = await DuckDb.open();
  onTestFinished(() => database.close());
  return database;
}

async function check(
  files: Readonly<Record<string, string | Buffer>>,
): Promise<CheckedReference | undefined> {
  const found = await checkReference(await open(), writeReference(files));
  return found.find(({ name }) => name in files);
}

it.each([
  [
    "time zones",
    zoneTimeZones("7,Europe/Berlin\n# 8,UTC\n09,America/New_York\n"),
    [
      { id: 7, value: "Europe/Berlin" },
      { id: 9, value: "America/New_York" },
    ],
  ],
  [
    "names",
    groupNames("0,North\n2251799813685247,South\n3,North\n"),
    [
      { id: 0, value: "North" },
      { id: 2_251_799_813_685_247, value: "South" },
      { id: 3, value: "North" },
    ],
  ],
  [
    "opening hours",
    openingHours("7,1,09:00,12:00\n7,1,14:00,20:00\n"),
    [
      { id: 7, day_of_week: 1, opens_secs: 32_400, closes_secs: 43_200 },
      { id: 7, day_of_week: 1, opens_secs: 50_400, closes_secs: 72_000 },
    ],
  ],
  [
    "kinds",
    { "zone_kinds.csv": "zone_id,kind,valid_from,valid_to\n7,signage,,2026-05-31\n7,music,2026-06-01,\n" },
    [
      { id: 7, value: "signage", valid_from: "1900-01-01", valid_to: "2026-05-31" },
      { id: 7, value: "music", valid_from: "2026-06-01", valid_to: "2099-12-31" },
    ],
  ],
  [
    "kinds without dates",
    { "zone_kinds.csv": "zone_id,kind\n7,music\n" },
    [{ id: 7, value: "music", valid_from: "1900-01-01", valid_to: "2099-12-31" }],
  ],
  [
    "footfall of zones and locations",
    footfall(["7,,6,10:00,00:00,180.5,,90,door counter,2026-06-01,", ",51,,,,,2.5,,estimate,,"]),
    [
      {
        ...{ id: 7, is_location: false, day_of_week: 6, opens_secs: 36_000, closes_secs: 86_400 },
        ...{ people: 16_245_000, value: "door counter", valid_from: "2026-06-01", valid_to: "2099-12-31" },
      },
      {
        ...{ id: 51, is_location: true, day_of_week: null, opens_secs: 0, closes_secs: 86_400 },
        ...{ people: 9_000_000, value: "estimate", valid_from: "1900-01-01", valid_to: "2099-12-31" },
      },
    ],
  ],
])("reads %s", async (_label, files, rows) => {
  expect(await check(files)).toMatchObject({ rows, mistakes: [] });
});

const anId = (column: string) => `a ${column} from 0 to 2251799813685247`;
const aTimeZone = "an IANA time zone name, such as Europe/Berlin";

it.each([
  [
    "an unknown time zone",
    zoneTimeZones("\n7,Europe/Berlin\n8,Europe/Bonn\n"),
    [[4, "Europe/Bonn", aTimeZone]],
  ],
  ["no time zone", zoneTimeZones("7,\n"), [[2, "", aTimeZone]]],
  ["no name", groupNames("7,North\n8, \n"), [[3, "", "a non-empty name"]]],
  [
    "invalid ids",
    groupNames("x,North\n7x,North\n x7,North\n-7,North\n7.5,North\n,North\n2251799813685248,North\n"),
    ["x", "7x", "x7", "-7", "7.5", "", "2251799813685248"].map((id, index) => [
      index + 2,
      id,
      anId("group_id"),
    ]),
  ],
  ["no hours", openingHours("x,1,09:00,12:00\n"), [[2, "x", anId("zone_id")]]],
  [
    "an id twice",
    zoneTimeZones("7,UTC\n8,UTC\n07,Europe/Berlin\n7,UTC\n"),
    [
      [4, "07", "each zone_id once"],
      [5, "7", "each zone_id once"],
    ],
  ],
  [
    "overlapping hours",
    openingHours("7,1,09:00,12:00\n7,1,11:00,13:00\n"),
    [[3, "7,1,11:00,13:00", "hours that do not overlap those of line 2"]],
  ],
  [
    "invalid kinds",
    { "zone_kinds.csv": "zone_id,kind\n7,video\n" },
    [[2, "video", "a kind: music, signage, messaging"]],
  ],
  [
    "kinds with overlapping dates",
    {
      "zone_kinds.csv":
        "zone_id,kind,valid_from,valid_to\n7,music,,2026-06-01\n7,music,2026-06-01,\n7,signage,,\n",
    },
    [[3, "7 music", "dates that do not overlap those of line 2, or only one of the two lines"]],
  ],
  [
    "invalid days, before overlapping hours",
    openingHours("7,1,09:00,12:00\n7,1,09:00,12:00\n7,9,09:00,12:00\n7,0,09:00,12:00\n"),
    ["9", "0"].map((day, index) => [index + 4, day, "a day_of_week from 1 (Monday) to 7 (Sunday)"]),
  ],
  [
    "invalid footfall",
    footfall([
      "7,51,,,,1,,60,counter,,",
      ",,,,,1,,60,counter,,",
      "x,,,,,1,,60,counter,,",
      "7,,8,,,1,,60,counter,,",
      "7,,,25:00,,1,,60,counter,,",
      "7,,,22:00,02:00,1,,60,counter,,",
      "7,,,,,1,1,60,counter,,",
      "7,,,,,-1,,60,counter,,",
      "7,,,,,1,,,counter,,",
      "7,,,,,,1,60,counter,,",
      "7,,,,,,1,,,,",
      "7,,,,,,1,,counter,soon,",
    ]),
    [
      [2, "7,51", "either a zone_id or a location_id"],
      [3, ",", "either a zone_id or a location_id"],
      [4, "x", "a zone_id or location_id from 0 to 2251799813685247"],
      [5, "8", "a day_of_week from 1 (Monday) to 7 (Sunday), or empty for every day"],
      [6, "25:00", "from as HH:MM, from 00:00 to 23:59, or empty for midnight"],
      [7, "22:00 to 02:00", "a to after from; hours past midnight need a line for the next day"],
      [8, "1,1", "either people_per_hour or people_per_play"],
      [9, "-1", "people as a number below 100000 with up to three decimals, such as 120 or 0.5"],
      [10, "", "dwell_seconds from 1 to 9999, which people_per_hour needs"],
      [11, "60", "an empty dwell_seconds with people_per_play"],
      [12, "", "a source, such as door counter 2026"],
      [
        13,
        "soon",
        "valid_from as YYYY-MM-DD (in a workbook, as a date), from 1900-01-01 to 2099-12-31, or empty",
      ],
    ],
  ],
  [
    "footfall lines that share a time",
    footfall([
      "7,,,10:00,12:00,,1,,counter,,2026-05-31",
      "7,,,10:00,12:00,,1,,counter,2026-06-01,",
      "7,,1,11:00,13:00,,2,,counter,2026-06-01,2026-06-01",
      ",7,1,11:00,13:00,,2,,counter,,",
      "7,,,12:00,13:00,,2,,counter,,2026-05-31",
    ]),
    [
      [
        4,
        "7,,1,11:00,13:00,,2,,counter,2026-06-01,2026-06-01",
        "times or dates that do not overlap those of line 3",
      ],
    ],
  ],
  [
    "values outside the closed lists",
    {
      "location_attributes.csv":
        "location_id,venue_type,store_zone\n7,retail.grocery,checkout\n8,supermarket,\n9,retail,counter\n",
    },
    [
      [3, "supermarket", `a venue_type: ${(closedValues.venue_type ?? []).join(", ")}`],
      [4, "counter", "a store_zone: exterior, entrance, checkout, aisle, other"],
    ],
  ],
])("%s are reported by line, and no line is used", async (_label, files, told) => {
  const { path, rows, mistakes = [] } = (await check(files)) ?? {};
  expect(rows).toEqual([]);
  expect(mistakes.map(({ message }) => message)).toEqual(
    told.map(
      ([line, value, accepted]) =>
        `${path}, line ${line}: "${value}" is invalid; expected ${accepted}. Fix the line, and run this again.`,
    ),
  );
});

it("a path that is not a file is reported along with the mistakes in the others", async () => {
  const folder = writeReference({ ...zoneTimeZones("8,Europe/Bonn\n"), "group_names.csv": "id,name\n" });
  const found = await checkReference(await open(), folder);
  expect(found).toMatchObject([
    { name: "zone_time_zones.csv", rows: [], mistakes: [{ lineNumber: 2 }] },
    {
      name: "group_names.csv",
      path: join(folder, "group_names.csv"),
      sha256: "",
      rows: [],
      mistakes: [{ lineNumber: 1 }],
    },
    { name: "opening_hours.csv", rows: [], mistakes: [] },
    { name: "zone_kinds.csv", rows: [], mistakes: [] },
    { name: "dayparts.csv", rows: [], mistakes: [] },
    { name: "campaign_targets.csv", rows: [], mistakes: [] },
    { name: "footfall.csv", rows: [], mistakes: [] },
    ...Object.keys(attributeFiles).map((name) => ({ name, rows: [], mistakes: [] })),
  ]);
});

it("reports a folder in place of a file without a line", async () => {
  const folder = writeReference(groupNames("1,\n"));
  mkdirSync(join(folder, "zone_kinds.csv"));
  const found = await checkReference(await open(), folder);
  expect(found.flatMap(({ mistakes }) => mistakes)).toMatchObject([
    {
      code: "REFERENCE_FILE_INVALID",
      category: "usage",
      path: join(folder, "group_names.csv"),
      lineNumber: 2,
    },
    { code: "REFERENCE_FILE_IS_NONE", message: expect.stringContaining("zone_kinds.csv is not a file.") },
  ]);
});

it("the included example files have no entries, and show the format", async () => {
  const found = await checkReference(await open(), join(packageRoot, "data", "reference"));
  expect(found.map(({ name, rows, mistakes }) => [name, rows, mistakes])).toEqual([
    ["zone_time_zones.csv", [], []],
    ["group_names.csv", [], []],
    ["opening_hours.csv", [], []],
    ["zone_kinds.csv", [], []],
    ["dayparts.csv", [], []],
    ["campaign_targets.csv", [], []],
    ["footfall.csv", [], []],
    ...Object.keys(attributeFiles).map((name) => [name, [], []]),
  ]);
});
