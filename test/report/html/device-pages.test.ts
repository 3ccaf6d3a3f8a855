import { expect, it } from "vitest";
import { formatAddress } from "../../../src/report/address/address.ts";
import type { TargetChart } from "../../../src/report/html/charts/chart.ts";
import { describePage } from "../../../src/report/html/describe-page.ts";
import { renderIndex } from "../../../src/report/html/render-index.ts";
import { createPage } from "../../../src/report/html/render-report.ts";
import { parseReportOptions, type ReportWords } from "../../../src/report/options/parse-report-options.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { itInAll } from "../../support/long-suite.ts";
import { publishDeviceCase } from "../publish-device-case.ts";

const now = new Date("2026-03-20T06:00:00Z");
const period = { from: "2026-03-10", to: "2026-03-11" };

/** A report's page over a case of `test/fixtures/devices`, as text without markup, with its description. */
async function pageOf(name: string, words: ReportWords, availabilityTarget?: number) {
  const options = {
    ...parseReportOptions(words),
    ...(availabilityTarget !== undefined && { availabilityTarget }),
  };
  const report = await runReport(await publishDeviceCase(name, now), options, now);
  const { text: markup, page } = await createPage(report, { csvFile: `${words.report}.csv` });
  const facts = page?.facts.map(({ figure, value, note = "" }) => [figure, value, note].join(" ").trim());
  return { markup, page, facts, title: report.title };
}

/** Expects the parts of every page that are visible at once or one click away. */
function expectTrust(
  markup: string,
  coverage: string,
  definition: string,
  asOf = "11 March 2026, 06:00 UTC",
): void {
  const [trust = ""] = /<section class="trust"[\s\S]*?<\/section>/.exec(markup) ?? [];
  const text = trust.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");
  expect(text).toContain(`Data as of ${asOf}`);
  expect(text).toContain(`Coverage: ${coverage}`);
  expect(trust).toContain("<summary>Definitions</summary>");
  expect(text).toContain(definition);
}

it("uptime: shows how long devices were up, and their outages", async () => {
  const { markup, page, facts } = await pageOf("outages", { report: "uptime", ...period, by: ["zone"] });
  // Up: 114,000 s; down: 58,800 s, of which 600 s in one span of under 15 minutes.
  expect(page?.headline).toMatchSnapshot();
  expect(facts).toEqual([
    "availability 66.0 %",
    "availability_without_planned 66.0 %",
    "open_availability unknown",
    "outages 3 of 15 minutes or more",
    "down_seconds 16\u00a0h 20\u00a0min",
    "silent_seconds 0\u00a0s",
    "resolution_seconds 3\u00a0h 0\u00a0min",
  ]);
  const [target, timeline] = page?.charts ?? [];
  expect(target).toMatchObject({
    kind: "target",
    summary: "Lowest on 11 Mar, 40.3 %.",
  });
  expect(timeline).toMatchObject({ kind: "timeline" });
  const [, , devices] = page?.charts ?? [];
  if (devices?.kind !== "heat-map") throw new Error("devices are not drawn day by day");
  expect(devices.summary).toMatchSnapshot();
  const days = devices.rows.map((_, row) => devices.cells.filter((cell) => cell.row === row));
  // Longest downtime first.
  expect(days.map((cells) => cells.map(({ level, text }) => `${level} ${text}`))).toEqual([
    ["1 2h", "2 6h"],
    ["0 ✓", "2 5h"],
    ["0 ✓", "2 3h"],
    ["0 ✓", "1 10m"],
  ]);
  expectTrust(
    markup,
    "the state is known for 100.0 % of the time between the first and last check of each device",
    "Up ÷ (up + down)",
  );
  expect(markup).toContain('<a href="uptime.csv" download>All rows as CSV: uptime.csv</a>');
});

it.each([
  ["--fail-under", { failUnder: "0.9" }, undefined],
  ["the setting", {}, 0.9],
  ["--fail-under before the setting", { failUnder: "0.9" }, 0.5],
])("uptime: shows a target only if one is set: by %s", async (_label, options, availabilityTarget) => {
  const words = { report: "uptime", from: "2026-03-09", to: "2026-03-11", ...options };
  const { markup, page, facts } = await pageOf("outages", words, availabilityTarget);
  expect(facts?.[0]).toBe("availability 66.0 % target 90.0 %");
  expect(page?.charts[0]).toMatchObject({
    target: 0.9,
    summary: "Below the target of 90.0 % on 1 of 2 monitored days.",
  });
  expect(markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ")).toContain(
    "2026-03-09 no data no data 2026-03-10 91.7 % met 2026-03-11 40.3 % (partial data) missed",
  );
});

it("uptime: draws a play of several days on each day", async () => {
  const { page } = await pageOf("poster-over-several-days", {
    report: "uptime",
    from: "2026-03-13",
    to: "2026-03-13",
    by: ["date"],
    device: ["110"],
  });
  const timeline = page?.charts.find(({ kind }) => kind === "timeline");
  if (timeline?.kind !== "timeline") throw new Error("no axis is drawn");
  expect(timeline.rows.find(({ label }) => label === "played")?.spans).toMatchObject([
    { kind: "played", from: "2026-03-10T08:00:00Z", to: "2026-03-15T08:00:00Z" },
  ]);
});

itInAll("uptime: draws the states, checks, silence and plays of one device on one axis", async () => {
  const { page } = await pageOf("silent-over-midnight", {
    report: "uptime",
    from: "2026-03-13",
    to: "2026-03-14",
    by: ["date"],
    device: ["140"],
  });
  const timeline = page?.charts.find(({ kind }) => kind === "timeline");
  if (timeline?.kind !== "timeline") throw new Error("no axis is drawn");
  const rows = Object.fromEntries(
    timeline.rows.map(({ label, spans }) => [
      label,
      spans.map(({ kind, from, to }) => `${kind} ${from} ${to}`),
    ]),
  );
  expect(Object.keys(rows)).toEqual(["state", "checked", "silent", "played"]);
  expect(rows.state).toEqual(["up 2026-03-13T12:00:00Z 2026-03-14T12:00:00Z"]);
  expect(rows.checked?.[0]).toBe("check 2026-03-13T12:00:00Z 2026-03-13T12:00:00Z");
  // One span, split by opening.
  expect(rows.silent).toEqual([
    "silent 2026-03-13T15:55:00Z 2026-03-13T16:00:00Z",
    "silent 2026-03-13T16:00:00Z 2026-03-13T16:06:00Z",
  ]);
});

it("uptime: names the planned notices that availability without planned work excludes", async () => {
  const words = { report: "uptime", from: "2026-03-10", to: "2026-03-11" };
  const { markup, facts } = await pageOf("planned-notices-left-open", words);
  // Up 3,600 s, down 169,200 s, of which 23,400 s during notices.
  expect(facts).toContain("availability_without_planned 2.4 % without notices 1, 2, 3, 4, 6");
  const text = markup.replace(/<[^>]*>/g, " ").replaceAll("&quot;", '"');
  expect(text).toContain(
    'Availability without planned work excludes downtime during 5 planned notices: 1 "One" (from 10 March 2026, 02:00 UTC, until 10 March 2026, 04:00 UTC); 2 "Two" (from ',
  );
  expect(text).toContain('6 "Six" (from 11 March 2026, 23:00 UTC, ongoing).');
  const { facts: later, markup: without } = await pageOf("outages", { report: "uptime", ...period });
  expect(later).toContain("availability_without_planned 66.0 %");
  expect(without).not.toContain("planned notice");
});

it("uptime: draws a moved device in each of its zones, and counts it once", async () => {
  const dates = { from: "2026-11-10", to: "2026-11-12" };
  const { page } = await pageOf("device-moves-to-another-time-zone", { report: "uptime", ...dates });
  const map = page?.charts.find(({ kind }) => kind === "heat-map");
  if (map?.kind !== "heat-map") throw new Error("devices are not drawn day by day");
  expect(map.summary).toMatchSnapshot();
  expect(map.rows.map(({ label }) => label)).toEqual(["Zone 12", "Zone 11"]);
  const descriptions = map.cells.map(
    ({ row, day, description }) => `${row} ${day} ${description.replaceAll("\u00a0", " ")}`,
  );
  expect(descriptions).toEqual([
    ...["0 0 down for 3 h 0 min", "0 1 down for 24 h 0 min", "0 2 down for 7 h 0 min"],
    ...["1 0 no known downtime", "1 1 no known downtime", "1 2 state unknown"],
  ]);
});

it("uptime: shows days before the data begins as no data", async () => {
  const words = { report: "uptime", from: "2026-03-09", to: "2026-03-11" };
  const { markup, page } = await pageOf("outages", words);
  expect(page?.charts[0]).toMatchObject({
    summary: "Lowest on 11 Mar, 40.3 %.",
  });
  expect(page?.headline).toMatchSnapshot();
  expect(markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ")).toContain("2026-03-09 no data 2026-03-10");
});

it("uptime: shows days after the data ends as no data", async () => {
  const words = { report: "uptime", from: "2026-03-10", to: "2026-03-13" };
  const { markup, page } = await pageOf("outages", words);
  expect(page?.headline).toMatchSnapshot();
  const [target, timeline] = page?.charts ?? [];
  expect(target).toMatchObject({ summary: "Lowest on 11 Mar, 40.3 %." });
  expect((target as TargetChart).days.map(({ data }) => data)).toEqual(["whole", "part", "none", "none"]);
  expect(timeline).toMatchObject({ to: "2026-03-14T00:00:00Z", dataTo: "2026-03-11T06:00:00Z" });
  const text = markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  expect(text).toContain(
    "2026-03-10 to 2026-03-13 · the data is complete up to 10 March, and ends on 11 March 2026",
  );
  expect(text).toContain("2026-03-12 no data 2026-03-13 no data");
});

it("outages: shows their number, devices, durations, and ongoing ones", async () => {
  const { markup, page, facts } = await pageOf("outages", { report: "outages", ...period });
  expect(page?.headline).toMatchSnapshot();
  expect(facts).toEqual([
    "outages 3 of 3 devices",
    "down_seconds 16\u00a0h 10\u00a0min",
    "is_open 1",
    "planned 0 overlapping announced maintenance",
  ]);
  expectTrust(
    markup,
    "the state is known for 100.0 % of the time between the first and last check of each device",
    "15 minutes",
  );
  expect(markup).toContain('<a href="outages.csv" download>');
});

it("outages: notes the precision of durations, and plays during outages", async () => {
  const words = { report: "outages", from: "2026-03-13", to: "2026-03-14" };
  const { page, markup } = await pageOf("open-past-midnight", words);
  expect(page?.headline).toMatchSnapshot();
  // Device 120: 4,200 s and 600 s.
  expect(markup.replaceAll("\u00a0", " ")).toMatch(
    /<p>An outage lasts from [^<]* Checks are usually 6 h apart, so it may have been shorter by that much\.<\/p><p>The zone played for 1 h 20 min while the device counted as down: it may have been up\.<\/p>/,
  );
  const { markup: silent } = await pageOf("outages", { ...period, report: "outages" });
  expect(silent).toContain("<p>An outage lasts from ");
  expect(silent).not.toContain("it may have been up");
});

it("outages: shows an outage that continues past the period as ongoing", async () => {
  const { page, facts } = await pageOf("notice-without-an-end", { report: "outages", to: "2026-03-10" });
  expect(page?.headline).toMatchSnapshot();
  expect(facts).toContain("is_open 1");
  expect(page?.charts[0]).toMatchObject({
    rows: [{ spans: [{ from: "2026-03-10T01:00:00Z", to: null }] }],
  });
});

it("outages: draws and lists an unknown end as an interval", async () => {
  const words = { report: "outages", from: "2026-03-10", to: "2026-03-15", device: ["110"] };
  const { markup } = await pageOf("checked-54-hours-later", words);
  const text = markup.replaceAll("\u00a0", " ");
  expect(text).toContain(
    "Zone 11: from 10 March 2026, 09:00 UTC, until between 10 March 2026, 18:00 UTC and 13 March 2026, 00:00 UTC (9 h 0 min)",
  );
  expect(text).toContain("2026-03-13 00:00:00 UTC");
  expect(text).toContain("For 1 outage, the next check came too late to show when the device came back");
});

it("outages: without dates, notes devices that went down since", async () => {
  const { page, markup, facts } = await pageOf("outages", { report: "outages" });
  // The data ends at 06:00 on 11 March: device 110 went down before midnight, 120 after it.
  expect(page?.headline).toMatchSnapshot();
  expect(facts).toContain("is_open 0");
  expect(markup).toContain(
    "<p>1 device went down after 10 March 2026, the last complete day, and is still down. Add --to 2026-03-11 to list it.</p>",
  );
});

it.each([["uptime"], ["outages"]])("%s: claims nothing without checks", async (report) => {
  const { page } = await pageOf("outages", { report, from: "2026-03-01", to: "2026-03-01" });
  expect(page?.headline).toMatchSnapshot();
  expect(page?.coverage).toMatchSnapshot();
  expect(page?.charts).toEqual([]);
});

it("devices: counts those that are down and silent", async () => {
  const { markup, page, facts } = await pageOf("devices-now", { report: "devices" });
  expect(page?.headline).toMatchSnapshot();
  expect(facts).toEqual(["devices 3", "devices_down 1", "devices_silent 1", "devices_with_storage_error 1"]);
  expect(page?.charts).toMatchObject([
    { kind: "ranking", title: "Down longest", summary: "1 device; most: Zone 13, 12\u00a0h 0\u00a0min." },
    {
      kind: "ranking",
      title: "Silent longest",
      summary: "2 devices; most: Zone 13, 8\u00a0h 0\u00a0min.",
    },
  ]);
  expectTrust(markup, "the state of 3 of 3 devices is known", "Open time since", "10 March 2026, 18:00 UTC");
  expect(markup).toContain('<a href="devices.csv" download>');
});

it("devices: one check shows which devices are down", async () => {
  const { markup, page, facts } = await pageOf("checked-once", { report: "devices" });
  expect(page?.headline).toMatchSnapshot();
  expect(facts).toContain("devices_down 3 of 5 with a known state");
  // One is sleeping, which is neither up nor down.
  expect(page?.coverage).toMatchSnapshot();
  expect(page?.charts).toMatchObject([
    { title: "Down longest", summary: "2 devices; most: Zone 13, 24\u00a0h 0\u00a0min." },
  ]);
  // Devices that are down precede the others.
  const rows = markup
    .slice(markup.indexOf("<tbody>", markup.indexOf("data-rows")))
    .split("<tr>")
    .slice(1);
  expect(rows.map((row) => /<bdi>(online|offline|sleeping)</.exec(row)?.[1])).toEqual([
    ...["offline", "offline", "offline", "sleeping", "online", "offline"],
  ]);
});

it("devices: with --only, figures and charts still cover all devices and link to them", async () => {
  const mart = await publishDeviceCase("devices-now", now);
  const words = { report: "devices", only: ["silent"], group: ["1"], top: "1", sort: "state" };
  const page = await describePage(await runReport(mart, parseReportOptions(words), now), formatAddress);
  const all = await pageOf("devices-now", { report: "devices" });
  expect(page?.headline).toBe(all.page?.headline);
  expect(page?.facts.map(({ value, href }) => [value, href])).toEqual([
    ["3", undefined],
    ["1", "devices?group=1&only=down"],
    ["1", "devices?group=1&only=silent"],
    ["1", undefined],
  ]);
  expect(page?.charts.map(({ summary }) => summary)).toEqual(all.page?.charts.map(({ summary }) => summary));
});

it.each(["uptime", "outages"])("%s: notes once that one check is not enough", async (report) => {
  const words = { report, from: "2026-03-10", to: "2026-03-10" };
  const { markup, page } = await pageOf("checked-once", words);
  const sentence = "Devices were checked only once; uptime needs two checks.";
  expect(page?.headline).toBe(sentence);
  expect(markup.split(sentence)).toHaveLength(2);
  expect(page?.charts).toEqual([]);
});

it("the index shows each report's headline, with links to its files", async () => {
  const uptime = await pageOf("outages", { report: "uptime", ...period });
  const outages = await pageOf("outages", { report: "outages", ...period });
  const index = renderIndex({
    date: "2026-03-20",
    dataAsOf: "2026-03-11T06:00:00Z",
    version: "v000001",
    entries: [
      { name: "uptime", title: uptime.title, page: uptime.page },
      { name: "outages", title: outages.title, page: outages.page },
    ],
    overview: {
      verdicts: [
        {
          question: "Were devices up?",
          status: "needs attention",
          answer: "One was not.",
          rule: "Good: all were.",
          address: { view: "uptime", words: {} },
          worst: [],
        },
      ],
      worst: [
        { text: "Bar was down.", address: { view: "outages", words: { zone: "11" } } },
        { text: "Gym is silent.", address: { view: "devices", words: {} } },
      ],
    },
  });
  // Only files that the run wrote are linked.
  expect(index).toContain('<a href="uptime.html">Were devices up?</a>');
  expect(index).toContain('<a href="outages.html">Bar was down.</a>');
  expect(index).toContain("<li>Gym is silent.</li>");
  expect(index).toContain("Reports for 20 March 2026");
  expect(index).toContain("11 March 2026, 06:00 UTC");
  const plain = (text = "") => text.replaceAll("\u00a0", " ");
  for (const { page } of [uptime, outages]) {
    expect(plain(index)).toContain(plain(`<p>${page?.headline}</p>`));
    expect(plain(index)).toContain(plain(`Coverage: ${page?.coverage}`));
  }
  for (const file of ["uptime.html", "uptime.csv", "uptime.md", "outages.html"]) {
    expect(index).toContain(`href="${file}"`);
  }
});
