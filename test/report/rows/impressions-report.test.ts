import { expect, it, onTestFinished } from "vitest";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { listDaysBetween } from "../../../src/util/local-date.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { shareFolder } from "../../support/shared-folder.ts";
import { groupBy } from "../drawn-world.ts";
import { rowsOf } from "../report-rows.ts";

const now = new Date("2026-11-21T06:00:00Z");
const period = { from: "2026-11-02", to: "2026-11-08" };
const draw = randomNumbers(20);
const kinds = ["music", "signage", "messaging"] as const;

/** Plays per zone, item, day and hour, some with footfall. Zone 3 has none; nobody is near zone 2. */
const hours = listDaysBetween(period.from, period.to).flatMap((date) =>
  Array.from({ length: 40 }, () => {
    const [zone, item] = [1 + draw(3), 4 * (1 + draw(3)) + draw(3)];
    const plays = 1 + draw(9);
    const kind = kinds[item % 4] ?? "music";
    const covered = zone === 3 || kind === "music" ? 0 : draw(plays + 1);
    return {
      zone,
      item,
      kind,
      date,
      hour: draw(24),
      plays,
      covered,
      people: zone === 2 ? 0 : covered * 1_234_567,
    };
  }),
);
type Hour = (typeof hours)[number];

const campaignDays = listDaysBetween(period.from, period.to).flatMap((date) =>
  [5, 9].flatMap((campaign) =>
    [1, 3].map((zone) => {
      const thirds = 1 + draw(30);
      const covered = zone === 3 ? 0 : draw(thirds + 1);
      return { campaign, zone, date, thirds, covered, people: covered * 1_000_003 };
    }),
  ),
);

async function publish(folder: string, hasFootfall = true): Promise<void> {
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: "2026-11-21T04:10:00.000Z",
    rows: {
      dim_zone: [1, 2, 3].map((id) => ({
        ...{ zone_id: id, zone_name: `Zone ${id}`, first_play_date: period.from, last_play_date: period.to },
      })),
      dim_campaign: [5, 9].map((key) => ({
        ...{ campaign_key: key, kind: "signage", campaign_id: Math.floor(key / 4), campaign_name: `C${key}` },
      })),
      bridge_campaign_attribute: [
        {
          ...{ campaign_key: 5, attribute_name: "advertiser", attribute_value: "Acme" },
          ...{ valid_from: "1900-01-01", valid_to: "2099-12-31" },
        },
      ],
      dim_footfall: hasFootfall
        ? ["door counter", "estimate", "estimate"].map((source) => ({ zone_id: 1, source }))
        : [],
      fact_play: hours.flatMap(({ zone, item, kind, date, hour, plays }) =>
        Array.from({ length: plays }, () => ({
          ...{ kind, zone_id: zone, item_key: item, date, play_hour: hour },
        })),
      ),
      fact_impression_hour: hours
        .filter(({ covered }) => covered > 0)
        .map(({ zone, item, kind, date, hour, covered, people }) => ({
          ...{ kind, zone_id: zone, item_key: item, date, play_hour: hour },
          ...{ covered_plays: covered, impressions: people / 3_600_000 },
        })),
      fact_campaign_zone_day: campaignDays.map(({ campaign, zone, date, thirds, covered, people }) => ({
        ...{ campaign_key: campaign, kind: "signage", zone_id: zone, date, state: "compliant" },
        ...{ candidate_plays: thirds, weighted_plays: thirds / 3, covered_plays: covered / 3 },
        impressions: covered === 0 ? null : people / 3_600_000,
      })),
    },
  });
}

async function report(words: Partial<TypedOptions>, hasFootfall = true) {
  const name = hasFootfall ? "impressions" : "no footfall";
  const mart = await openPublished(await shareFolder(name, (own) => publish(own, hasFootfall)), {
    threads: 1,
  });
  onTestFinished(() => mart.close());
  return await runReport(mart, parseReportOptions({ report: "impressions", ...period, ...words }), now);
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const content = hours.filter(({ kind }) => kind !== "music");

it.each<[words: Partial<TypedOptions>, columns: readonly string[], keyOf: (hour: Hour) => string]>([
  [{}, [], () => ""],
  [{ by: ["zone"] }, ["zone_id"], ({ zone }) => String(zone)],
  [{ by: ["item"] }, ["item_key"], ({ item }) => String(item)],
  [{ by: ["kind,hour"] }, ["kind", "hour"], ({ kind, hour }) => `${kind} ${hour}`],
  [
    { by: ["zone,item,date"] },
    ["zone_id", "item_key", "date"],
    (one) => `${one.zone} ${one.item} ${one.date}`,
  ],
])("impressions %j are exact, and blank without footfall", async (words, columns, keyOf) => {
  const rows = await rowsOf(await report(words));
  const expected = new Map(
    [...groupBy(content, keyOf)].map(([key, of]) => {
      const [plays, covered] = [total(of.map((one) => one.plays)), total(of.map((one) => one.covered))];
      const impressions = Math.round(total(of.map(({ people }) => people)) / 3600) / 1000;
      return [
        key,
        {
          ...{ impressions: covered === 0 ? null : impressions, impression_coverage: covered / plays },
          ...{ plays, covered_plays: covered },
        },
      ];
    }),
  );
  expect(rows.map((row) => columns.map((name) => String(row[name])).join(" ")).sort()).toEqual(
    [...expected.keys()].sort(),
  );
  for (const row of rows)
    expect(row).toMatchObject(expected.get(columns.map((name) => String(row[name])).join(" ")) ?? {});
});

it.each([
  [["campaign"], "campaign_key", ({ campaign }: (typeof campaignDays)[number]) => campaign],
  [
    ["advertiser"],
    "advertiser",
    ({ campaign }: (typeof campaignDays)[number]) => (campaign === 5 ? "Acme" : "(none)"),
  ],
])("impressions by %s are of weighted plays", async (by, column, keyOf) => {
  const rows = await rowsOf(await report({ by }));
  expect(rows.length).toBe(2);
  for (const row of rows) {
    const of = campaignDays.filter((day) => keyOf(day) === row[column]);
    const [thirds, covered] = [total(of.map((day) => day.thirds)), total(of.map((day) => day.covered))];
    expect(row).toMatchObject({
      impressions: Math.round(total(of.map(({ people }) => people)) / 3600) / 1000,
      impression_coverage: expect.closeTo(covered / thirds, 6),
      weighted_plays: expect.closeTo(thirds / 3, 5),
      covered_plays: expect.closeTo(covered / 3, 5),
    });
  }
});

it("a comparison is blank, not 0, for a period without the row", async () => {
  const half = { from: "2026-11-02", to: "2026-11-03", compare: "2026-11-07..2026-11-08" };
  const rows = await rowsOf(await report({ ...half, by: ["zone,item,hour"] }));
  const found = new Set(
    rows.map((row) => `${row.impression_coverage === null} ${row.impressions === null} ${row.plays === 0}`),
  );
  expect(found).toContain("true true true");
  for (const row of rows) if (row.plays === 0) expect(row.impressions).toBeNull();
});

it("prints the formula with the sources, or where to enter people", async () => {
  const { notes } = await report({});
  expect(notes[0]).toMatch(
    /^Impressions = plays × people near at the time .* Sources in reference\/footfall\.csv: door counter and estimate\.$/,
  );
  const without = await report({}, false);
  expect(without.notes[0]).toBe(
    "No footfall is known: enter people per hour or per play in reference/footfall.csv, and run `venue build`.",
  );
});
