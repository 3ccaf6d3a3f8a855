import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { applyReference } from "../../../src/load/reference/apply-reference.ts";
import { findMistakes } from "../../../src/load/reference/check-reference.ts";
import { readReferenceFile } from "../../../src/load/reference/reference-file.ts";
import { packageRoot } from "../../../src/util/files/package-root.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { createLoadFixture } from "../load-fixture.ts";

const header = "zone_id,day_of_week,opens,closes\n";

function writeHours(text: string): string {
  const folder = join(createTempFolder(), "reference");
  mkdirSync(folder);
  writeFileSync(join(folder, "opening_hours.csv"), `${header}${text}`);
  return folder;
}

async function open(): Promise<DuckDb> {
  const database = await DuckDb.open();
  onTestFinished(() => database.close());
  return database;
}

describe("opening hours", () => {
  it("become seconds after the midnight before they begin", async () => {
    const { warehouse } = await createLoadFixture();
    const folder = writeHours("# none\n7,1,09:00,20:30\n7,2,18:00,02:00\n7,4,00:00,24:00\n8,7,06:00,06:00\n");
    await applyReference(warehouse, folder);
    expect(
      await warehouse.all(
        "select zone_id, day_of_week, opens_secs, closes_secs from core.opening_hours order by all",
      ),
    ).toEqual([
      { zone_id: 7, day_of_week: 1, opens_secs: 32_400, closes_secs: 73_800 },
      { zone_id: 7, day_of_week: 2, opens_secs: 64_800, closes_secs: 93_600 },
      { zone_id: 7, day_of_week: 4, opens_secs: 0, closes_secs: 86_400 },
      { zone_id: 8, day_of_week: 7, opens_secs: 21_600, closes_secs: 108_000 },
    ]);
    await applyReference(warehouse, writeHours(""));
    expect(await warehouse.all("select * from core.opening_hours")).toEqual([]);
  });

  it.each([
    ["a weekday that is none", "7,0,09:00,20:00\n", [[2, /"0".*day_of_week from 1/]]],
    ["a time that is none", "7,1,9:00,20:00\n", [[2, /"9:00".*HH:MM/]]],
    ["an opening at 24:00", "7,1,24:00,01:00\n", [[2, /"24:00"/]]],
    ["a closing that is none", "7,1,09:00,25:00\n", [[2, /"25:00".*24:00/]]],
    ["hours that overlap", "7,1,09:00,12:00\n7,1,11:59,13:00\n", [[3, /do not overlap those of line 2/]]],
    [
      "hours that overlap the next day",
      "7,2,01:00,05:00\n7,1,18:00,02:00\n",
      [[3, /do not overlap those of line 2/]],
    ],
    ["a Sunday night that runs into Monday", "7,1,01:00,05:00\n7,7,18:00,02:00\n", [[3, /overlap.* line 2/]]],
    ["the same line twice", "7,1,09:00,12:00\n7,1,09:00,12:00\n", [[3, /overlap/]]],
    [
      "several mistakes",
      "x,1,09:00,12:00\n7,1,09:00,12:00\n7,9,09:00,12:00\n",
      [
        [2, /"x".*zone_id/],
        [4, /"9"/],
      ],
    ],
  ] as [string, string, [number, RegExp][]][])("%s", async (_label, text, expected) => {
    const folder = writeHours(text);
    const found = (await findMistakes(await open(), folder)).find(({ name }) => name === "opening_hours.csv");
    expect(found?.mistakes.map(({ lineNumber, message }) => [lineNumber, message])).toEqual(
      expected.map(([line, message]) => [line, expect.stringMatching(message)]),
    );
    const { warehouse } = await createLoadFixture();
    await expect(applyReference(warehouse, folder)).rejects.toThrow(expected[0]?.[1]);
  });

  it.each([
    ["that touch", "7,1,09:00,12:00\n7,1,12:00,18:00\n"],
    ["of other zones", "7,1,09:00,12:00\n8,1,09:00,12:00\n"],
    ["round the clock", "7,1,06:00,06:00\n7,2,06:00,06:00\n7,7,06:00,06:00\n"],
  ])("%s are fine", async (_label, text) => {
    const found = await findMistakes(await open(), writeHours(text));
    expect(found.flatMap(({ mistakes }) => mistakes)).toEqual([]);
  });
});

it("a file in another encoding than UTF-8 is refused, by line", async () => {
  const folder = createTempFolder();
  const text = "group_id,group_name\n1,Nord\n2,Café\n";
  writeFileSync(join(folder, "group_names.csv"), Buffer.from(text, "latin1"));
  const found = (await findMistakes(await open(), folder)).find(({ name }) => name === "group_names.csv");
  expect(found?.mistakes.map(({ lineNumber, message }) => [lineNumber, message])).toEqual([
    [3, expect.stringMatching(/"2,Café" can't be used; accepted is text in UTF-8/)],
  ]);
});

it.each([
  ["that nothing closes", '1,North\r\n# names\r\n\r\n2,"So', '2,"So'],
  ["within a value", '1,North\r\n# names\r\n\r\n2,So"uth', '2,So"uth'],
  ["that ends too early", '1,North\r\n# names\r\n\r\n2,"So"uth', '2,"So"uth'],
])("a quote %s is refused with the line that it is in", (_name, text, line) => {
  const path = join(createTempFolder(), "group_names.csv");
  writeFileSync(path, `group_id,group_name\r\n${text}\r\n3,East\r\n4,West\r\n`);
  expect(() => readReferenceFile(path, ["group_id", "group_name"])).toThrow(
    `${path}, line 5: "${line}" can't be used; accepted is comma-separated values`,
  );
});

it("lines may end in several ways in one file", () => {
  const folder = writeHours("7,1,09:00,12:00\r7,2,09:00,12:00\r\n7,3,09:00,12:00\n");
  const path = join(folder, "opening_hours.csv");
  const { rows } = readReferenceFile(path, ["zone_id", "day_of_week", "opens", "closes"]);
  expect(rows.map(({ values }) => values.day_of_week)).toEqual(["1", "2", "3"]);
});

it("the files that come with the program say nothing, and show how", async () => {
  const found = await findMistakes(await open(), join(packageRoot, "data", "reference"));
  expect(found.map(({ name, rows, mistakes }) => [name, rows, mistakes])).toEqual([
    ["zone_time_zones.csv", [], []],
    ["group_names.csv", [], []],
    ["opening_hours.csv", [], []],
  ]);
});

it.each<[string, (path: string) => unknown]>([
  ["a folder", (path) => mkdirSync(path)],
  ["a pipe that nobody writes to", (path) => execFileSync("mkfifo", [path])],
])("%s in the place of a reference file is refused by its name", (_, make) => {
  const path = join(createTempFolder(), "group_names.csv");
  make(path);
  expect(() => readReferenceFile(path, ["group_id", "group_name"])).toThrow(`${path} is no file.`);
});
