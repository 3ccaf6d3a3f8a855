import { expect, it } from "vitest";
import { renderTrend } from "../../../src/report/html/render-trend.ts";
import { createTrend } from "../../../src/report/overview/trend.ts";

const period = { from: "2026-11-01", to: "2026-11-06" };
const dataDays = { from: "2026-11-02", wholeTo: "2026-11-05", partTo: "2026-11-06" };
const plays = { title: "Plays per day", isShare: false };

it("leaves out days without complete data, and draws a complete day without plays as zero", () => {
  const rows = [
    { date: "2026-11-02", plays: 10 },
    { date: "2026-11-03", plays: 20 },
    { date: "2026-11-05", plays: 5 },
    { date: "2026-11-06", plays: 1 },
  ];
  const valueOn = (day?: { plays?: unknown }) => Number(day?.plays ?? 0);
  const trend = createTrend({ period, dataDays }, rows, { ...plays, valueOn });
  expect(trend?.days.map(({ value }) => value)).toEqual([null, 10, 20, 0, 5, null]);
  expect(trend && renderTrend(trend).text.replaceAll("\u00a0", " ")).toMatchSnapshot();
  const [oneDay, none] = [{ wholeTo: "2026-11-02" }, { from: "" }].map((days) => ({ ...dataDays, ...days }));
  for (const other of [oneDay, none])
    expect(
      createTrend({ period, ...(other && { dataDays: other }) }, rows, { ...plays, valueOn }),
    ).toBeUndefined();
});

it("draws unknown days as a gap, and a day between them as a dot", () => {
  const days = [1, null, 0.95, null, 0.97].map((value, index) => ({ date: `2026-11-0${index + 1}`, value }));
  const { text } = renderTrend({ title: "Availability per day", isShare: true, days });
  expect(text.match(/<circle/g)).toHaveLength(3);
  expect(text.match(/M[\d.]+,[\d.]+/g)).toHaveLength(3);
  expect(text.replaceAll("\u00a0", " ")).toContain("95.0 % to 100.0 %; 97.0 % on 5 Nov; unknown on 2 days");
});
