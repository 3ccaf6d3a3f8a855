import { expect, it } from "vitest";
import { renderChart } from "../../../src/report/html/charts/render-chart.ts";
import { createTimeline } from "../../../src/report/html/read/draw-outages.ts";

const sources = {
  period: { from: "2026-11-19", to: "2026-11-20" },
  dataAsOf: "2026-11-25T06:00:00Z",
  now: new Date("2026-11-25T08:00:00Z"),
  names: { findMark: () => undefined },
  link: () => undefined,
};

/** One outage, in the form that the page reads. */
const outage = (started_at: string, ended_at: string | null) => ({
  ...{ outages: 1, devices: 1, place: 1, device_seconds: 10_800 },
  ...{ zone_id: 7, zone_name: "Bar", device_id: 5, started_at, ended_at, planned: false },
});

it.each([
  // By the clocks of London, New York and Tokyo.
  ["2026-11-19T00:00:00Z", "2026-11-21T00:00:00Z", "2026-11-19", "2026-11-21", "48 h 0 min"],
  ["2026-11-21T02:00:00Z", "2026-11-21T05:00:00Z", "2026-11-19", "2026-11-22", "3 h 0 min"],
  ["2026-11-18T15:00:00Z", "2026-11-18T18:00:00Z", "2026-11-18", "2026-11-21", "3 h 0 min"],
  // Counts up to the end of the data, although the chart ends earlier.
  ["2026-11-21T03:00:00Z", null, "2026-11-19", "2026-11-22", "99 h 0 min"],
  ["2026-10-20T12:00:00Z", null, "2026-11-18", "2026-11-21", "858 h 0 min"],
  ["2026-10-20T12:00:00Z", "2026-11-24T12:00:00Z", "2026-11-18", "2026-11-22", "840 h 0 min"],
])(
  "an outage from %s to %s is named in full, and drawn from %s to %s: %s",
  (began, ended, from, to, length) => {
    const [chart] = createTimeline([outage(began, ended)], [], sources);
    if (!chart) throw new Error("nothing is drawn");
    expect([chart.from, chart.to]).toEqual([`${from}T00:00:00Z`, `${to}T00:00:00Z`]);
    expect(renderChart(chart, "chart").text.replaceAll("\u00a0", " ")).toContain(`(${length})`);
  },
);

it("leaves out device states outside the drawn days", () => {
  const span = (kind: "up" | "check", from: string, to = from) => ({ kind, from, to });
  const seen = [
    { label: "state", spans: [span("up", "2026-11-18T12:00:00Z", "2026-11-19T06:00:00Z")] },
    {
      label: "checked",
      spans: [
        "2026-11-18T12:00:00Z",
        "2026-11-19T00:00:00Z",
        "2026-11-19T06:00:00Z",
        "2026-11-21T00:00:00Z",
      ].map((at) => span("check", at)),
    },
    { label: "silent", spans: [span("up", "2026-11-18T12:00:00Z", "2026-11-19T00:00:00Z")] },
  ];
  const [chart] = createTimeline([], seen, sources);
  expect(chart?.rows.map(({ label, spans }) => [label, ...spans.map(({ from }) => from)])).toEqual([
    ["state", "2026-11-18T12:00:00Z"],
    ["checked", "2026-11-19T00:00:00Z", "2026-11-19T06:00:00Z"],
  ]);
  const before = { ...sources, period: { from: "2026-11-10", to: "2026-11-11" } };
  expect(createTimeline([], seen, before)).toEqual([]);
});
