import { expect, it, onTestFinished } from "vitest";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { addDays, countDaysBetween } from "../../../src/util/local-date.ts";
import { shareFolder } from "../../support/shared-folder.ts";
import {
  advertiserOf,
  type Cell,
  coming,
  coveredOf,
  endOf,
  groupsOf,
  impressionsOf,
  knownTo,
  type Line,
  lines,
  past,
  publishBookedWorld,
  regionOf,
  today,
  zoneIds,
} from "../booked-world.ts";
import { groupBy } from "../drawn-world.ts";
import { rowsOf } from "../report-rows.ts";

const now = new Date("2026-11-21T06:00:00Z");

async function report(words: Partial<TypedOptions>) {
  const mart = await openPublished(await shareFolder("booked world", publishBookedWorld), { threads: 1 });
  onTestFinished(() => mart.close());
  return await runReport(mart, parseReportOptions({ report: "delivery", ...words }), now);
}

const isSettled = ({ state }: Cell) => !["coming", "pending", "not_measurable"].includes(state);
const playsOf = (cells: readonly Cell[]) => cells.reduce((sum, { twelfths }) => sum + twelfths, 0) / 12;
const statusOf = ({ from, to }: Line) => (from > today ? "upcoming" : to < today ? "ended" : "running");
const isBooked = ({ plays, perDay }: Line) => plays !== null || perDay !== null;
const daysFrom = (from: string, to: string) => Math.max(0, countDaysBetween(from, to) + 1);

function cellsOf({ campaign, from, to }: Line): Cell[] {
  return [...past, ...coming].filter(
    (cell) =>
      cell.campaign === campaign && from <= cell.date && cell.date <= to && cell.state !== "unscheduled",
  );
}

/** Scheduled zone days up to the line's end, extrapolated after the last known day; undefined without an end. */
function countAll(line: Line, cells: readonly Cell[]): number | undefined {
  const [end = line.to] = [line.to, endOf[line.campaign] ?? "9999"].sort();
  if (end === "2099-12-31") return undefined;
  const begin = line.from > today ? line.from : addDays(today, 1);
  const factor = end > knownTo ? daysFrom(begin, end) / daysFrom(begin, knownTo) : 1;
  const isComing = ({ state }: Cell) => state === "coming";
  return cells.filter((cell) => !isComing(cell)).length + factor * cells.filter(isComing).length;
}

interface Part {
  line: Line;
  cells: readonly Cell[];
}

const toHundredths = (value: number) => Math.round(value * 100) / 100;

/** One line in one row. */
function countPart({ line, cells }: Part) {
  const settled = cells.filter(isSettled);
  const all = countAll(line, cells);
  const inAllZones = countAll(line, cellsOf(line));
  const perDay = line.plays === null ? line.perDay : line.plays / (inAllZones || Number.NaN);
  const isNever = line.plays !== null && inAllZones === 0;
  const settledShare =
    daysFrom(line.from, line.to < "2026-11-17" ? line.to : "2026-11-17") / daysFrom(line.from, line.to);
  const delivered = playsOf(settled);
  const dates = [...groupBy(settled, ({ date }) => date).values()].map(
    (of) => Math.round((playsOf(of) / of.length) * 1000) / 1000,
  );
  const mean = dates.reduce((sum, rate) => sum + rate, 0) / dates.length;
  const variance =
    dates.length < 2 ? 0 : dates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / (dates.length - 1);
  const rest = all === undefined ? undefined : all - settled.length;
  const isOver = rest === 0 && settled.length > 0;
  const isProjected = rest !== undefined && (isOver || dates.length >= 7);
  return {
    booked: isNever ? (line.plays ?? 0) : all === undefined ? undefined : toHundredths(all * (perDay ?? 0)),
    expected: toHundredths(isNever ? (line.plays ?? 0) * settledShare : settled.length * (perDay ?? 0)),
    delivered,
    pending: playsOf(cells.filter(({ state }) => state === "pending")),
    projected: isProjected ? delivered + (isOver ? 0 : (delivered / settled.length) * rest) : undefined,
    squareError: isProjected ? (variance * rest * (rest + settled.length)) / (dates.length || 1) : undefined,
    settled: settled.length,
    all,
    bookedImpressions:
      line.impressions === null
        ? undefined
        : toHundredths(
            inAllZones === 0 ? line.impressions : (line.impressions / (inAllZones ?? 0)) * (all ?? 0),
          ),
    covered: settled.reduce((total, cell) => total + coveredOf(cell), 0) / 12,
    impressions: settled.reduce((total, cell) => total + impressionsOf(cell), 0),
  };
}

/** Sums numbers; null if one is missing. */
function sum(values: readonly (number | undefined)[]): number | null {
  return values.some((value) => value === undefined)
    ? null
    : values.reduce<number>((total, value) => total + (value ?? 0), 0);
}
const same = (values: readonly (number | string | null)[]) =>
  new Set(values).size === 1 ? (values[0] ?? null) : null;
const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 5));
const over = (part: number, whole: number) => (whole === 0 ? null : part / whole);

function countRow(parts: readonly Part[]) {
  const all = parts.map(countPart);
  const booked = all.filter((_, index) => isBooked(parts[index]?.line as Line));
  const has = booked.length > 0;
  const of = (name: "booked" | "expected" | "delivered" | "pending" | "projected" | "squareError") =>
    has ? sum(booked.map((part) => part[name])) : null;
  const [expected, delivered, pending] = [of("expected") ?? 0, of("delivered") ?? 0, of("pending") ?? 0];
  const cells = parts.flatMap((part) => part.cells);
  const inState = (...states: string[]) => cells.filter(({ state }) => states.includes(state)).length;
  const compliance = over(inState("compliant"), inState("compliant", "missed", "missed_offline"));
  const target = same(parts.map(({ line }) => line.compliance)) as number | null;
  const projected = of("projected");
  const errors = 2 * Math.sqrt(of("squareError") ?? 0);
  const bounded = (value: number) => Math.round(Math.max(value, delivered + pending));
  const settledBooked = booked.reduce((total, { settled }) => total + settled, 0);
  return {
    status: same(parts.map(({ line }) => statusOf(line))),
    booked: near(of("booked")),
    expected: near(of("expected")),
    delivered: near(of("delivered")),
    delivered_share: has ? near(over(delivered, expected)) : null,
    difference: has ? near(delivered - expected) : null,
    difference_share: has ? near(over(delivered - expected, expected)) : null,
    pending_plays: near(of("pending")),
    projected: projected === null ? null : bounded(projected),
    projected_low: projected === null ? null : bounded(projected - errors),
    projected_high: projected === null ? null : bounded(projected + errors),
    plays_per_zone_day: same(parts.map(({ line }) => line.perDay)),
    delivered_per_zone_day: has && settledBooked > 0 ? near(toHundredths(delivered / settledBooked)) : null,
    compliance: near(compliance),
    compliance_target: target,
    compliance_difference: compliance === null || target === null ? null : near(compliance - target),
    scheduled_days: ((days) => (days === null ? null : Math.round(days)))(sum(all.map((part) => part.all))),
    settled_days: all.reduce((total, { settled }) => total + settled, 0),
    ...countImpressions(all.filter(({ bookedImpressions }) => bookedImpressions !== undefined)),
  };
}

function countImpressions(booked: readonly ReturnType<typeof countPart>[]) {
  const covered = booked.reduce((total, part) => total + part.covered, 0);
  const impressions = booked.reduce((total, part) => total + part.impressions, 0);
  const delivered = booked.reduce((total, part) => total + part.delivered, 0);
  return {
    booked_impressions: booked.length === 0 ? null : near(sum(booked.map((part) => part.bookedImpressions))),
    delivered_impressions: covered === 0 ? null : expect.closeTo(impressions, 2),
    impression_coverage: near(over(covered, delivered)),
  };
}

/** Groups lines and zones into rows by a key, for the requested zones. */
function countRows(
  keysOf: (line: Line, zone: number) => readonly string[],
  {
    isAsked = () => true,
    zones = zoneIds,
    isOfPlaces = false,
  }: {
    isAsked?: (line: Line) => boolean;
    zones?: readonly number[];
    isOfPlaces?: boolean;
  } = {},
): Map<string, ReturnType<typeof countRow>> {
  const parts = new Map<string, Map<Line, Cell[]>>();
  const add = (key: string, line: Line, cells: readonly Cell[]) => {
    const known = parts.get(key) ?? new Map<Line, Cell[]>();
    parts.set(key, known.set(line, [...(known.get(line) ?? []), ...cells]));
  };
  for (const line of lines.filter(isAsked)) {
    const cells = cellsOf(line);
    for (const cell of cells.filter(({ zone }) => zones.includes(zone)))
      for (const key of keysOf(line, cell.zone)) add(key, line, [cell]);
    if (cells.length === 0 && !isOfPlaces) for (const key of keysOf(line, 0)) add(key, line, []);
  }
  return new Map(
    [...parts].map(([key, of]) => [key, countRow([...of].map(([line, cells]) => ({ line, cells })))]),
  );
}

const lineKey = ({ campaign, from }: Line) => `${campaign} ${from === "1900-01-01" ? null : from}`;

it.each<
  [
    words: Partial<TypedOptions>,
    keysOf: (line: Line, zone: number) => readonly string[],
    columns: readonly string[],
    options?: Parameters<typeof countRows>[1],
  ]
>([
  [{}, (line) => [lineKey(line)], ["campaign_key", "valid_from"]],
  [
    { by: ["campaign,zone"] },
    (line, zone) => [`${lineKey(line)} ${zone}`],
    ["campaign_key", "valid_from", "zone_id"],
    { isOfPlaces: true },
  ],
  [{ by: ["zone"] }, (_, zone) => [String(zone)], ["zone_id"], { isOfPlaces: true }],
  [{ by: ["group"] }, (_, zone) => groupsOf(zone).map(String), ["group_id"], { isOfPlaces: true }],
  [{ by: ["advertiser"] }, ({ campaign }) => [advertiserOf(campaign)], ["advertiser"]],
  [
    { by: ["region,advertiser"] },
    ({ campaign }, zone) => [`${regionOf(zone)} ${advertiserOf(campaign)}`],
    ["region", "advertiser"],
    { isOfPlaces: true },
  ],
  [
    { only: ["running"], where: ["advertiser=Acme"], zone: ["1,4,7"] },
    (line) => [lineKey(line)],
    ["campaign_key", "valid_from"],
    {
      isAsked: (line) => statusOf(line) === "running" && advertiserOf(line.campaign) === "Acme",
      zones: [1, 4, 7],
      isOfPlaces: true,
    },
  ],
  [
    { kind: ["messaging"], campaign: ["4", "5"] },
    (line) => [lineKey(line)],
    ["campaign_key", "valid_from"],
    { isAsked: ({ campaign }) => [18, 22].includes(campaign) },
  ],
])("delivery %j equals an independent count", async (words, keysOf, columns, options) => {
  const expected = countRows(keysOf, options);
  const rows = await rowsOf(await report(words));
  const found = rows.map((row) => [columns.map((name) => String(row[name])).join(" "), row] as const);
  expect(found.map(([key]) => key).sort()).toEqual([...expected.keys()].sort());
  expect(expected.size).toBeGreaterThan(1);
  for (const [key, row] of found) expect({ key, ...row }).toMatchObject({ key, ...expected.get(key) });
});

it("names campaigns that were never listed, and counts lines that begin before the data", async () => {
  const { notes } = await report({});
  expect(notes).toEqual([
    "1 campaign of reference/campaign_targets.csv was never listed, and has no row: signage 7.",
    "1 line begins before 1 October 2026, the first day with data. Its bookings are spread over the days since.",
    expect.stringMatching(
      /^Impressions = plays × people near .* Source in reference\/footfall\.csv: door counter\.$/,
    ),
    expect.stringMatching(/^Never collected completely: /),
  ]);
});
