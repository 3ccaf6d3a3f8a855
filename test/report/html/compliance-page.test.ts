import { expect, it, onTestFinished } from "vitest";
import type { HeatMap } from "../../../src/report/html/charts/chart.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { itEachSampled } from "../../support/long-suite.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { pageOf, textOf } from "../page-of.ts";

type Cell = [campaign: number, zone: number, day: number, state: string];
type DownDay = [device: number, zone: number, day: number];

async function describeCells(
  cells: readonly Cell[],
  words: Omit<TypedOptions, "report"> = {},
  downDays: readonly DownDay[] = [],
) {
  const mart = await publishCells(cells, downDays);
  return await pageOf(mart, parseReportOptions({ ...threeDays, ...words }), now);
}

const now = new Date("2026-11-21T12:00:00Z");
const threeDays = { report: "compliance", from: "2026-11-09", to: "2026-11-11" };

async function publishCells(
  cells: readonly Cell[],
  downDays: readonly DownDay[] = [],
): Promise<PublishedMart> {
  const folder = createTempFolder();
  const [campaigns, zones] = [new Set(cells.map(([id]) => id)), new Set(cells.map(([, id]) => id))];
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: "2026-11-21T03:00:00Z",
    rows: {
      dim_zone: [...zones].map((id) => ({ zone_id: id, zone_name: `Zone ${id}`, time_zone: "UTC" })),
      dim_campaign: [...campaigns].map((id) => ({
        campaign_key: id * 4 + 1,
        kind: "signage",
        campaign_id: id,
        campaign_name: `<i>Campaign ${id}</i>`,
      })),
      fact_campaign_zone_day: cells.map(([campaign, zone, day, state]) => ({
        campaign_key: campaign * 4 + 1,
        kind: "signage",
        zone_id: zone,
        date: `2026-11-${String(day).padStart(2, "0")}`,
        state,
        is_assumed: false,
        candidate_plays: state === "compliant" ? 3 : 0,
        play_seconds: 30,
        exclusive_plays: 0,
        weighted_plays: 0,
        weighted_seconds: 0,
        complete_plays: 0,
        measured_plays: 0,
        active_assets: 2,
        played_assets: state === "compliant" ? 1 : 0,
        due_times: campaign === 7 ? 4 : null,
        met_times: campaign === 7 ? (state === "compliant" ? 3 : 0) : null,
      })),
      fact_device_day: [
        // A device that was up all day has a row as well.
        { device_id: 1, zone_id: 13, date: "2026-11-10", up_seconds: 86_400, down_seconds: 0 },
        ...downDays.map(([device, zone, day]) => ({
          device_id: device,
          zone_id: zone,
          date: `2026-11-${String(day).padStart(2, "0")}`,
          up_seconds: 86_000,
          down_seconds: 400,
        })),
      ],
    },
  });
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  return mart;
}

const cells: Cell[] = [
  [1, 11, 9, "compliant"],
  [1, 11, 10, "compliant"],
  [1, 11, 11, "pending"],
  [1, 12, 9, "missed"],
  [1, 12, 10, "missed_offline"],
  [1, 12, 11, "closed"],
  [1, 13, 9, "compliant"],
  [1, 13, 10, "missed"],
  [2, 11, 9, "compliant"],
  [2, 12, 9, "compliant"],
  [2, 11, 10, "not_measurable"],
  [2, 11, 11, "closed"],
  [3, 13, 11, "unscheduled"],
];

const manyCampaigns = Array.from(
  { length: 45 },
  (_, id): Cell => [id, 11, 9, id % 2 === 0 ? "missed" : "compliant"],
);

itEachSampled(
  [
    // 5 ran, 2 missed, 1 missed while down; of 12 scheduled 2 are closed, 1 is pending, 1 is not measurable.
    ["campaigns and zones, most missed first", cells],
    [
      "known downtime on some of the missed days",
      [
        [1, 11, 9, "missed"],
        [2, 11, 9, "missed"],
        [1, 12, 9, "missed"],
        [1, 12, 10, "compliant"],
      ],
      // Two devices of a zone count its days once; a day that ran does not count.
      [
        [2, 11, 9],
        [3, 11, 9],
        [4, 12, 10],
      ],
    ],
    [
      "known downtime on a missed day next to one missed while down",
      [
        [1, 11, 9, "missed"],
        [1, 12, 9, "missed"],
        [1, 12, 10, "missed_offline"],
      ],
      [
        [2, 11, 9],
        [4, 12, 10],
      ],
    ],
    ["known downtime on the one missed day", [[1, 11, 9, "missed"]], [[2, 11, 9]]],
    ["no missed day", [[1, 11, 9, "compliant"]]],
    ["nothing settled", [[1, 11, 9, "pending"]]],
    ["nothing scheduled", [[1, 11, 9, "unscheduled"]]],
    [
      "rules that name times",
      [
        [7, 11, 9, "compliant"],
        [7, 11, 10, "missed"],
        [7, 11, 11, "missed_offline"],
        [1, 11, 9, "compliant"],
      ],
    ],
    ["the 40 campaigns that missed most", manyCampaigns],
  ] as readonly [label: string, cells: readonly Cell[], downDays?: DownDay[]][],
  3,
)("shows %s", async ([_label, some, downDays = []]) => {
  expect(textOf(await describeCells(some, {}, downDays))).toMatchSnapshot();
});

itEachSampled(
  [
    [["2026-09-11", "2026-11-11"], "day by day", 62, "1 of 3 zones missed"],
    [["2026-09-10", "2026-11-11"], "week by week", 10, "3 of 6 zone days missed, 1 while down"],
    [["2025-11-11", "2026-11-11"], "week by week", 53, "3 of 6 zone days missed, 1 while down"],
    [["2025-11-10", "2026-11-11"], "month by month", 13, "3 of 6 zone days missed, 1 while down"],
  ],
  2,
)("draws %j %s", async ([[from = "", to = ""], text, columns, description]) => {
  const [campaigns, zones] = (await describeCells(cells, { from, to })).charts as HeatMap[];
  expect([campaigns?.title, zones?.title]).toEqual([`Campaigns ${text}`, `Zones ${text}`]);
  expect(campaigns?.dates).toHaveLength(columns);
  expect(campaigns?.cells[0]?.description).toBe(description);
});

it("stripes partial first and last weeks of a long period", async () => {
  const page = await describeCells([[1, 11, 10, "missed"]], { from: "2026-09-09", to: "2026-11-13" });
  const { summary, dates, data } = page.charts[0] as HeatMap;
  expect([dates[0], dates.at(-1)]).toEqual(["2026-W37", "2026-W46"]);
  expect(data).toEqual(["part", ...Array(8).fill("whole"), "part"]);
  expect(summary).toMatchSnapshot();
});

itEachSampled(
  [
    ["one zone", { zone: ["11"] }, ["Campaigns day by day"]],
    ["one campaign", { kind: ["signage"], campaign: ["2"] }, ["Zones day by day"]],
    ["one of each", { zone: ["11"], kind: ["signage"], campaign: ["2"] }, ["Campaigns day by day"]],
  ],
  1,
)("draws no chart twice: %s", async ([_label, words, titles]) => {
  const { charts } = await describeCells(cells, words);
  expect(charts.map(({ title }) => title)).toEqual(titles);
});
