import { expect, it, onTestFinished } from "vitest";
import { describePage } from "../../../src/report/html/describe-page.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { addDays } from "../../../src/util/local-date.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { count, distinct, filters, now, openDrawnWorld } from "../drawn-reports.ts";
import { cells, period, plays, uptime } from "../drawn-world.ts";
import { rowsOf } from "../report-rows.ts";

const { reported, getMart } = openDrawnWorld();

const facts = [
  ...plays.map(({ zone, date }) => ({ zone, date, plays: 1 })),
  ...cells.map(({ zone, date, state }) => ({ zone, date, state })),
  ...uptime,
] as const;
type Fact = {
  zone: number;
  date: string;
  plays?: number;
  state?: string;
  up?: number;
  down?: number;
  quiet?: number;
};

function sumUp(of: readonly Fact[]) {
  const sum = (value: (fact: Fact) => number | undefined) =>
    of.reduce((total, fact) => total + (value(fact) ?? 0), 0);
  const days = (...states: string[]) => of.filter(({ state = "" }) => states.includes(state)).length;
  const ratio = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  const [up, down, quiet] = [sum((one) => one.up), sum((one) => one.down), sum((one) => one.quiet)];
  const counted = days("compliant", "missed", "missed_offline");
  const figures = {
    plays: sum((one) => one.plays),
    compliance: ratio(days("compliant"), counted),
    availability: ratio(up, up + down),
    quiet_share: ratio(quiet, up),
  };
  const losses = [1 - (figures.compliance ?? 1), 1 - (figures.availability ?? 1), figures.quiet_share ?? 0];
  const known = counted > 0 || up > 0;
  const status = losses.some((loss) => loss > 0.05)
    ? "bad"
    : losses.some((loss) => loss > 0)
      ? "needs attention"
      : known
        ? "good"
        : "not known yet";
  return { status, ...figures };
}

it.each([
  { by: ["location"], where: {} },
  { by: ["zone", "date"], where: {} },
  { by: ["region", "week"], where: filters[1] ?? {} },
  { by: ["brand", "city", "weekday"], where: {} },
  { by: [], where: filters[4] ?? {} },
])(
  "stores by $by where $where equal counts of plays, campaign days and device time",
  async ({ by, where }) => {
    const columns = ["status", "plays", "compliance", "availability", "quiet_share"];
    const expected = count<Fact>(facts, { by, where }, sumUp);
    expect(await reported("stores", { by, where }, columns)).toEqual(expected);
    const statuses = new Set(expected.flatMap((row) => row.match(/bad|needs attention|good/g) ?? []));
    if (by.length === 2 && by.includes("date"))
      expect(statuses).toEqual(new Set(["bad", "needs attention", "good"]));
  },
);

it.each([
  { by: ["zone"], where: {} },
  { by: ["region", "month"], where: {} },
  { by: ["city"], where: filters[2] ?? {} },
])("silences by $by where $where equal sums over zone days", async ({ by, where }) => {
  const expected = count<(typeof uptime)[number]>(uptime, { by, where }, (of) => {
    const days = of.filter((day) => day.quiet > 0);
    const sum = (value: (day: (typeof uptime)[number]) => number) =>
      of.reduce((total, day) => total + value(day), 0);
    const [quiet, open] = [sum((day) => day.quiet), sum(({ up }) => up)];
    const [silent, down] = [sum((day) => Math.floor(day.quiet / 2)), sum((day) => Math.floor(day.quiet / 3))];
    return {
      quiet_seconds: quiet,
      open_seconds: open,
      quiet_share: quiet / open,
      silent_seconds: silent,
      quiet_down_seconds: down,
      quiet_unknown_seconds: quiet - silent - down,
      quiet_days: days.length,
      ...(by.includes("zone") ? {} : { quiet_zones: distinct(days, ({ zone }) => zone) }),
    };
  });
  const columns = [
    ...["quiet_seconds", "open_seconds", "quiet_share", "silent_seconds", "quiet_down_seconds"],
    ...["quiet_unknown_seconds", "quiet_days", "quiet_zones"],
  ];
  expect(await reported("silences", { by, where }, columns)).toEqual(expected);
});

it("pages of stores and silences sum up all rows, whichever are shown", async () => {
  const headlineOf = async (words: TypedOptions) => {
    const report = await runReport(getMart(), parseReportOptions({ ...period, ...words }), now);
    const page = await describePage(report);
    return [page?.headline.replaceAll("\u00a0", " "), report.notes[0]];
  };
  const [stores, note] = await headlineOf({ report: "stores", by: ["zone", "date"] });
  const statuses = count<Fact>(facts, { by: ["zone", "date"], where: {} }, sumUp).join();
  const countOf = (status: string) =>
    (statuses.split(`"status":"${status}"`).length - 1).toLocaleString("en");
  expect(stores).toBe(
    `Of 1,120 rows from 15 September to 12 October 2026, ${countOf("bad")} are bad and ${countOf("needs attention")} need attention.`,
  );
  expect(note).toMatch(/^Status: bad if over 5 % /);
  const silent = new Set(uptime.filter((day) => day.quiet > 0).map(({ zone }) => zone)).size;
  const [silences] = await headlineOf({ report: "silences", by: ["zone"], top: "3" });
  expect(silences).toMatch(
    new RegExp(
      `^${silent} zones were quiet while open from 15 September to 12 October 2026.*, for \\d+ h \\d+ min in total\\.$`,
    ),
  );
});

it("a store with exactly 5 % lost is not bad", async () => {
  const day = (index: number) => addDays("2026-10-01", index);
  const folder = createTempFolder();
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: "2026-11-21T04:10:00Z",
    rows: {
      dim_zone: [{ zone_id: 1, zone_name: "Bar", first_play_date: day(0), last_play_date: day(19) }],
      fact_campaign_zone_day: Array.from({ length: 20 }, (_, index) => ({
        ...{ campaign_key: 5, kind: "signage", zone_id: 1, date: day(index) },
        state: index === 0 ? "missed" : "compliant",
      })),
    },
  });
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  const options = parseReportOptions({ report: "stores", by: ["zone"], from: day(0), to: day(19) });
  expect(await rowsOf(await runReport(mart, options, now))).toMatchObject([
    { status: "needs attention", compliance: 0.95 },
  ]);
});
