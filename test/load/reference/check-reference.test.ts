import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { attributeFiles } from "../../../src/load/reference/attribute-file.ts";
import { type CheckedReference, checkReference } from "../../../src/load/reference/check-reference.ts";
import { packageRoot } from "../../../src/util/files/package-files.ts";
import { groupNames, openingHours, writeReference, zoneTimeZones } from "./write-reference.ts";

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
    ...Object.keys(attributeFiles).map((name) => [name, [], []]),
  ]);
});
