import { describe, expect, it, onTestFinished } from "vitest";
import { buildMart } from "../../../src/build/build-mart.ts";
import { publishMart } from "../../../src/publish/publish-mart.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { formatWeek, listDaysBetween } from "../../../src/util/local-date.ts";
import { silentLogger } from "../../../src/util/logger.ts";
import { buildOptions } from "../../build/build-options.ts";
import { insertCase } from "../../build/insert-case.ts";
import { setZoneDays } from "../../support/case-listings.ts";
import { insertCoreRows } from "../../support/core-rows.ts";
import { openNewWarehouse } from "../../support/new-warehouse.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { shareFolder } from "../../support/shared-folder.ts";
import { rowsOf } from "../report-rows.ts";

const now = new Date("2026-11-21T06:00:00Z");
const period = { from: "2026-11-02", to: "2026-11-11" };
const days = listDaysBetween(period.from, period.to);
const draw = randomNumbers(3);
const pick = <Item>(items: readonly Item[]): Item => items[draw(items.length)] as Item;

const zoneIds = [1, 2, 3, 4, 5, 6];
const assetIds = [1, 2, 3, 4, 5, 6, 7, 8];
const regionOf = (zone: number) => (zone < 3 ? "North" : zone < 6 ? "South" : "(none)");
const advertiserOf = (campaign: number) => (campaign % 2 === 0 ? "Acme" : "(none)");
const campaigns = [1, 2, 3, 4, 5, 6].map((id) => ({
  id,
  isEnabled: id !== 6,
  start: pick([undefined, "2026-11-04"]),
  end: pick([undefined, "2026-11-07"]),
  assets: assetIds.filter(() => draw(3) === 0),
  zones: zoneIds.filter(() => draw(4) > 0),
}));
const plays = Array.from({ length: 3000 }, (_, index) => ({
  zone: pick(zoneIds),
  date: pick(days),
  asset: pick(assetIds),
  minute: index % 1440,
  seconds: 1 + draw(40),
}));

/** What a play gives a campaign that can claim it: a share of it, 0 without a schedule. */
interface Claim {
  campaign: number;
  play: (typeof plays)[number];
  share: number;
}

/** Worked out from the listings: scheduled campaigns share a play; without any, each other one has it whole. */
const claims: Claim[] = plays.flatMap((play) => {
  const linked = campaigns.filter((one) => one.assets.includes(play.asset) && one.zones.includes(play.zone));
  const scheduled = linked.filter(
    ({ isEnabled, start = "", end = "9999" }) => isEnabled && start <= play.date && play.date <= end,
  );
  const claiming = scheduled.length > 0 ? scheduled : linked;
  const share = scheduled.length > 0 ? 1 / scheduled.length : 0;
  return claiming.map(({ id }) => ({ campaign: id, play, share }));
});

async function publish(publishedFolder: string): Promise<void> {
  const warehouse = await openNewWarehouse();
  const core = {
    play: {
      columns: [],
      rows: plays.map(({ zone, date, asset, minute, seconds }) => ({
        kind: "signage",
        zone_id: String(zone),
        item_id: String(asset),
        played_at_local: `${date} ${new Date(minute * 60_000).toISOString().slice(11, 19)}`,
        duration_secs: String(seconds),
      })),
    },
  };
  const listings = zoneIds.map((zoneId) => ({
    zoneId,
    kind: "signage" as const,
    requestedAt: "2026-10-01T06:00:00Z",
    campaigns: campaigns
      .filter(({ zones }) => zones.includes(zoneId))
      .map(({ id, isEnabled, start = "", end = "", assets }) => ({
        campaign_id: id,
        status: isEnabled ? "enabled" : "disabled",
        start_date: start,
        end_date: end,
        assets,
      })),
  }));
  const span = { valid_from: "1900-01-01", valid_to: "2099-12-31" };
  await insertCoreRows(warehouse, "attribute", [
    ...zoneIds
      .filter((zone) => zone < 6)
      .map((zone) => ({
        ...{ subject: "zone", subject_key: zone, name: "region", value: regionOf(zone), ...span },
      })),
    ...[2, 4, 6].map((id) => ({
      ...{ subject: "campaign", subject_key: id * 4 + 1, name: "advertiser", value: "Acme", ...span },
    })),
  ]);
  await insertCase(warehouse, { core, listings });
  await setZoneDays(
    warehouse,
    zoneIds.map((zoneId) => ({ zoneId, ...period })),
  );
  await buildMart(warehouse, buildOptions);
  await publishMart(warehouse, { publishedFolder, version: "v000001", now, logger: silentLogger });
}

async function report(words: TypedOptions): Promise<Record<string, unknown>[]> {
  const mart = await openPublished(await shareFolder("campaign plays", publish), { threads: 1 });
  onTestFinished(() => mart.close());
  return await rowsOf(await runReport(mart, parseReportOptions({ ...period, ...words }), now));
}

const columnOf: Readonly<Record<string, [column: string, of: (claim: Claim) => unknown]>> = {
  campaign: ["campaign_id", ({ campaign }) => campaign],
  zone: ["zone_id", ({ play }) => play.zone],
  date: ["date", ({ play }) => play.date],
  week: ["week", ({ play }) => formatWeek(play.date)],
  region: ["region", ({ play }) => regionOf(play.zone)],
  advertiser: ["advertiser", ({ campaign }) => advertiserOf(campaign)],
};

const round = (value: number) => Math.round(value * 1e4) / 1e4;

describe("plays by campaign equal claims of the plays", () => {
  it.each<[string[], string[], (claim: Claim) => boolean]>([
    [["campaign"], [], () => true],
    [["campaign", "zone", "date"], [], () => true],
    [["campaign", "region"], [], () => true],
    [["campaign", "advertiser", "week"], ["region=South,(none)"], ({ play }) => play.zone > 2],
    [["campaign"], ["advertiser=Acme"], ({ campaign }) => campaign % 2 === 0],
  ])("by %s where %s", async (by, where, isChosen) => {
    const keys = by.map((word) => columnOf[word] as (typeof columnOf)[string]);
    const groups = new Map<string, Claim[]>();
    for (const claim of claims.filter(isChosen)) {
      const key = JSON.stringify(keys.map(([, of]) => of(claim)));
      groups.set(key, [...(groups.get(key) ?? []), claim]);
    }
    const sum = (of: readonly Claim[], value: (claim: Claim) => number) =>
      round(of.reduce((total, claim) => total + value(claim), 0));
    const expected = [...groups].map(([key, of]) => ({
      key,
      plays: of.length,
      play_seconds: sum(of, ({ play }) => play.seconds),
      weighted_plays: sum(of, ({ share }) => share),
      weighted_seconds: sum(of, ({ share, play }) => share * play.seconds),
      unscheduled_plays: of.filter(({ share }) => share === 0).length,
      zones: by.includes("zone") ? undefined : new Set(of.map(({ play }) => play.zone)).size,
    }));
    const rows = await report({ report: "plays", by, ...(where.length > 0 && { where }) });
    const found = rows.map((row) => ({
      key: JSON.stringify(keys.map(([column]) => row[column])),
      plays: row.plays,
      play_seconds: row.play_seconds,
      weighted_plays: round(Number(row.weighted_plays)),
      weighted_seconds: round(Number(row.weighted_seconds)),
      unscheduled_plays: row.unscheduled_plays,
      zones: row.zones,
    }));
    const sorted = (some: readonly { key: string }[]) => some.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    expect(sorted(found)).toEqual(sorted(expected));
  });

  it("weighs each play of a scheduled campaign's asset once in all", async () => {
    const rows = await report({ report: "plays", by: ["campaign"] });
    const scheduled = new Set(claims.filter(({ share }) => share > 0).map(({ play }) => play));
    const total = (column: string) => round(rows.reduce((sum, row) => sum + Number(row[column]), 0));
    expect(total("weighted_plays")).toBeCloseTo(scheduled.size, 3);
    expect(total("weighted_seconds")).toBeCloseTo(
      [...scheduled].reduce((sum, { seconds }) => sum + seconds, 0),
      3,
    );
  });

  it("selects campaigns, and the first by plays", async () => {
    const all = await report({ report: "plays", by: ["campaign"], top: "2" });
    expect(all.map(({ plays: count }) => Number(count))).toEqual(
      [...new Set(claims.map(({ campaign }) => campaign))]
        .map((id) => claims.filter(({ campaign }) => campaign === id).length)
        .sort((a, b) => b - a)
        .slice(0, 2),
    );
    const some = await report({ report: "plays", by: ["campaign"], campaign: ["1,2"] });
    expect(some.map(({ campaign_id: id }) => id)).toEqual([1, 2]);
  });
});

/** What each play gives each advertiser; what it gives none is `(none)`. */
const voices = plays.flatMap((play) => {
  const acme = claims
    .filter((claim) => claim.play === play && advertiserOf(claim.campaign) === "Acme")
    .reduce((sum, { share }) => sum + share, 0);
  return [
    { advertiser: "Acme", play, share: acme },
    { advertiser: "(none)", play, share: 1 - acme },
  ];
});

describe("plays by an attribute of campaigns divide all plays", () => {
  const placeOf: Readonly<Record<string, (play: (typeof plays)[number]) => unknown>> = {
    region: ({ zone }) => regionOf(zone),
    zone_id: ({ zone }) => zone,
    date: ({ date }) => date,
  };

  it.each<[string, (keyof typeof placeOf)[], string[]]>([
    ["advertiser", [], []],
    ["advertiser,region", ["region"], []],
    ["advertiser,zone,date", ["zone_id", "date"], []],
    ["advertiser,date", ["date"], ["region=South"]],
  ])("by %s in %s where %s", async (by, places, where) => {
    const sums = new Map<string, number[]>();
    const wholes = new Map<string, number[]>();
    const add = (to: typeof sums, key: string, added: number[]) =>
      to.set(
        key,
        added.map((value, at) => value + (to.get(key)?.[at] ?? 0)),
      );
    for (const { advertiser, play, share } of voices) {
      if (where.length > 0 && regionOf(play.zone) !== "South") continue;
      const place = JSON.stringify(places.map((column) => placeOf[column]?.(play)));
      add(sums, `${advertiser} ${place}`, [share, share * play.seconds]);
      add(wholes, place, [share, share * play.seconds]);
    }
    const expected = [...sums].flatMap(([key, [count = 0, seconds = 0]]) => {
      const [allPlays = 0, allSeconds = 0] = wholes.get(key.slice(key.indexOf("["))) ?? [];
      const row = { key, plays: round(count), seconds: round(seconds) };
      return round(count) === 0
        ? []
        : [{ ...row, share: round(count / allPlays), ofSeconds: round(seconds / allSeconds) }];
    });
    const rows = await report({ report: "plays", by: [by], ...(where.length > 0 && { where }) });
    const found = rows.flatMap((row) => {
      const key = `${row.advertiser} ${JSON.stringify(places.map((column) => row[column]))}`;
      const [count, seconds] = [round(Number(row.weighted_plays)), round(Number(row.weighted_seconds))];
      const shares = {
        share: round(Number(row.share_of_plays)),
        ofSeconds: round(Number(row.share_of_seconds)),
      };
      return count === 0 ? [] : [{ key, plays: count, seconds, ...shares }];
    });
    const sorted = (some: readonly { key: string }[]) => some.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    expect(sorted(found)).toEqual(sorted(expected));
  });

  it("sorts by a share's change", async () => {
    const rows = await report({
      report: "plays",
      by: ["advertiser,zone"],
      from: "2026-11-07",
      compare: "before",
      sort: "share_of_plays_change",
    });
    const changes = rows.map((row) => Number(row.share_of_plays_change));
    expect(changes).toEqual(changes.toSorted((a, b) => a - b));
  });

  it("has shares that add up to 1 in each place, also of the rows of another period", async () => {
    const words = { report: "plays", by: ["advertiser,region"], from: "2026-11-07", to: "2026-11-11" };
    for (const compare of [{}, { compare: "before" }]) {
      const rows = await report({ ...words, ...compare });
      for (const column of [
        "share_of_plays",
        "share_of_seconds",
        ...(compare.compare ? ["share_of_plays_then"] : []),
      ])
        for (const region of ["North", "South", "(none)"])
          expect(
            rows.filter((row) => row.region === region).reduce((sum, row) => sum + Number(row[column]), 0),
          ).toBeCloseTo(1, 12);
    }
    const top = await report({ ...words, top: "1", sort: "-share_of_plays" });
    const all = await report(words);
    expect(all).toContainEqual(top[0]);
  });

  it.each<[Partial<TypedOptions>, string]>([
    [
      { by: ["advertiser,item"] },
      "--by advertiser can't be combined with item. It combines with kind, group, location, city, zone, date, week, month, quarter, weekday.",
    ],
    [
      { by: ["advertiser"], kind: ["music"] },
      "--kind music can't be used with plays by advertiser: music has no campaigns. It takes signage, messaging.",
    ],
    [
      { by: ["advertiser"], only: ["outside_hours"] },
      "--only can't be combined with --by advertiser. Remove one of them.",
    ],
    [
      { by: ["advertiser"], where: ["advertiser=Acme"] },
      "Shares of plays cover all campaigns, so --where can't filter by advertiser. Find its values with --search.",
    ],
    [
      { by: ["advertiser"], sort: "-plays" },
      '--sort does not take "plays". It takes advertiser, weighted_plays, weighted_seconds, share_of_plays, share_of_seconds.',
    ],
  ])("refuses %j", async (words, message) => {
    await expect(report({ report: "plays", ...words })).rejects.toThrow(message);
  });
});

it.each([[[1]], [[2, 3]], [[6]]])("single plays of campaigns %s are those of their assets", async (ids) => {
  const rows = await report({ report: "single-plays", campaign: [ids.join()] });
  const chosen = campaigns.filter(({ id }) => ids.includes(id));
  const expected = plays.filter(({ zone, asset }) =>
    chosen.some(({ assets, zones }) => assets.includes(asset) && zones.includes(zone)),
  );
  const keyOf = (zone: unknown, asset: unknown, local: string) => `${zone} ${asset} ${local.slice(0, 16)}`;
  expect(
    rows.map((row) => keyOf(row.zone_id, row.item_id, String(row.played_at_local).replace("T", " "))).sort(),
  ).toEqual(
    expected
      .map(({ zone, asset, date, minute }) =>
        keyOf(zone, asset, `${date} ${new Date(minute * 60_000).toISOString().slice(11, 16)}`),
      )
      .sort(),
  );
});

it("names what plays by campaign can't be combined with", () => {
  const messageOf = (words: Partial<TypedOptions>) => {
    try {
      parseReportOptions({ report: "plays", ...words });
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  };
  expect(messageOf({ by: ["campaign,hour"] })).toBe(
    "--by campaign can't be combined with hour. It combines with kind, group, location, city, zone, date, week, month, quarter, weekday.",
  );
  expect(messageOf({ by: ["campaign"], compare: "before" })).toBe(
    "--compare can't be combined with --by campaign. Remove one of them.",
  );
  expect(messageOf({ by: ["zone"], campaign: ["1"] })).toBe("The plays report does not take --campaign.");
});
