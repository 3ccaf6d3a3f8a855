import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { applyReference } from "../../../src/load/reference/apply-reference.ts";
import { attributeFiles } from "../../../src/load/reference/attribute-file.ts";
import { createLoadFixture, musicLine } from "../load-fixture.ts";
import { groupNames, openingHours, writeReference, zoneTimeZones } from "./write-reference.ts";

it("group names and opening hours replace the previous ones in core", async () => {
  const { warehouse } = await createLoadFixture();
  const names = () => warehouse.all("select * from core.group_name order by all");
  const hours = () => warehouse.all("select * from core.opening_hours order by all");
  await applyReference(
    warehouse,
    writeReference({
      ...groupNames('# 1,none\r\n\r\n17, North \r\n18,"Airports, all #2"\r\n'),
      ...openingHours("# none\n7,1,09:00,20:30\n7,2,18:00,02:00\n7,4,00:00,24:00\n8,7,06:00,06:00\n"),
    }),
  );
  expect(await names()).toEqual([
    { group_id: 17, group_name: "North" },
    { group_id: 18, group_name: "Airports, all #2" },
  ]);
  expect(await hours()).toEqual([
    { zone_id: 7, day_of_week: 1, opens_secs: 32_400, closes_secs: 73_800 },
    { zone_id: 7, day_of_week: 2, opens_secs: 64_800, closes_secs: 93_600 },
    { zone_id: 7, day_of_week: 4, opens_secs: 0, closes_secs: 86_400 },
    { zone_id: 8, day_of_week: 7, opens_secs: 21_600, closes_secs: 108_000 },
  ]);
  await applyReference(warehouse, writeReference(groupNames("18,South\n")));
  expect(await names()).toEqual([{ group_id: 18, group_name: "South" }]);
  expect(await hours()).toEqual([]);
});

it("replaces the dayparts, which mark no day for the next build", async () => {
  const { warehouse } = await createLoadFixture();
  const apply = async (lines: string) =>
    await applyReference(warehouse, writeReference({ "dayparts.csv": `name,from,to\n${lines}` }));
  const known = () => warehouse.all("select * from core.daypart order by from_secs");
  await apply("night,22:00,02:00\nmorning,06:00,11:00\n");
  expect(await known()).toEqual([
    { name: "morning", from_secs: 21_600, to_secs: 39_600 },
    { name: "night", from_secs: 79_200, to_secs: 93_600 },
  ]);
  await apply("day,00:00,24:00\n");
  expect(await known()).toEqual([{ name: "day", from_secs: 0, to_secs: 86_400 }]);
  expect(await warehouse.all("select * from core.dirty_day")).toEqual([]);
});

it("replaces campaign targets without marking days for the next build", async () => {
  const { warehouse } = await createLoadFixture();
  const apply = async (content: string) =>
    await applyReference(warehouse, writeReference({ "campaign_targets.csv": content }));
  const known = () => warehouse.all("select * from core.campaign_target order by campaign_key, valid_from");
  await apply(
    "kind,campaign_id,valid_from,valid_to,plays,plays_per_zone_day,compliance,impressions\nmessaging,5,2026-11-01,2026-11-30,,12.5,,90000\nsignage,5,2026-11-01,2026-11-30,5000,,95 %,\n",
  );
  expect(await known()).toEqual([
    {
      ...{ campaign_key: 21, valid_from: "2026-11-01", valid_to: "2026-11-30" },
      ...{ plays: 5000, plays_per_zone_day: null, compliance: 0.95, impressions: null },
    },
    {
      ...{ campaign_key: 22, valid_from: "2026-11-01", valid_to: "2026-11-30" },
      ...{ plays: null, plays_per_zone_day: 12.5, compliance: null, impressions: 90000 },
    },
  ]);
  await apply("compliance,campaign_id,campaign_name,kind\n0.9,5,Menu,signage\n");
  expect(await known()).toMatchObject([{ campaign_key: 21, plays: null, compliance: 0.9 }]);
  expect(await warehouse.all("select * from core.dirty_campaign_day")).toEqual([]);
});

it("applies only files that changed", async () => {
  const { warehouse } = await createLoadFixture();
  const apply = async (files: Record<string, string>) =>
    (await applyReference(warehouse, writeReference(files))).applied;
  const known = () => warehouse.all("select name from core.reference_file order by name");
  const all = await apply(groupNames("1,North\n"));
  expect(all).toEqual([
    "zone_time_zones.csv",
    "group_names.csv",
    "opening_hours.csv",
    "zone_kinds.csv",
    "dayparts.csv",
    "campaign_targets.csv",
    "footfall.csv",
    ...Object.keys(attributeFiles),
  ]);
  expect(await apply(groupNames("1,North\n"))).toEqual([]);
  expect(await apply({ ...groupNames("1,South\n"), ...zoneTimeZones("7,UTC\n") })).toEqual([
    "zone_time_zones.csv",
    "group_names.csv",
  ]);
  expect(await apply(groupNames("1,North\n")), "as once before").toEqual([
    "zone_time_zones.csv",
    "group_names.csv",
  ]);
  expect(await known()).toEqual(all.toSorted().map((name) => ({ name })));
});

it("a zone's named time zone moves its days, and marks the days of its plays for the next build", async () => {
  const { warehouse, load, state } = await createLoadFixture();
  await load([musicLine({ play_start: "2026-03-10T12:00:00+01:00" })], {
    requestedAt: new Date("2026-03-10T12:00:00Z"),
  });
  await warehouse.run("delete from core.dirty_day");
  await applyReference(warehouse, writeReference(zoneTimeZones("7,Pacific/Auckland\n")));
  expect(await state()).toMatchObject({
    play: [{ played_at_local: "2026-03-11 00:00:00", utc_offset_minutes: 780, date: "2026-03-11" }],
    dirty: [{ date: "2026-03-10" }, { date: "2026-03-11" }],
    zoneDays: [{ date: "2026-03-11", start_at: "2026-03-10 11:00:00", end_at: "2026-03-11 11:00:00" }],
  });
});

it("keeps the rows applied last of files that are invalid or unreadable, and applies the others", async () => {
  const { warehouse } = await createLoadFixture();
  await applyReference(warehouse, writeReference(zoneTimeZones("1,UTC\n")));
  const folder = writeReference({
    ...zoneTimeZones("2,Mars\n3,Mars\n"),
    ...groupNames("1,North\n"),
    "dayparts.csv": "name,from,to\nday,00:00,24:00\n",
    "dayparts.xlsx": "",
  });
  mkdirSync(join(folder, "opening_hours.csv"));
  const { applied, problems } = await applyReference(warehouse, folder);
  expect(applied).toEqual(["group_names.csv"]);
  const kept = "Until then, the rows applied last stay in use.";
  const path = (name: string) => join(folder, name);
  expect(problems).toEqual([
    `${path("zone_time_zones.csv")}, line 2: "Mars" is invalid; expected an IANA time zone name, such as ` +
      `Europe/Berlin. Fix the line, and run this again. \`venue reference check\` lists 1 more. ${kept}`,
    `${path("opening_hours.csv")} is not a file. Replace it with a CSV file or remove it, and run this again. ${kept}`,
    `Both ${path("dayparts.csv")} and ${path("dayparts.xlsx")} have entries. Remove one of them, and run this again. ${kept}`,
  ]);
  expect(await warehouse.all("select * from core.zone_time_zone")).toEqual([
    { zone_id: 1, time_zone: "UTC" },
  ]);
});
