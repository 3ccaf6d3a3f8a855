import { expect, it } from "vitest";
import { findEqualNames } from "../../../src/report/findings/names.ts";
import { assessPlays } from "../../../src/report/overview/assess-plays.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { addDays } from "../../../src/util/local-date.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

/** A Sunday. */
const to = "2026-11-15";

/** The verdict for that day. @param played days before it on which each zone played, by number */
async function judge(played: Readonly<Record<number, readonly number[]>>) {
  const folder = createTempFolder();
  const days = Object.entries(played).flatMap(([id, ago]) =>
    ago.map((days) => ({ kind: "music", zone_id: Number(id), date: addDays(to, -days), plays: 5 })),
  );
  const last = (id: string) => days.findLast(({ zone_id }) => zone_id === Number(id))?.date ?? null;
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: "2026-11-16T03:00:00Z",
    rows: {
      dim_zone: Object.keys(played).map((id) => ({
        zone_id: Number(id),
        zone_name: `Zone ${id}`,
        last_play_date: last(id),
      })),
      fact_play_zone_day: days,
    },
  });
  const mart = await openPublished(folder, { threads: 1 });
  try {
    const zones = days.filter(({ date }) => date === to).length;
    return await assessPlays({
      mart,
      now: new Date("2026-11-16T06:00:00Z"),
      names: await findEqualNames(mart),
      read: async () => [{ plays: zones * 5, zones }],
      daysOf: async () => ({ period: { from: addDays(to, -27), to }, dataAsOf: null }),
      complianceDays: [],
      asOf: async () => null,
    });
  } finally {
    mart.close();
  }
}

it("does not expect zones on their closed weekday, or retired zones", async () => {
  const { status, answer, worst } = await judge({ 1: [14, 7, 1, 0], 2: [8, 6, 1], 3: [70, 35], 4: [] });
  expect([status, worst]).toEqual(["good", []]);
  expect(answer).toMatchSnapshot();
});

it("names a silent zone that usually plays on this weekday", async () => {
  const { status, answer, worst } = await judge({ 1: [7, 0], 2: [28, 1], 3: [0] });
  expect(status).toBe("needs attention");
  expect([answer, ...worst.map(({ text }) => text)]).toMatchSnapshot();
});

it.each([
  ["the first days", { 1: [1, 0], 2: [0] }, "good"],
  ["a day without plays", { 1: [1] }, "bad"],
  ["a chain that is closed on this weekday", { 1: [8, 6, 1], 2: [9, 2] }, "good"],
  ["a chain that went silent weeks ago", { 1: [40, 35], 2: [36] }, "bad"],
  ["a chain with one zone that plays on this weekday", { 1: [14, 7, 1], 2: [9, 2] }, "bad"],
])("judges %s", async (_label, played, expected) => {
  const { status, answer } = await judge(played as Record<number, number[]>);
  expect(status).toBe(expected);
  expect(answer).toMatchSnapshot();
});
