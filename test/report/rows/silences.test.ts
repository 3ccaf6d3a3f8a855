import { expect, it, onTestFinished } from "vitest";
import { describePage } from "../../../src/report/html/describe-page.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { listDaysBetween } from "../../../src/util/local-date.ts";
import { itInAll } from "../../support/long-suite.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { publishDeviceCase } from "../publish-device-case.ts";
import { rowsOf } from "../report-rows.ts";

async function silencesOf(mart: PublishedMart, words: Omit<TypedOptions, "report">, now: Date) {
  const report = await runReport(mart, parseReportOptions({ report: "silences", ...words }), now);
  return { ...report, rows: await rowsOf(report) };
}

const monday = new Date("2026-03-16T06:00:00Z");

it.each([
  [{ from: "2026-03-13", to: "2026-03-14" }, [840, 840, 480, 660]],
  [{ from: "2026-03-14", to: "2026-03-14" }, [540, 540, 180]],
  [{ from: "2026-03-14", to: "2026-03-14", zone: ["15"], top: "1" }, [180]],
])("have their true start and end, and the silence within %j", async (words, seconds) => {
  const mart = await publishDeviceCase("silent-over-midnight", monday);
  const { rows } = await silencesOf(mart, words, monday);
  const measured = rows.filter((row) => Number(row.silent_seconds) > 0);
  expect(measured.map((row) => row.silent_seconds).sort()).toEqual([...seconds].sort());
  const spans = new Map([
    [11, ["2026-03-13T23:55:00Z", "2026-03-14T00:09:00Z", false]],
    [12, ["2026-03-13T23:55:00Z", "2026-03-14T00:09:00Z", false]],
    [15, ["2026-03-13T23:55:00Z", "2026-03-14T00:09:00Z", false]],
    [14, ["2026-03-13T15:55:00Z", "2026-03-13T16:06:00Z", false]],
  ]);
  for (const row of measured)
    expect([row.started_at, row.ended_at, row.is_open]).toEqual(spans.get(Number(row.zone_id)));
});

itInAll("is ongoing at the end of the known history, and the page says so", async () => {
  const mart = await publishDeviceCase("history-comes-later", monday);
  const report = await silencesOf(mart, { from: "2026-03-10", to: "2026-03-10" }, monday);
  expect(report.rows).toMatchObject([
    {
      started_at: "2026-03-10T00:00:00Z",
      ended_at: "2026-03-10T02:00:00Z",
      silent_seconds: 7200,
      is_open: false,
    },
    { started_at: "2026-03-10T03:00:00Z", ended_at: null, silent_seconds: 10_800, is_open: true },
  ]);
  const page = await describePage(report);
  expect(page?.headline.replaceAll("\u00a0", " ")).toMatch(
    /^2 silences in 1 zone .+, 5 h 0 min in total; 1 is ongoing\.$/,
  );
  const none = await silencesOf(mart, { from: "2026-03-09", to: "2026-03-09" }, monday);
  expect(none.rows).toEqual([]);
});

/** Parts as in `fact_quiet`, in minutes after the start of the first day. */
const first = "2026-10-20";
const days = listDaysBetween(first, "2026-11-20");
const draw = randomNumbers(7);
const parts = Array.from({ length: 10 }, (_, zone) =>
  days.flatMap((_day, day) => {
    const cuts = [0, draw(600), 600 + draw(400), 1000 + draw(440), 1440];
    return cuts.slice(1).flatMap((to, index) => {
      const from = cuts[index] ?? 0;
      return draw(2) === 0 && to > from ? [{ zone, day, from: day * 1440 + from, to: day * 1440 + to }] : [];
    });
  }),
).flat();
const instantOf = (minute: number) =>
  new Date(Date.parse(`${first}T00:00:00Z`) + minute * 60_000).toISOString().replace(".000", "");

it("joins the parts of days and openings", async () => {
  const folder = createTempFolder();
  const zones = [...new Set(parts.map(({ zone }) => zone))];
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: "2026-11-21T04:10:00.000Z",
    rows: {
      dim_zone: zones.map((id) => ({ zone_id: id, zone_name: `Zone ${id}` })),
      fact_quiet: parts.map(({ zone, day, from, to }) => ({
        ...{ zone_id: zone, date: days[day] ?? "", from_at: instantOf(from) },
        ...{
          quiet_seconds: (to - from) * 60,
          silent_seconds: (to - from) * 20,
          quiet_down_seconds: to - from,
        },
      })),
    },
  });
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  const [since, until] = [4 * 1440, 12 * 1440];
  const expected = zones.flatMap((zone) => {
    const silent = new Set(
      parts
        .filter((part) => part.zone === zone)
        .flatMap(({ from, to }) => Array.from({ length: to - from }, (_, minute) => from + minute)),
    );
    const starts = [...silent].filter((minute) => !silent.has(minute - 1));
    return starts.flatMap((from) => {
      let to = from;
      while (silent.has(to)) to += 1;
      if (from >= until || to <= since) return [];
      const seconds = (Math.min(to, until) - Math.max(from, since)) * 60;
      return [JSON.stringify([zone, instantOf(from), instantOf(to), seconds, (seconds / 60) * 39])];
    });
  });
  const { rows } = await silencesOf(mart, { from: days[4] ?? "", to: days[11] ?? "" }, monday);
  expect(
    rows
      .map((row) =>
        JSON.stringify([
          row.zone_id,
          row.started_at,
          row.ended_at,
          row.quiet_seconds,
          row.quiet_unknown_seconds,
        ]),
      )
      .sort(),
  ).toEqual(expected.sort());
  expect(expected.length).toBeGreaterThan(50);
});
