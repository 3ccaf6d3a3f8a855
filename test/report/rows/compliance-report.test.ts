import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ComplianceReason,
  type ComplianceState,
  complianceStates,
} from "../../../src/report/catalog/compliance-states.ts";
import { checkThreshold, type ThresholdResult } from "../../../src/report/findings/compliance-notes.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { joinWords } from "../../../src/report/text/readable-text.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { tempPrefix } from "../../support/temp-folder.ts";
import { otherMeasures, rowsOf } from "../report-rows.ts";

const now = new Date("2026-11-21T06:00:00Z");
const period = { from: "2026-10-26", to: "2026-11-20" };

const zones: { zoneId: number; groupIds: number[]; locationId: number | null }[] = [
  { zoneId: 11, groupIds: [1], locationId: 1 },
  { zoneId: 12, groupIds: [1, 2], locationId: 1 },
  { zoneId: 13, groupIds: [2], locationId: 2 },
  { zoneId: 14, groupIds: [], locationId: null },
];
const campaigns = [
  { kind: "signage", campaignId: 5, key: 21 },
  { kind: "messaging", campaignId: 5, key: 22 },
  { kind: "signage", campaignId: 51, key: 205 },
] as const;
type Zone = (typeof zones)[number];
type Campaign = (typeof campaigns)[number];

interface Cell {
  campaign: Campaign;
  zone: Zone;
  date: string;
  state: ComplianceState;
  candidate: number;
  exclusive: number;
  measured: number;
  complete: number;
  active: number;
  played: number;
  /** Null for rules without times. */
  due: number | null;
  met: number | null;
}

/** Zones with a listing of their own, and the date of the first. */
const firstListed = [
  [11, "2026-10-01"],
  [12, "2026-11-10"],
  [13, "2026-10-01"],
] as const;

const zoneOfGroup = (id: number) => zones.find(({ groupIds }) => groupIds.includes(id))?.zoneId ?? null;

const cells = generateCells();

let folder: string;
let mart: PublishedMart;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), tempPrefix));
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: "2026-11-21T03:00:00Z",
    rows: {
      dim_zone: zones.map(({ zoneId, locationId }) => ({
        zone_id: zoneId,
        zone_name: `Zone ${zoneId}`,
        location_id: locationId,
        time_zone: "UTC",
      })),
      dim_location: [1, 2].map((id) => ({ location_id: id, location_name: `Location ${id}` })),
      dim_group: [1, 2].map((id) => ({ group_id: id, group_name: `Group ${id}` })),
      bridge_group_zone: zones.flatMap(({ zoneId, groupIds }) =>
        groupIds.map((groupId) => ({ group_id: groupId, zone_id: zoneId })),
      ),
      dim_campaign: campaigns.map(({ kind, campaignId, key }) => ({
        campaign_key: key,
        kind,
        campaign_id: campaignId,
        campaign_name: `${kind} ${campaignId}`,
      })),
      fact_zone_hours: ["2026-11-02", "2026-11-03"].map((date) => ({
        ...{ zone_id: 12, date, opens_secs: 7 * 3600, closes_secs: 22 * 3600 },
      })),
      fact_freshness: (["signage", "messaging"] as const).flatMap((kind) => [
        { group_id: 1, kind, source: "export", requested_at: "2026-11-20T05:00:00Z" },
        { group_id: 2, kind, source: "walk", requested_at: "2026-11-20T06:00:00Z" },
      ]),
      fact_snapshot: [
        { snapshot_id: 1, kind: "signage", group_id: 1, requested_at: "2026-11-18T04:00:00Z" },
        { snapshot_id: 2, kind: "signage", group_id: 1, requested_at: "2026-11-21T04:00:00Z" },
        { snapshot_id: 3, kind: "signage", zone_id: zoneOfGroup(2), requested_at: "2026-11-21T05:00:00Z" },
        { snapshot_id: 4, kind: "messaging", group_id: 1, requested_at: "2026-11-19T04:00:00Z" },
        { snapshot_id: 5, kind: "messaging", group_id: 2, requested_at: "2026-11-20T04:00:00Z" },
      ].map((snapshot) => ({ ...snapshot, source: "campaigns" })),
      // Zone 14 has no listing of its own. The groups' dates play no part where a zone has its own.
      bridge_zone_listing: (["signage", "messaging"] as const).flatMap((kind) => [
        ...firstListed.map(([zoneId, date]) => ({
          kind,
          zone_id: zoneId,
          owner_kind: "zone",
          owner_id: zoneId,
          first_at: `${date}T12:00:00Z`,
        })),
        ...[1, 2].map((owner_id) => ({
          kind,
          zone_id: 14,
          owner_kind: "group",
          owner_id,
          first_at: `2026-09-0${owner_id}T12:00:00Z`,
        })),
      ]),
      fact_campaign_zone_day: cells.map((cell) => ({
        campaign_key: cell.campaign.key,
        kind: cell.campaign.kind,
        zone_id: cell.zone.zoneId,
        date: cell.date,
        state: cell.state,
        reason: reasonOf(cell),
        is_assumed: isAssumed(cell),
        candidate_plays: cell.candidate,
        play_seconds: cell.candidate * 10,
        exclusive_plays: cell.exclusive,
        weighted_plays: cell.candidate,
        weighted_seconds: cell.candidate * 10,
        complete_plays: cell.complete,
        measured_plays: cell.measured,
        active_assets: cell.active,
        played_assets: cell.played,
        due_times: cell.due,
        met_times: cell.met,
      })),
    },
  });
  mart = await openPublished(folder, { threads: 1 });
});
afterAll(() => {
  mart.close();
  rmSync(folder, { recursive: true });
});

function isAssumed({ zone, date }: Cell): boolean {
  return zone.zoneId === 14 || (zone.zoneId === 12 && date < "2026-11-10");
}

function generateCells(): Cell[] {
  const random = randomNumbers(7);
  const dates = Array.from({ length: 30 }, (_, index) =>
    new Date(Date.UTC(2026, 9, 24 + index)).toISOString().slice(0, 10),
  );
  return campaigns.flatMap((campaign) =>
    zones.flatMap((zone) =>
      dates.flatMap((date): Cell[] => {
        const state = complianceStates[random(complianceStates.length)];
        if (state === undefined || random(5) === 0) return [];
        const hasPlays =
          state === "compliant" || state === "unscheduled" || (state === "pending" && random(2) === 0);
        const candidate = hasPlays ? 1 + random(9) : 0;
        const active = 1 + random(3);
        const measured = random(candidate + 1);
        return [
          {
            campaign,
            zone,
            date,
            state,
            candidate,
            exclusive: random(candidate + 1),
            measured,
            complete: random(measured + 1),
            active,
            played: candidate === 0 ? 0 : 1 + random(active),
            ...timesOf(campaign.campaignId, state, candidate),
          },
        ];
      }),
    ),
  );
}

/** Campaign 5 names three times a day; unscheduled cells have no due times. */
function timesOf(campaignId: number, state: ComplianceState, candidate: number): Pick<Cell, "due" | "met"> {
  if (campaignId !== 5 || state === "unscheduled") return { due: null, met: null };
  return { due: state === "closed" ? 0 : 3, met: Math.min(3, candidate) };
}

/** Columns of each word of `--by` for a cell, in column order. */
const labels: Record<string, (cell: Cell, groupId: number | null) => Record<string, unknown>> = {
  campaign: ({ campaign: { kind, key, campaignId } }) => ({
    kind,
    campaign_key: key,
    campaign_id: campaignId,
    campaign_name: `${kind} ${campaignId}`,
  }),
  zone: ({ zone: { zoneId } }) => ({ zone_id: zoneId, zone_name: `Zone ${zoneId}` }),
  group: (_cell, groupId) => ({ group_id: groupId, group_name: groupId && `Group ${groupId}` }),
  location: ({ zone: { locationId } }) => ({
    location_id: locationId,
    location_name: locationId && `Location ${locationId}`,
  }),
  date: ({ date }) => ({ date }),
  week: ({ date }) => ({ week: isoWeek(date) }),
  month: ({ date }) => ({ month: date.slice(0, 7) }),
  reason: (cell) => ({ reason: reasonOf(cell) ?? "(none)" }),
};

function reasonOf({ state, campaign, due }: Cell): ComplianceReason | null {
  const reasons: Partial<Record<ComplianceState, ComplianceReason>> = {
    pending: "not_settled",
    closed: "closed_by_habit",
    not_measurable: "device_unknown",
    missed_offline: "device_down",
    missed:
      due === null ? "not_due_while_open" : campaign.kind === "signage" ? "other_content" : "kind_silent",
  };
  return reasons[state] ?? null;
}

/** 2026-10-26 is the Monday of week 44. */
function isoWeek(date: string): string {
  const days = (Date.parse(date) - Date.parse("2026-10-26")) / 86_400_000;
  return `2026-W${44 + Math.floor(days / 7)}`;
}

/** Counts directly from the list of cells, without SQL. */
function count(
  by: readonly string[],
  keep: (cell: Cell, groupId: number | null) => boolean = () => true,
): object[] {
  const rows = new Map<string, { keys: object; cells: Cell[] }>();
  for (const cell of cells.filter(({ date }) => date >= period.from && date <= period.to)) {
    const groups = by.includes("group") && cell.zone.groupIds.length > 0 ? cell.zone.groupIds : [null];
    for (const groupId of groups) {
      if (!keep(cell, groupId)) continue;
      const keys = Object.assign({}, ...by.map((word) => labels[word]?.(cell, groupId)));
      const row: { keys: object; cells: Cell[] } = rows.get(JSON.stringify(keys)) ?? { keys, cells: [] };
      row.cells.push(cell);
      rows.set(JSON.stringify(keys), row);
    }
  }
  return [...rows.values()].map(({ keys, cells: of }) => {
    const { zones_scheduled, zones_reached, ...others } = measure(of);
    // By zone they can only be 1.
    return { ...keys, ...others, ...(!by.includes("zone") && { zones_scheduled, zones_reached }) };
  });
}

function measure(of: readonly Cell[]): Record<string, number | null> {
  const inState = (...states: ComplianceState[]) => of.filter(({ state }) => states.includes(state));
  const sum = (list: readonly Cell[], value: (cell: Cell) => number) =>
    list.reduce((total, cell) => total + value(cell), 0);
  const ratio = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  const scheduled = of.filter(({ state }) => state !== "unscheduled");
  const measured = inState("compliant", "missed", "missed_offline");
  const known = scheduled.length - inState("pending", "closed").length;
  // Rules with times, on days that ran, or were missed though the device was up.
  const timed = inState("compliant", "missed").filter((cell) => cell.due !== null);
  const due = timed.length === 0 ? null : sum(timed, (cell) => cell.due ?? 0);
  const doubt = ratio(inState("not_measurable").length, known);
  return {
    scheduled_days: scheduled.length,
    compliant_days: inState("compliant").length,
    missed_days: inState("missed").length,
    missed_offline_days: inState("missed_offline").length,
    closed_days: inState("closed").length,
    not_measurable_days: inState("not_measurable").length,
    pending_days: inState("pending").length,
    unscheduled_days: inState("unscheduled").length,
    compliance: ratio(inState("compliant").length, measured.length),
    coverage: doubt === null ? null : 1 - doubt,
    asset_coverage: ratio(
      sum(measured, ({ played }) => played),
      sum(measured, ({ active }) => active),
    ),
    due_times: due,
    met_times: due === null ? null : sum(timed, ({ met }) => met ?? 0),
    punctuality:
      due === null
        ? null
        : ratio(
            sum(timed, ({ met }) => met ?? 0),
            due,
          ),
    candidate_plays: sum(of, ({ candidate }) => candidate),
    exclusive_plays: sum(of, ({ exclusive }) => exclusive),
    complete_plays: sum(of, ({ complete }) => complete),
    measured_plays: sum(of, (cell) => cell.measured),
    zones_scheduled: new Set(scheduled.map(({ zone }) => zone.zoneId)).size,
    zones_reached: new Set(inState("compliant").map(({ zone }) => zone.zoneId)).size,
  };
}

/** Compares rows with the list of cells; other measures have their own cases (`test/fixtures/models`). */
async function report(words: Omit<TypedOptions, "report">) {
  const result = await runReport(mart, parseReportOptions({ report: "compliance", ...words }), now);
  const rows = await rowsOf(result, { but: otherMeasures("compliance", Object.keys(measure([]))) });
  return { ...result, rows };
}

const sorted = (rows: readonly object[]) =>
  rows
    .map((row) =>
      JSON.stringify(row, (_key, value) => (typeof value === "number" ? Number(value.toFixed(9)) : value)),
    )
    .sort();

describe("figures", () => {
  it.each([
    [[]],
    ...Object.keys(labels).map((word) => [[word]]),
    [["campaign", "zone"]],
    [["group", "week"]],
    [["campaign", "zone", "date"]],
    [["location", "month"]],
    [["campaign", "zone", "group", "location", "date", "week", "month"]],
  ])("--by %j", async (by) => {
    expect(sorted((await report({ ...period, by })).rows)).toEqual(sorted(count(by)));
  });

  it.each<[string, Omit<TypedOptions, "report">, (cell: Cell, groupId: number | null) => boolean]>([
    ["--zone", { zone: ["11,13"] }, ({ zone }) => [11, 13].includes(zone.zoneId)],
    ["--location", { location: ["1"] }, ({ zone }) => zone.locationId === 1],
    ["--group", { group: ["2"] }, ({ zone }, groupId) => zone.groupIds.includes(2) && groupId !== 1],
    ["--kind", { kind: ["messaging"] }, ({ campaign }) => campaign.kind === "messaging"],
    ["--campaign", { campaign: ["5"] }, ({ campaign }) => campaign.campaignId === 5],
    [
      "--campaign and --kind",
      { campaign: ["5"], kind: ["signage"] },
      ({ campaign }) => campaign.campaignId === 5 && campaign.kind === "signage",
    ],
  ])("%s", async (_label, words, keep) => {
    for (const by of [["zone"], ["campaign"], ["group", "date"]]) {
      expect(sorted((await report({ ...period, ...words, by })).rows)).toEqual(sorted(count(by, keep)));
    }
  });

  it("a zone in two groups counts once in a total over groups", async () => {
    const { rows } = await report({ ...period, group: ["1", "2"] });
    expect(sorted(rows)).toEqual(sorted(count([], ({ zone }) => zone.groupIds.length > 0)));
  });

  it("--only shows complete rows that have these days", async () => {
    for (const states of [["missed"], ["missed", "closed"]] as ComplianceState[][]) {
      const { rows, filters } = await report({
        ...period,
        only: [states.join()],
        by: ["campaign", "zone", "date"],
      });
      expect(sorted(rows)).toEqual(
        sorted(count(["campaign", "zone", "date"], ({ state }) => states.includes(state))),
      );
      expect(filters).toEqual([`only with ${states.join(" or ")} days`]);
    }
    const { rows } = await report({ ...period, only: ["unscheduled"], by: ["zone", "week"] });
    expect(sorted(rows)).toEqual(
      sorted(count(["zone", "week"]).filter((row) => (row as Record<string, number>).unscheduled_days !== 0)),
    );
  });

  it.each<[string[], ComplianceState[], ComplianceState, string]>([
    [["campaign", "zone"], ["missed"], "missed_offline", "missed while the device was down"],
    [["zone", "date"], ["missed"], "missed_offline", "missed while the device was down"],
    [
      ["campaign", "zone", "date"],
      ["missed", "closed"],
      "missed_offline",
      "missed while the device was down",
    ],
    [["zone", "date"], ["missed_offline"], "missed", "missed for other reasons"],
  ])("--by %j --only %j notes missed days in hidden rows", async (by, states, other, words) => {
    const few = { ...period, from: "2026-11-15", by };
    const isFew = ({ date }: Cell) => date >= few.from;
    const hidden = (count(by, isFew) as Record<string, number>[])
      .filter((row) => states.every((state) => row[`${state}_days`] === 0))
      .reduce((total, row) => total + Number(row[`${other}_days`]), 0);
    const { notes } = await report({ ...few, only: [states.join()] });
    const both = [...states, other].join();
    expect(hidden).toBeGreaterThan(by.includes("date") ? 1 : -1);
    expect(notes.filter((note) => note.startsWith("--only"))).toEqual(
      hidden === 0
        ? []
        : [`--only ${states.join()} excludes ${hidden} zone days ${words}. Add ${other} to include them.`],
    );
    expect((await report({ ...few, only: [both] })).notes.join()).not.toContain("--only");
  });

  it("--only notes no days that its rows show or that other states cover", async () => {
    for (const words of [{ only: ["missed"] }, { by: ["date"], only: ["closed"] }, { by: ["date"] }])
      expect((await report({ ...period, ...words })).notes.join()).not.toContain("--only");
  });

  it("an empty total is a row of zeros without ratios, and no row with --by or --only", async () => {
    const nothing = { from: "2025-01-01", to: "2025-01-02" };
    const { rows } = await report(nothing);
    expect(rows).toMatchObject([
      { scheduled_days: 0, compliance: null, coverage: null, asset_coverage: null, zones_reached: 0 },
    ]);
    expect((await report({ ...nothing, by: ["zone"] })).rows).toEqual([]);
    expect((await report({ ...nothing, only: ["missed"] })).rows).toEqual([]);
  });
});

/** @param most why most days that were not due were not, and where */
function noteReasons(missed: readonly Cell[], most: string): string {
  const phrases: [ComplianceReason, (verb: string) => string][] = [
    ["device_down", () => "had the device down"],
    ["kind_silent", () => "had no plays of the kind in the zone"],
    ["not_due_while_open", (verb) => `${verb} not due while the zone was open (${most})`],
    ["other_content", () => "had other content playing"],
  ];
  const parts = phrases
    .map(([reason, phrase]) => {
      const days = missed.filter((cell) => reasonOf(cell) === reason).length;
      return { days, text: `${days} ${phrase(days === 1 ? "was" : "were")}` };
    })
    .filter(({ days }) => days > 0)
    .sort((a, b) => b.days - a.days)
    .map(({ text }) => text);
  return `Of ${missed.length} missed zone days, ${joinWords(parts, "and")}.`;
}

describe("heading", () => {
  it("notes which of the selected scheduled days are assumed, and since when campaigns are listed", async () => {
    const scheduled = cells.filter(
      (cell) => cell.state !== "unscheduled" && cell.date >= "2026-11-01" && cell.date <= "2026-11-09",
    );
    const countIn = (...zoneIds: number[]) =>
      scheduled.filter(({ zone }) => zoneIds.includes(zone.zoneId)).length;
    const days = { from: "2026-11-01", to: "2026-11-09" };
    const notesOf = async (zone: string) => (await report({ ...days, zone: [zone] })).notes;
    const unchecked = "Never collected completely: devices. `venue runs` lists what failed.";
    expect(await notesOf("12")).toEqual([
      "Campaigns were first listed on 10 November 2026; for earlier days, their schedule is taken from that listing.",
      noteReasons(
        scheduled.filter(({ zone, state }) => zone.zoneId === 12 && state.startsWith("missed")),
        "mostly signage 51 (signage) in Zone 12, open between 07:00 and 22:00",
      ),
      expect.stringMatching(
        /^1 zone has never played signage, with 4 of 4 missed signage days: 12 \(Zone 12\)/,
      ),
      expect.stringMatching(/^1 zone has never played messaging, with 3 of 3 missed messaging days/),
      unchecked,
    ]);
    expect((await notesOf("11,12"))[0]).toBe(
      `Campaigns were first listed from 1 October to 10 November 2026, depending on the zone; for earlier days (${countIn(12)} of ${countIn(11, 12)} scheduled zone days), their schedule is taken from the zone's first listing.`,
    );
    expect((await notesOf("14"))[0]).toBe(
      `The schedule of all ${countIn(14)} scheduled zone days is taken from the zones' groups, because these zones have no listing of their own.`,
    );
    expect((await notesOf("12,14")).slice(0, 2)).toEqual([
      `Campaigns were first listed on 10 November 2026; for earlier days (${countIn(12)} of ${countIn(12, 14)} scheduled zone days), their schedule is taken from that listing.`,
      `The schedule of ${countIn(14)} of ${countIn(12, 14)} scheduled zone days is taken from the zones' groups, because these zones have no listing of their own.`,
    ]);
    expect((await notesOf("11,13")).join()).not.toContain("listed");
  });

  it("names columns, period and filters", async () => {
    const {
      title,
      columns,
      filters,
      period: shown,
    } = await report({ by: ["zone", "campaign"], campaign: ["5"], zone: ["11"] });
    expect({ title, filters, period: shown }).toEqual({
      title: "Compliance by campaign, zone",
      filters: ["zone 11 (Zone 11)", "campaign signage 5 (signage 5) and messaging 5 (messaging 5)"],
      // Messaging campaigns were last listed on 19 November, before that day began in zone 13.
      period: { from: "2026-10-22", to: "2026-11-18" },
    });
    const promised =
      "kind,campaign_key,campaign_id,campaign_name,zone_id,zone_name,scheduled_days,compliant_days,missed_days," +
      "missed_offline_days,closed_days,not_measurable_days,pending_days,unscheduled_days,compliance,coverage," +
      "asset_coverage,due_times,met_times,punctuality,candidate_plays,exclusive_plays,complete_plays,measured_plays";
    const names = columns.map(({ name }) => name);
    expect(names.slice(0, 7)).toEqual(promised.split(",").slice(0, 7));
    expect(names.filter((name) => promised.split(",").includes(name)).join()).toBe(promised);
    expect(names).not.toContain("assumed_days");
  });

  it("counts zones if there can be several", async () => {
    const lastTwo = async (words: Partial<TypedOptions>) =>
      (await report({ by: ["date"], ...words })).columns.slice(-2).map(({ name }) => name);
    expect(await lastTwo({ zone: ["11,12"] })).toEqual(["zones_scheduled", "zones_reached"]);
    expect(await lastTwo({ zone: ["Zone 11"] })).toEqual(["complete_plays", "measured_plays"]);
    // Sorted by a hidden column: in the report's own order.
    const sorted = { sort: "-zones_reached_then", compare: "before", zone: ["11"] };
    expect((await report({ by: ["date"], ...sorted })).rows.length).toBeGreaterThan(0);
  });

  it.each<[kind: string[], group: string[], asOf: string]>([
    [[], [], "2026-11-19T04:00:00Z"],
    [["signage"], [], "2026-11-20T05:00:00Z"],
    [["messaging"], [], "2026-11-19T04:00:00Z"],
    [["messaging"], ["2"], "2026-11-20T04:00:00Z"],
    [["signage"], ["2"], "2026-11-20T06:00:00Z"],
  ])(
    "data as of the oldest history and listing of campaigns: kind %j, group %j",
    async (kind, group, asOf) => {
      expect((await report({ ...period, kind, group })).dataAsOf).toBe(asOf);
    },
  );
});

describe("--fail-under", () => {
  async function watch(
    words: Omit<TypedOptions, "report">,
    failUnder: number,
  ): Promise<ThresholdResult | undefined> {
    let result: ThresholdResult | undefined;
    const report = await runReport(
      mart,
      parseReportOptions({ report: "compliance", ...period, ...words }),
      now,
    );
    const watched = checkThreshold(report, "compliance", failUnder, (found) => {
      result = found;
    });
    for await (const _row of watched.rows) expect(result).toBeUndefined();
    return result;
  }

  it("tests every shown row; a row without a value fails", async () => {
    for (const failUnder of [0, 0.3, 1]) {
      const rows = count(["zone", "date"]) as { compliance: number | null }[];
      expect(await watch({ by: ["zone", "date"] }, failUnder)).toEqual({
        rows: rows.length,
        below: rows.filter(({ compliance }) => compliance === null || compliance < failUnder).length,
      });
    }
  });
});
