import { describe, expect, it, onTestFinished } from "vitest";
import { buildMart } from "../../../src/build/build-mart.ts";
import { describePage } from "../../../src/report/html/describe-page.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { addDays, countDaysBetween, listDaysBetween } from "../../../src/util/local-date.ts";
import { buildOptions } from "../../build/build-options.ts";
import { loadCaseListings, setZoneDays } from "../../support/case-listings.ts";
import { openNewWarehouse } from "../../support/new-warehouse.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { shareFolder } from "../../support/shared-folder.ts";
import { rowsOf } from "../report-rows.ts";

const now = new Date("2026-12-11T06:00:00Z");
/** A Thursday: 60 days from it are in the next year. */
const dataDay = "2026-12-10";
const draw = randomNumbers(11);
const pick = <Item>(items: readonly Item[]): Item => items[draw(items.length)] as Item;
/** A day around the data's, or none. */
const drawDay = (around = 20): string | undefined =>
  draw(2) === 0 ? undefined : addDays(dataDay, draw(2 * around) - around);
const dayOfWeek = (date: string) => ((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;

/** Zones 1 to 6 and 8 have listings of their own, zone 7 those of two groups. */
const zoneIds = [1, 2, 3, 4, 5, 6, 7, 8];
const owners = [
  ...[1, 2, 3, 4, 5, 6, 8].map((id) => ({ kind: "zone", id, zone: id })),
  ...[1, 2].map((id) => ({ kind: "group", id, zone: 7 })),
];
const regionOf = (zone: number) => (zone < 4 ? "North" : "(none)");

/** Days of the week; rule 4 ends on a day, rules 5 and 6 have no dates near: one has ended, one is rare. */
const rules = [
  { id: 1, days: [1, 3], until: undefined, text: "FREQ=WEEKLY;BYDAY=MO,WE" },
  { id: 2, days: [7], until: undefined, text: "FREQ=WEEKLY;BYDAY=SU" },
  { id: 3, days: [1, 2, 3, 4, 5, 6, 7], until: undefined, text: "FREQ=DAILY" },
  {
    id: 4,
    days: [2, 4, 6],
    until: "2026-12-15",
    text: "FREQ=WEEKLY;BYDAY=TU,TH,SA;UNTIL=20261216T000000",
  },
  { id: 5, days: [], until: "2026-01-01", text: "FREQ=WEEKLY;BYDAY=FR;UNTIL=20260101" },
  { id: 6, days: [], until: undefined, text: "FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=4" },
];
/** Rules without an end up to this day may go on after all known dates. */
const lastKnownDay = addDays(dataDay, 60);
const lastRuleDay = addDays(dataDay, 92);

const listings = owners.flatMap((owner) =>
  [1, 2, 3, 4, 5, 6, 7, 8]
    .filter(() => draw(4) > 0)
    .map((campaign) => ({
      ...owner,
      ownerId: owner.id,
      campaign,
      isCurrent: draw(8) > 0,
      isEnabled: draw(8) > 0,
      error: draw(10) === 0 ? "unreadable" : null,
      start: drawDay(),
      end: drawDay(25),
      rule: draw(2) === 0 ? undefined : pick(rules),
      assets: Array.from({ length: draw(3) }, (_, index) => ({
        id: 10 * campaign + index,
        start: drawDay(),
        end: drawDay(),
      })),
    })),
);
type Listing = (typeof listings)[number];

/** Zones 1, 2 and 5 have given hours: zone 1 on Mondays past midnight, zone 2 on no day that matters much. */
const hours = [
  { zone: 1, day: 1, closes: 93_600 },
  { zone: 2, day: 7, closes: 72_000 },
  ...[1, 2, 3, 4, 5, 6, 7].map((day) => ({ zone: 5, day, closes: 72_000 })),
];
const isOpen = (zone: number, date: string) =>
  !hours.some((one) => one.zone === zone) ||
  hours.some(
    (one) =>
      one.zone === zone &&
      (one.day === dayOfWeek(date) || (one.closes > 86_400 && one.day === dayOfWeek(addDays(date, -1)))),
  );
/** Zone 5 plays signage up to a day, zone 8 never does; others play everything. */
const zoneKinds = [
  { zone: 5, kind: "signage", to: "2026-12-14" },
  { zone: 8, kind: "music", to: "2099-12-31" },
];
const playsSignage = (zone: number, date: string) =>
  !zoneKinds.some((one) => one.zone === zone) ||
  zoneKinds.some((one) => one.zone === zone && one.kind === "signage" && date <= one.to);
/** One of zone 4's devices is up; zone 6 has been open without plays since the morning. */
const devices = [
  { zone: 1, state: "up" },
  { zone: 3, state: "down" },
  { zone: 3, state: "replaced" },
  { zone: 4, state: "down" },
  { zone: 4, state: "up" },
  { zone: 6, state: "up" },
];

const isWithin = (
  date: string,
  { start = "", end = "9999" }: { start?: string | undefined; end?: string | undefined },
) => start <= date && date <= end;
const isOnRule = (date: string, { rule }: Listing) =>
  rule === undefined ||
  (rule.days.includes(dayOfWeek(date)) && date <= (rule.until ?? "9999") && date <= lastRuleDay);

interface Pair {
  zone: number;
  campaign: number;
  days: { date: string; isScheduled: boolean }[];
  end: string | undefined;
  reasons: string[];
}

/** Worked out day by day from the listings that apply to each zone. */
function judge({ from, to }: { from: string; to: string }): Pair[] {
  const dates = listDaysBetween(from, to);
  const campaigns = [1, 2, 3, 4, 5, 6, 7, 8];
  return zoneIds.flatMap((zone) =>
    campaigns.flatMap((campaign): Pair[] => {
      const own = listings.filter(
        (one) =>
          one.zone === zone &&
          one.campaign === campaign &&
          one.isCurrent &&
          one.isEnabled &&
          playsSignage(zone, from) &&
          (one.start ?? "") <= to &&
          (one.end ?? "9999") >= from,
      );
      if (own.length === 0) return [];
      const readable = own.filter(({ error }) => error === null);
      const days = dates.flatMap((date) => {
        const due = readable.filter(
          (one) => isWithin(date, one) && isOnRule(date, one) && playsSignage(zone, date),
        );
        const isScheduled = due.some(({ assets }) => assets.some((asset) => isWithin(date, asset)));
        return due.length > 0 ? [{ date, isScheduled }] : [];
      });
      const left = (one: Listing) =>
        listDaysBetween(from, lastRuleDay).filter((date) => isWithin(date, one) && isOnRule(date, one));
      const isOver = own.every(
        (one) =>
          one.error === null &&
          one.rule !== undefined &&
          one.rule.id !== 3 &&
          left(one).length === 0 &&
          [one.end, one.rule.until].some((end) => end !== undefined && end <= lastKnownDay),
      );
      const ends = own.map((one) => {
        const until = one.rule?.until !== undefined && to >= "2026-12-16" ? left(one).at(-1) : undefined;
        return until !== undefined && until < (one.end ?? "9999") ? until : one.end;
      });
      const scheduled = days.filter(({ isScheduled }) => isScheduled);
      const active = devices.filter((device) => device.zone === zone && device.state !== "replaced");
      const isDown = active.length > 0 && active.every(({ state }) => state === "down");
      const reasons: [string, boolean][] = [
        ["no active asset", days.length > 0 && scheduled.length === 0],
        [
          "assets end before the campaign",
          scheduled.length > 0 && scheduled.at(-1)?.date !== days.at(-1)?.date,
        ],
        ["no occurrence left", isOver && days.length === 0],
        ["unreadable rule or date", readable.length === 0],
        ["zone closed", days.length > 0 && days.every(({ date }) => !isOpen(zone, date))],
        ["devices down", days.length > 0 && isDown],
        ["zone silent", days.length > 0 && zone === 6],
      ];
      const found = reasons.flatMap(([reason, is]) => (is ? [reason] : []));
      if (days.length === 0 && !isOver && readable.length > 0) return [];
      const end = ends.includes(undefined) ? undefined : (ends as string[]).sort().at(-1);
      return [{ zone, campaign, days, end, reasons: found }];
    }),
  );
}

async function publish(folder: string): Promise<void> {
  const seen = {
    from_at: "1970-01-01 00:00:00",
    seen_from_at: "2026-12-01 00:00:00",
    last_seen_at: "2026-12-10 00:00:00",
  };
  const until = ({ isCurrent }: Listing) => (isCurrent ? null : "2026-12-09 00:00:00");
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: `${dataDay}T12:00:00.000Z`,
    rows: {
      dim_zone: zoneIds.map((id) => ({ zone_id: id, zone_name: `Zone ${id}`, last_play_date: "2026-12-09" })),
      dim_campaign: [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({
        campaign_key: id * 4 + 1,
        kind: "signage",
        campaign_id: id,
        campaign_name: `Campaign ${id}`,
      })),
      bridge_zone_attribute: [1, 2, 3].map((id) => ({
        ...{ zone_id: id, attribute_name: "region", attribute_value: regionOf(id) },
        ...{ valid_from: "1900-01-01", valid_to: "2099-12-31" },
      })),
      bridge_zone_listing: owners.map(({ kind, id, zone }) => ({
        ...{
          kind: "signage",
          zone_id: zone,
          owner_kind: kind,
          owner_id: id,
          first_at: "2026-12-01 00:00:00",
        },
      })),
      fact_listed_campaign: listings.map((one) => ({
        kind: "signage",
        owner_kind: one.kind,
        owner_id: one.ownerId,
        campaign_key: one.campaign * 4 + 1,
        status: "",
        is_enabled: one.isEnabled,
        add_date: "2026-01-01",
        start_date: one.start ?? null,
        end_date: one.end ?? null,
        record_error: one.error,
        rule_id: one.rule?.id ?? null,
        rrule: one.rule?.text ?? null,
        is_every_day: one.rule === undefined ? null : one.rule.id === 3,
        until_at: until(one),
        ...seen,
      })),
      fact_listed_asset: listings.flatMap((one) =>
        one.assets.map(({ id, start, end }) => ({
          kind: "signage",
          owner_kind: one.kind,
          owner_id: one.ownerId,
          campaign_key: one.campaign * 4 + 1,
          item_key: id * 4 + 1,
          start_date: start ?? null,
          end_date: end ?? null,
          until_at: until(one),
          ...seen,
        })),
      ),
      fact_rule_date: rules
        .filter(({ id }) => id !== 3)
        .flatMap(({ id, days, until: last = "9999" }) =>
          listDaysBetween("2026-11-01", lastRuleDay)
            .filter((date) => days.includes(dayOfWeek(date)) && date <= last)
            .map((date) => ({ rule_id: id, date })),
        ),
      bridge_zone_kind: zoneKinds.map(({ zone, kind, to }) => ({
        ...{ zone_id: zone, kind, valid_from: "1900-01-01", valid_to: to },
      })),
      dim_opening_hours: hours.map(({ zone, day, closes }) => ({
        ...{ zone_id: zone, day_of_week: day, opens_secs: 36_000, closes_secs: closes },
      })),
      dim_device: devices.map(({ zone, state }, index) => ({
        ...{ device_id: index + 1, zone_id: zone, state, last_seen_at: `${dataDay} 12:00:00` },
      })),
      fact_zone_opening: [
        {
          ...{ zone_id: 6, date: dataDay, opens_at: `${dataDay} 08:00:00`, closes_at: `${dataDay} 20:00:00` },
        },
      ],
    },
  });
}

async function report(words: Partial<TypedOptions>) {
  const mart = await openPublished(await shareFolder("schedule", publish), { threads: 1 });
  onTestFinished(() => mart.close());
  return await runReport(mart, parseReportOptions({ report: "schedule", ...words }), now);
}

const week = { from: addDays(dataDay, 1), to: addDays(dataDay, 7) };
const months = { from: addDays(dataDay, 1), to: addDays(dataDay, 60) };

describe("schedule equals the listings, worked out day by day", () => {
  it.each([week, months, { from: dataDay, to: dataDay }])(
    "per campaign and zone, from $from to $to",
    async (period) => {
      const found = await report(period === week ? {} : period);
      expect(found.period).toEqual(period);
      const scheduledOf = ({ days }: Pair) => days.filter(({ isScheduled }) => isScheduled);
      const pairs = judge(period).sort((a, b) => a.campaign - b.campaign || a.zone - b.zone);
      expect(await rowsOf(found)).toEqual(
        pairs.map((pair) => ({
          kind: "signage",
          campaign_key: pair.campaign * 4 + 1,
          campaign_id: pair.campaign,
          campaign_name: `Campaign ${pair.campaign}`,
          zone_id: pair.zone,
          zone_name: `Zone ${pair.zone}`,
          scheduled_days: scheduledOf(pair).length,
          first_date: scheduledOf(pair)[0]?.date ?? null,
          last_date: scheduledOf(pair).at(-1)?.date ?? null,
          end_date: pair.end ?? null,
          ends_in_days: pair.end === undefined ? null : countDaysBetween(dataDay, pair.end),
          ending: pair.end !== undefined && pair.end <= period.to ? 1 : 0,
          not_ready: pair.reasons.length > 0 ? 1 : 0,
          reasons: pair.reasons.length > 0 ? pair.reasons.join("; ") : null,
        })),
      );
    },
  );

  it("has every reason and zones without any in this world", () => {
    const reasons = new Set([...judge(week), ...judge(months)].flatMap((pair) => pair.reasons));
    expect(reasons.size).toBe(7);
    expect(judge(week).some((pair) => pair.reasons.length === 0)).toBe(true);
  });

  it("per region and date", async () => {
    const rows = await rowsOf(await report({ by: ["region,date"], ...months }));
    const expected = new Map<string, { days: number; pairs: number; notReady: number }>();
    for (const { zone, days, reasons } of judge(months))
      for (const { date, isScheduled } of days) {
        const key = `${regionOf(zone)} ${date}`;
        const { days: before, pairs, notReady } = expected.get(key) ?? { days: 0, pairs: 0, notReady: 0 };
        expected.set(key, {
          days: before + (isScheduled ? 1 : 0),
          pairs: pairs + 1,
          notReady: notReady + (reasons.length > 0 ? 1 : 0),
        });
      }
    expect(rows.map((row) => [`${row.region} ${row.date}`, row.scheduled_days, row.not_ready])).toEqual(
      [...expected].sort().map(([key, { days, notReady }]) => [key, days, notReady]),
    );
  });

  it("in all, and of one campaign", async () => {
    const [total = {}] = await rowsOf(await report({ by: ["group"], campaign: ["3"] }));
    const pairs = judge(week).filter(({ campaign }) => campaign === 3);
    const scheduled = pairs.flatMap(({ days }) => days.filter(({ isScheduled }) => isScheduled));
    expect(total).toMatchObject({ campaigns: 1, zones: pairs.length, scheduled_days: scheduled.length });
  });
});

it("summarizes the period and counts reasons on its page", async () => {
  const page = await describePage(await report({ format: "html" }));
  const pairs = judge(week);
  const notReady = pairs.filter(({ reasons }) => reasons.length > 0).length;
  expect(page?.headline).toContain(`and ${notReady} are not ready.`);
  expect(page?.breakdown?.rows.map(({ name, value }) => [name, Number(value)])).toEqual(
    [...new Set(["no active asset", "assets end before the campaign", "no occurrence left"])]
      .concat(["unreadable rule or date", "zone closed", "devices down", "zone silent"])
      .map((reason) => [reason, pairs.filter(({ reasons }) => reasons.includes(reason)).length] as const)
      .filter(([, count]) => count > 0),
  );
});

it.each([
  [
    { from: "2026-12-01" },
    "--from (2026-12-01) is outside the schedule: it covers 2026-12-10, the day of the data, to 2027-02-08.",
  ],
  [
    { to: "2027-02-09" },
    "--to (2027-02-09) is outside the schedule: it covers 2026-12-10, the day of the data, to 2027-02-08.",
  ],
])("refuses days outside the schedule: %s", async (words, message) => {
  await expect(report(words)).rejects.toThrow(message);
});

it("rules are expanded at least 60 days beyond the data", async () => {
  const warehouse = await openNewWarehouse();
  const campaigns = [{ campaign_id: 5, assets: [7], rrule: "FREQ=WEEKLY;BYDAY=MO" }];
  await loadCaseListings(warehouse, [{ zoneId: 1, requestedAt: `${dataDay}T06:00:00Z`, campaigns }]);
  await setZoneDays(warehouse, [{ zoneId: 1, from: "2026-12-01", to: dataDay }]);
  const dates = await warehouse.all<{ date: string }>(
    "select cast(date as varchar) as date from core.campaign_date",
  );
  const mondays = listDaysBetween(dataDay, addDays(dataDay, 60)).filter((date) => dayOfWeek(date) === 1);
  expect(dates.map(({ date }) => date)).toEqual(expect.arrayContaining(mondays));
});

it("the calendar covers these days even if nothing has played", async () => {
  const warehouse = await openNewWarehouse();
  const campaigns = [{ campaign_id: 5, assets: [7] }];
  await loadCaseListings(warehouse, [{ zoneId: 1, requestedAt: `${dataDay}T06:00:00Z`, campaigns }]);
  await buildMart(warehouse, buildOptions);
  const dates = await warehouse.all<{ date: string }>(
    "select cast(date as varchar) as date from mart.dim_date where date between ? and ?",
    [dataDay, addDays(dataDay, 60)],
  );
  expect(dates).toHaveLength(61);
});
