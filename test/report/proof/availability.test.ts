import { readXlsx } from "hucre/xlsx";
import { expect, it, onTestFinished } from "vitest";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import {
  buildProof,
  parseProofOptions,
  type TypedProofOptions,
} from "../../../src/report/proof/build-proof.ts";
import { checkProof } from "../../../src/report/proof/check-proof.ts";
import { compareProof } from "../../../src/report/proof/compare-proof.ts";
import { describeProof } from "../../../src/report/proof/describe-proof.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { formatPercent } from "../../../src/report/text/cell-text.ts";
import { addDays, listDaysBetween } from "../../../src/util/local-date.ts";
import { type PublishedFixture, publishFixture } from "../../support/published-fixture.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { rowsOf } from "../report-rows.ts";
import { format, publicKey } from "./proof-world.ts";

const now = new Date("2026-11-21T06:00:00Z");
const period = { from: "2026-09-21", to: "2026-11-20" };
/** Zone 1 moves from the North to the South in the middle of October; zone 4 has no check. */
const regions = [
  { zone: 1, value: "North", from: "1900-01-01", to: "2026-10-15" },
  { zone: 1, value: "South", from: "2026-10-16", to: "2099-12-31" },
  { zone: 2, value: "North", from: "1900-01-01", to: "2099-12-31" },
  { zone: 3, value: "South", from: "1900-01-01", to: "2099-12-31" },
  { zone: 4, value: "North", from: "1900-01-01", to: "2099-12-31" },
];

const draw = randomNumbers(5);
const days = [1, 2, 3].flatMap((zone) =>
  listDaysBetween("2026-10-03", "2026-11-20").map((date) => {
    const [down, unknown] = [draw(4) * 900, draw(3) * 600];
    const openDown = draw(down + 1);
    const up = 86_400 - down - unknown;
    return { zone, date, up, down, unknown, planned: draw(down + 1), openUp: Math.floor(up / 2), openDown };
  }),
);
type Day = (typeof days)[number];

const outages = [
  { device: 10, zone: 1, began: "2026-10-10 08:00:00.25", ended: "2026-10-10 10:00:00", isOpen: false },
  { device: 20, zone: 2, began: "2026-11-20 22:00:00", ended: null, isOpen: true },
];

const fixture: PublishedFixture = {
  version: "v000001",
  dataAsOf: "2026-11-21T04:10:00.000Z",
  rows: {
    dim_group: [{ group_id: 1, group_name: "One" }],
    fact_snapshot: [
      { source: "devices", group_id: 1, requested_at: "2026-11-21 04:10:00", devices: 3 },
      { source: "notices", requested_at: "2026-11-21 04:10:00" },
    ],
    dim_zone: [1, 2, 3, 4].map((id) => ({ zone_id: id, zone_name: `Zone <${id}>`, location_id: 50 + id })),
    dim_location: [1, 2, 3, 4].map((id) => ({
      location_id: 50 + id,
      location_name: `Place ${id}`,
      city: "Ulm",
    })),
    bridge_group_zone: [1, 2, 3, 4].map((id) => ({ group_id: 1, zone_id: id })),
    bridge_zone_attribute: regions.map(({ zone, value, from, to }) => ({
      ...{ zone_id: zone, attribute_name: "region", attribute_value: value, valid_from: from, valid_to: to },
    })),
    dim_device: [1, 2, 3].map((id) => ({ device_id: 10 * id, zone_id: id })),
    fact_device_day: days.map((day) => ({ device_id: 10 * day.zone, ...toRow(day) })),
    fact_zone_uptime: days.map((day) => ({
      ...toRow(day),
      start_at: `${day.date} 00:00:00`,
      end_at: `${addDays(day.date, 1)} 00:00:00`,
    })),
    fact_outage: outages.map(({ device, zone, began, ended, isOpen }) => ({
      ...{ outage_key: `${device}`, device_id: device, zone_id: zone, date: began.slice(0, 10) },
      ...{ started_at: began, ended_at: ended, down_seconds: 7199, is_open: isOpen },
    })),
  },
};

function toRow({ zone, date, up, down, unknown, planned, openUp, openDown }: Day) {
  return {
    ...{ zone_id: zone, date, up_seconds: up, down_seconds: down, unknown_seconds: unknown },
    ...{ open_up_seconds: openUp, open_down_seconds: openDown, planned_down_seconds: planned },
    ...{ silent_seconds: 0, playing_while_down_seconds: 0, outages: 0 },
  };
}

/** Counts a measure over days, without SQL. */
const measures: Readonly<Record<string, (up: Record<string, number>) => number>> = {
  availability: ({ up = 0, down = 0 }) => up / (up + down),
  open_availability: ({ openUp = 0, openDown = 0 }) => openUp / (openUp + openDown),
  availability_without_planned: ({ up = 0, down = 0, planned = 0 }) => up / (up + down - planned),
};
function count(measure: string, some: readonly Day[]): string {
  if (some.length === 0) return "–";
  const sums: Record<string, number> = {};
  for (const { zone: _zone, date: _date, ...seconds } of some)
    for (const [name, value] of Object.entries(seconds)) sums[name] = (sums[name] ?? 0) + value;
  return formatDown(measures[measure]?.(sums) ?? Number.NaN);
}
/** A missed value never looks met. */
const formatDown = (share: number) => formatPercent(Math.floor(share * 1e5) / 1e5, 3);

async function open(rows = fixture.rows) {
  const folder = createTempFolder();
  await publishFixture(folder, { ...fixture, rows });
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  const prove = (words: TypedProofOptions) =>
    buildProof(mart, parseProofOptions({ uptime: true, ...period, ...words }), {}, now);
  return { mart, prove };
}

const regionOf = ({ zone, date }: Day) =>
  regions.find((one) => one.zone === zone && one.from <= date && date <= one.to)?.value;
const chosen: [words: TypedProofOptions, isOf: (day: Day) => boolean, zones: number[]][] = [
  [{}, () => true, [1, 2, 3, 4]],
  [{ where: ["region=North"] }, (day) => regionOf(day) === "North", [1, 2, 4]],
  [{ location: ["52"] }, ({ zone }) => zone === 2, [2]],
  [{ zone: ["4"] }, () => false, [4]],
  [{ group: ["One"] }, () => true, [1, 2, 3, 4]],
];
it.each(chosen.flatMap((one) => Object.keys(measures).map((measure) => [measure, ...one] as const)))(
  "%s of %j equals an independent count",
  async (measure, words, isOf, zones) => {
    const { mart, prove } = await open();
    const all = days.filter(isOf);
    const { facts, claim, sections } = await describeProof(
      await prove({ ...words, measure, agreed: "98.5%" }),
    );
    const tableOf = (title: string) => sections.find((section) => section.title === title)?.rows ?? [];
    const ofMonth = (month: string) =>
      count(
        measure,
        all.filter(({ date }) => date.startsWith(month)),
      );
    const months = ["2026-09", "2026-10", "2026-11"].map((month) => {
      const share = ofMonth(month);
      const result = share === "–" ? "–" : Number.parseFloat(share) >= 98.5 ? "met" : "not met";
      return [month, ["98.5 %", result], share];
    });
    expect(tableOf("Months").map(([month, agreed, share]) => [[month].flat()[0], agreed, share])).toEqual(
      months,
    );
    const ofZone = (zone: number) =>
      count(
        measure,
        all.filter((day) => day.zone === zone),
      );
    expect(tableOf("Zones").map(([zone, share]) => [zone, share])).toEqual(
      zones.map((zone) => [`Zone <${zone}> (${zone})`, ofZone(zone)]),
    );
    const results = months.map(([, agreed]) => agreed?.[1]);
    const met = results.filter((result) => result === "met").length;
    const judged = results.filter((result) => result !== "–").length;
    expect(facts.slice(0, 3).map(({ value }) => value)).toEqual([
      "98.5 %",
      `${met} of ${judged}`,
      count(measure, all),
    ]);
    expect(claim).toContain(all.length === 0 ? ": not measured;" : `: ${count(measure, all)};`);
    expect(claim).toContain("the data is complete only from 3 October to 20 November 2026");

    // The same figures as in the report.
    const options = parseReportOptions({ report: "uptime", by: ["month"], ...period, ...words });
    const report = await rowsOf(await runReport(mart, options, now));
    const shares = report.map((row) => formatDown(Number(row[measure])));
    expect(months.flatMap(([, , share]) => (share === "–" ? [] : [share]))).toEqual(shares);
  },
);

it("states what was achieved without an agreed value", async () => {
  const { prove } = await open();
  const { claim, facts, sections } = await describeProof(await prove({ zone: ["1"] }));
  expect(claim).toContain("Availability of zone 1 (Zone <1>) from 21 September to 20 November 2026: 9");
  expect(claim).toContain("; no value was agreed;");
  expect(facts.slice(0, 2).map(({ value }) => value)).toEqual(["–", "0 of 0"]);
  expect(sections[0]?.rows.map(([, agreed]) => agreed)).toEqual(Array(3).fill(["–", "–"]));
  expect(sections.at(-1)?.rows).toEqual([
    [
      "Zone <1>",
      "10",
      "2026-10-10 08:00:00 UTC",
      "2026-10-10 10:00:00 UTC",
      expect.stringContaining("1"),
      "no",
      "–",
    ],
  ]);
});

it.each(["proof.html", "proof.xlsx"] as const)(
  "%s is signed, and compared with today's data",
  async (file) => {
    const { mart, prove } = await open();
    const document = await prove({ where: ["region=North"], agreed: "0.985" });
    const bytes = await format(file, document);
    if (file === "proof.xlsx") {
      const { sheets } = await readXlsx(bytes);
      expect(sheets.map(({ name }) => name)).toEqual([
        ...["Proof", "Months", "Zones", "Outages"],
        ...["rows total", "rows months", "rows zones", "rows measured", "rows outages"],
      ]);
    } else expect(bytes.toString()).not.toContain("<2>");
    const { finding, frame } = checkProof(bytes, publicKey);
    expect(finding).toBe("signed");
    if (!frame) throw new Error("it is not signed");
    const rows = Object.values(document.rows).flat().length;
    expect(await compareProof(mart, bytes, frame)).toEqual({ rows, differences: [] });

    const { rows: before } = fixture;
    const later = await open({
      ...before,
      dim_zone: before.dim_zone?.map((row) => ({ ...row, zone_name: "New" })) ?? [],
      fact_zone_uptime:
        before.fact_zone_uptime?.map((row) =>
          row.zone_id === 2 ? { ...row, planned_down_seconds: 0 } : row,
        ) ?? [],
      fact_outage:
        before.fact_outage?.map((row) => ({ ...row, ended_at: "2026-11-21 05:00:00", is_open: false })) ?? [],
    });
    const { differences } = await compareProof(later.mart, bytes, frame);
    const changes = differences.map(
      ({ table, change, before: row }) => `${table} ${row?.zone_id ?? ""}: ${change}`,
    );
    expect(changes.sort()).toEqual([
      "measured 1: renamed",
      "measured 2: restated",
      ...["months : restated", "months : restated"],
      ...["outages 1: restated", "outages 2: settled"],
      "total : restated",
      ...["zones 1: renamed", "zones 2: renamed", "zones 4: renamed"],
    ]);
  },
);

it.each<[words: TypedProofOptions, message: string]>([
  [{ uptime: true, agreed: "99.5" }, "--agreed (99.5) is not a ratio."],
  [
    { uptime: true, measure: "coverage" },
    '--measure does not take "coverage". It takes availability, open_av',
  ],
  [{ uptime: true, campaign: ["2"] }, "--uptime is about zones: it can't be combined with --campaign"],
  [{ campaign: ["2"], zone: ["1"] }, "--zone needs --uptime."],
  [{ campaign: ["2"], agreed: "99%" }, "--agreed needs --uptime."],
])("refuses %j", (words, message) => {
  expect(() => parseProofOptions(words)).toThrow(message);
});
