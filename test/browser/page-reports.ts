import { gatherWorst } from "../../src/report/format/gather-rows.ts";
import { palette } from "../../src/report/html/charts/chart.ts";
import { renderReport } from "../../src/report/html/render-report.ts";
import type { ReportPage } from "../../src/report/html/report-page.ts";
import type { Report, ReportRow } from "../../src/report/result-types.ts";

/** Names that would be harmful if not escaped. */
export const nastyNames = [
  "Black Friday",
  "<script>document.title = 'harmed'</script>",
  '"><img src=x onerror="document.title=\'harmed\'">',
  "</title></style></script></svg><script>document.title = 'harmed'</script>",
  "$" + "{document.title = 'harmed'} {{7*7}} &amp;&lt;",
  "=cmd()|' /C calc'!A0",
  "مقهى المدينة",
  "abc\u202edcba\u2066",
  "東京カフェ 🎵👩‍👩‍👧",
  "line one\nline two",
  "\u0000\u001b[31mred",
  "",
  "x".repeat(20_000),
  "many words ".repeat(2_000),
];

/** Renders a report with this page, as files are written. */
export async function renderWith(
  report: Report,
  { page, csvFile }: { page?: ReportPage; csvFile?: string } = {},
): Promise<string> {
  const rows = await gatherWorst(report, 5_000, { countsAll: true });
  return renderReport({ report, page, csvFile, ...rows });
}

export function reportOf(rows: readonly ReportRow[]): Report {
  async function* each() {
    yield* rows;
  }
  return {
    title: "Compliance by campaign",
    period: { from: "2026-10-24", to: "2026-11-20" },
    filters: ["group 58429"],
    dataAsOf: "2026-11-21T04:10:00Z",
    version: "v000007",
    columns: [
      { name: "campaign_id", type: "integer" },
      { name: "campaign_name", type: "text" },
      { name: "scheduled_days", type: "integer" },
      { name: "compliance", type: "share" },
      { name: "play_seconds", type: "integer" },
      { name: "last_play_at", type: "instant" },
      { name: "is_open", type: "boolean" },
    ],
    rows: each(),
    notes: ["No group 7 in what is published."],
  };
}

/** One row per nasty name; larger numbers have names that sort earlier. */
export function nastyRows(): ReportRow[] {
  return nastyNames.map((name, index) => [
    index,
    name,
    10_000 - index * 700,
    index % 5 === 4 ? null : index / nastyNames.length,
    index * 3_700,
    "2026-11-20T23:59:59Z",
    index % 2 === 0,
  ]);
}

const dates = Array.from({ length: 28 }, (_, index) =>
  new Date(Date.UTC(2026, 9, 24 + index)).toISOString().slice(0, 10),
);
const hours = (count: number) => `${new Date(Date.UTC(2026, 9, 24, count)).toISOString().slice(0, 19)}Z`;

/** A page with a chart that fits a screen but not a phone. */
export const narrowHeatMap: ReportPage = {
  headline: "",
  coverage: "",
  facts: [],
  charts: [
    {
      kind: "heat-map",
      title: "Campaigns day by day",
      summary: "",
      subject: "campaign",
      rows: [{ label: "Black Friday" }],
      dates,
      levels: [],
      cells: [],
    },
  ],
};

/** A page with every kind of chart, all with nasty names. */
export const everyChart: ReportPage = {
  headline: `312 of 340 scheduled zone days ran, 91.8 %; most missed by ${nastyNames[1]}.`,
  coverage: "97.1 % of scheduled days could be measured",
  facts: [
    { figure: "compliance", value: "91.8 %", note: "312 of 340 zone days" },
    { figure: "missed_offline_days", value: "14", note: String(nastyNames[1]) },
    { figure: "coverage", value: "97.1 %" },
  ],
  charts: [
    {
      kind: "heat-map",
      title: `Campaigns day by day ${nastyNames[2]}`,
      summary: `Those that missed most come first: ${nastyNames[3]}.`,
      subject: "campaign",
      rows: nastyNames.map((label) => ({ label })),
      dates,
      levels: [
        { label: "ran wherever it counts", colour: palette.paleBlue, ink: palette.ink, mark: "✓" },
        { label: "some missed", colour: palette.paleAmber, ink: palette.ink, mark: "2" },
        { label: "half or more missed", colour: palette.strongOrange, ink: palette.inverse, mark: "9" },
        { label: "closed", colour: palette.paleGrey, ink: palette.muted, mark: "–" },
      ],
      cells: nastyNames.flatMap((name, row) =>
        dates.flatMap((_date, day) => {
          const level = (row * 7 + day * 5) % 11;
          if (level > 3) return [{ row, day, level: 0, text: "✓", description: `ran: ${name}` }];
          return [
            { row, day, level, text: ["✓", "2", "11", "–"][level] ?? "", description: `missed: ${name}` },
          ];
        }),
      ),
    },
    {
      kind: "per-day",
      isShare: true,
      title: "Availability per day",
      summary: "Below the target on 4 of 27 monitored days.",
      unit: "availability",
      target: 0.95,
      days: dates.map((date, index) => ({
        date,
        value: index === 9 ? null : index % 7 === 3 ? 0.91 - index / 400 : 1 - (index % 3) / 100,
      })),
    },
    {
      kind: "timeline",
      title: "Outages over time",
      summary: "Days are UTC.",
      subject: "device",
      from: hours(0),
      to: hours(28 * 24),
      dataTo: hours(28 * 24),
      rows: nastyNames.map((label, index) => ({
        label,
        spans: [
          { from: hours(index * 40 - 10), to: hours(index * 40 + 30), kind: "down" as const },
          {
            from: hours(index * 45 + 60),
            to: index === 2 ? null : hours(index * 45 + 80),
            kind: index % 3 === 1 ? ("planned" as const) : ("down" as const),
          },
        ],
      })),
    },
    {
      kind: "per-day",
      title: "Plays per day",
      summary: "The dashed line shows the previous period, day by day.",
      unit: "plays",
      days: dates.map((date, index) => ({ date, value: 4_000 + ((index * 37) % 11) * 150 })),
      daysBefore: dates.map((date, index) => ({ date, value: 4_200 + ((index * 29) % 13) * 100 })),
    },
    {
      kind: "ranking",
      title: "Most played",
      summary: "The ones with the most plays.",
      headings: ["item", "plays"],
      rows: nastyNames.map((label, index) => ({
        label,
        value: 9_000 - index * 500,
        text: String(9_000 - index * 500),
      })),
    },
    {
      kind: "parts",
      title: "Lines by outcome",
      summary: "Each bar is all lines of its kind.",
      subject: "kind",
      parts: [
        { label: "unchanged", colour: palette.grey },
        { label: "new", colour: palette.blue, pattern: "stripes" },
        { label: "duplicate", colour: palette.purple, pattern: "dots" },
        { label: "rejected", colour: palette.orange, pattern: "bars" },
      ],
      rows: [
        { label: "music", values: [7_000, 2_000, 600, 400] },
        { label: nastyNames[1] ?? "", values: [100, 7_000, 60, 900] },
      ],
    },
    {
      kind: "map",
      title: "Map of compliance",
      summary: `Nearby locations share a symbol: ${nastyNames[3]}.`,
      figure: "compliance",
      levels: [
        { label: "nothing missed", shape: "circle", colour: palette.blue },
        { label: "under half missed", shape: "triangle", colour: palette.amber },
      ],
      places: nastyNames.map((_name, index) => ({ latitude: 50 - index, longitude: 7 * index, size: 1 })),
      describe: ([index = 0]) => ({
        label: nastyNames[index] ?? "",
        zones: "1",
        value: "95.0 %",
        level: index % 2,
        description: `${nastyNames[index]}: 95.0 %`,
      }),
    },
  ],
};
