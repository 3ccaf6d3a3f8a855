import { expect, it, onTestFinished } from "vitest";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { addDays, formatWeek, listDaysBetween } from "../../../src/util/local-date.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { shareFolder } from "../../support/shared-folder.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { rowsOf } from "../report-rows.ts";

const now = new Date("2026-11-21T06:00:00Z");
const days = listDaysBetween("2026-09-26", "2026-10-15");
/** Crosses the end of a quarter. Plays of the day before and after can belong to its first and last day. */
const period = { from: "2026-09-28", to: "2026-10-12" };
const draw = randomNumbers(5);
const pick = <Item>(items: readonly Item[]): Item => items[draw(items.length)] as Item;

const dayparts = [
  { daypart: "morning", from: 6 * 60, to: 11 * 60 },
  { daypart: "evening", from: 18 * 60, to: 26 * 60 },
  { daypart: "one minute", from: 2 * 60 + 30, to: 2 * 60 + 31 },
  { daypart: "lunch", from: 11 * 60, to: 14 * 60 + 15 },
];
const kinds = ["music", "signage", "messaging"] as const;
const plays = Array.from({ length: 4000 }, () => {
  const item = 4 * (1 + draw(8)) + draw(3);
  return {
    zone: 1 + draw(5),
    item,
    kind: kinds[item % 4] ?? "music",
    day: pick(days),
    // Often around the borders of dayparts.
    minute:
      draw(3) === 0 ? pick([0, 119, 120, 149, 150, 151, 359, 360, 660, 855, 1079, 1080, 1439]) : draw(1440),
    second: draw(60),
    seconds: 1 + draw(50),
  };
});
/** Zones 1 to 3 are in one city; zone 5 is in none. */
const cityOf = (zone: number) => (zone === 5 ? null : zone < 4 ? "London" : "Berlin");
/** Zones 1 and 2 change hands on a day of the period. */
const regionOf = (zone: number, date: string) =>
  zone > 2 ? "(none)" : date <= "2026-10-04" ? "North" : "South";

/** The daypart in which a play begins, and the day on which that began. */
const counted = plays.map((play) => {
  const own = dayparts.find(({ from, to }) => from <= play.minute && play.minute < to);
  const before = dayparts.find(({ from, to }) => from <= play.minute + 1440 && play.minute + 1440 < to);
  return {
    ...play,
    daypart: (own ?? before)?.daypart ?? "(none)",
    date: own === undefined && before !== undefined ? addDays(play.day, -1) : play.day,
  };
});
type Counted = (typeof counted)[number];

async function publish(folder: string, named: typeof dayparts = dayparts): Promise<void> {
  const fixed = { attribute_name: "region", valid_from: "1900-01-01", valid_to: "2026-10-04" };
  const later = { attribute_name: "region", valid_from: "2026-10-05", valid_to: "2099-12-31" };
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: "2026-11-21T04:10:00.000Z",
    rows: {
      dim_zone: [1, 2, 3, 4, 5].map((id) => ({
        zone_id: id,
        zone_name: `Zone ${id}`,
        location_id: id,
        first_play_date: days[0] ?? "",
        last_play_date: days.at(-1) ?? "",
      })),
      dim_location: [1, 2, 3, 4, 5].map((id) => ({
        ...{ location_id: id, location_name: `Location ${id}`, city: cityOf(id) },
      })),
      dim_daypart: named.map(({ daypart, from, to }) => ({
        daypart,
        from_secs: from * 60,
        to_secs: to * 60,
      })),
      bridge_zone_attribute: [1, 2].flatMap((id) => [
        { zone_id: id, attribute_value: "North", ...fixed },
        { zone_id: id, attribute_value: "South", ...later },
      ]),
      fact_play: plays.map(({ zone, item, kind, day, minute, second, seconds }) => {
        const local = `${day}T${new Date((minute * 60 + second) * 1000).toISOString().slice(11, 19)}`;
        return {
          kind,
          zone_id: zone,
          item_key: item,
          played_at: `${local}Z`,
          played_at_local: local,
          date: day,
          play_hour: Math.floor(minute / 60),
          duration_secs: seconds,
          is_short: kind === "music" ? seconds < 30 : null,
        };
      }),
    },
  });
}

async function report(words: Partial<TypedOptions>): Promise<Record<string, unknown>[]> {
  const mart = await openPublished(await shareFolder("dayparts", (own) => publish(own)), { threads: 1 });
  onTestFinished(() => mart.close());
  return await rowsOf(
    await runReport(mart, parseReportOptions({ report: "plays", ...period, ...words }), now),
  );
}

const columnOf: Readonly<Record<string, [column: string, of: (play: Counted) => unknown]>> = {
  daypart: ["daypart", ({ daypart }) => daypart],
  zone: ["zone_id", ({ zone }) => zone],
  item: ["item_key", ({ item }) => item],
  kind: ["kind", ({ kind }) => kind],
  date: ["date", ({ date }) => date],
  week: ["week", ({ date }) => formatWeek(date)],
  quarter: ["quarter", ({ date }) => (date < "2026-10-01" ? "2026-Q3" : "2026-Q4")],
  city: ["city", ({ zone }) => cityOf(zone)],
  region: ["region", ({ zone, date }) => regionOf(zone, date)],
};

it.each<[string[], Partial<TypedOptions>, (play: Counted) => boolean]>([
  [["daypart"], {}, () => true],
  [["daypart", "date", "zone"], {}, () => true],
  [["daypart", "week", "region"], {}, () => true],
  [["daypart", "city"], {}, () => true],
  [["daypart", "city", "quarter"], { kind: ["music"] }, ({ kind }) => kind === "music"],
  [["daypart", "quarter", "item"], {}, () => true],
  [["daypart", "item"], { kind: ["signage"] }, ({ kind }) => kind === "signage"],
  [["daypart", "kind"], { where: ["region=South"] }, ({ zone, date }) => regionOf(zone, date) === "South"],
  [["daypart"], { from: "2026-10-04", to: "2026-10-04", zone: ["1,2"] }, ({ zone }) => zone <= 2],
])("plays by %s with %s equal counts of the plays", async (by, words, isChosen) => {
  const { from, to } = { ...period, ...words };
  const chosen = counted.filter((play) => play.date >= from && play.date <= to && isChosen(play));
  const keys = by.map((word) => columnOf[word] as (typeof columnOf)[string]);
  const groups = new Map<string, Counted[]>();
  for (const play of chosen) {
    const key = JSON.stringify(keys.map(([, of]) => of(play)));
    groups.set(key, [...(groups.get(key) ?? []), play]);
  }
  const expected = [...groups].map(([key, of]) => ({
    key,
    plays: of.length,
    play_seconds: of.reduce((sum, { seconds }) => sum + seconds, 0),
    short_plays: of.some(({ kind }) => kind === "music")
      ? of.filter(({ kind, seconds }) => kind === "music" && seconds < 30).length
      : null,
    zones: by.includes("zone") ? undefined : new Set(of.map(({ zone }) => zone)).size,
    items: by.includes("item") ? undefined : new Set(of.map(({ item }) => item)).size,
  }));
  const found = (await report({ by, ...words })).map((row) => ({
    key: JSON.stringify(keys.map(([column]) => row[column])),
    plays: row.plays,
    play_seconds: row.play_seconds,
    short_plays: row.short_plays,
    zones: row.zones,
    items: row.items,
  }));
  const sorted = (some: readonly { key: string }[]) => some.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  expect(sorted(found)).toEqual(sorted(expected));
});

it("lists dayparts in their order, and times outside all of them last", async () => {
  const rows = await report({ by: ["daypart"] });
  expect(rows.map(({ daypart }) => daypart)).toEqual(["one minute", "morning", "lunch", "evening", "(none)"]);
});

it("notes that no dayparts are named", async () => {
  const folder = await shareFolder("no dayparts", (own) => publish(own, []));
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  const options = parseReportOptions({ report: "plays", ...period, by: ["daypart"] });
  const found = await runReport(mart, options, now);
  expect((await rowsOf(found)).map(({ daypart }) => daypart)).toEqual(["(none)"]);
  expect(found.notes).toContain(
    "No dayparts are known: define them in reference/dayparts.csv, and run `venue build`.",
  );
});

it.each([
  ["2026-11-21T04:10:00.000Z", "2026-11-19", ["2026-11-20"]],
  ["2026-11-21T06:00:00.000Z", "2026-11-20", []],
])("with data as of %s, the night of the last whole day ended on %s", async (dataAsOf, last, partial) => {
  const folder = createTempFolder();
  const times = ["2026-11-18T23:00:00", "2026-11-19T23:00:00", "2026-11-20T23:00:00", "2026-11-21T03:00:00"];
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf,
    rows: {
      dim_zone: [{ zone_id: 1, first_play_date: "2026-11-01", last_play_date: "2026-11-21" }],
      dim_daypart: [
        { daypart: "day", from_secs: 6 * 3600, to_secs: 22 * 3600 },
        { daypart: "night", from_secs: 22 * 3600, to_secs: 30 * 3600 },
      ],
      fact_play: times.map((time) => ({
        ...{ kind: "music", zone_id: 1, item_key: 4, played_at: `${time}Z`, played_at_local: time },
        ...{ date: time.slice(0, 10), play_hour: Number(time.slice(11, 13)), duration_secs: 10 },
      })),
    },
  });
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  const run = async (words: Partial<TypedOptions>) =>
    await runReport(mart, parseReportOptions({ report: "plays", ...words }), now);
  const byDaypart = { by: ["daypart", "date"] };
  expect((await run(byDaypart)).period?.to).toBe(last);
  expect((await run({ by: ["date"] })).period?.to, "without dayparts").toBe("2026-11-20");
  const asked = await run({ ...byDaypart, from: "2026-11-18", to: "2026-11-20" });
  const { columns, notes = [], rows } = asked;
  const marked: unknown[] = [];
  for await (const row of rows) {
    const date = columns.findIndex(({ name }) => name === "date");
    if (columns[date]?.mark?.(row) === "part") marked.push(row[date]);
  }
  expect(marked).toEqual(partial);
  expect(notes.filter((note) => note.includes("night"))).toHaveLength(partial.length);
});
