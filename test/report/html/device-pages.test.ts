import { expect, it } from "vitest";
import { formatAddress } from "../../../src/report/address/address.ts";
import { describePage } from "../../../src/report/html/describe-page.ts";
import { renderIndex } from "../../../src/report/html/render-index.ts";
import { createPage } from "../../../src/report/html/render-report.ts";
import type { ReportPage } from "../../../src/report/html/report-page.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { itEachSampled } from "../../support/long-suite.ts";
import { textOf } from "../page-of.ts";
import { publishDeviceCase } from "../publish-device-case.ts";

const now = new Date("2026-03-20T06:00:00Z");
const period = { from: "2026-03-10", to: "2026-03-11" };
const uptime = { report: "uptime" };
const outages = { report: "outages" };
const devices = { report: "devices" };

/** A report's page over a case of `test/fixtures/devices`. */
async function openPage(name: string, words: TypedOptions, availabilityTarget?: number) {
  const options = {
    ...parseReportOptions(words),
    ...(availabilityTarget !== undefined && { availabilityTarget }),
  };
  const report = await runReport(await publishDeviceCase(name, now), options, now);
  const { text: markup, page } = await createPage(report, { csvFile: `${words.report}.csv` });
  return { markup, page: page as ReportPage, report };
}

itEachSampled(
  [
    // Up: 114,000 s; down: 58,800 s, of which 600 s in one span of under 15 minutes.
    ["uptime", "outages", { ...uptime, ...period, by: ["zone"] }],
    ["uptime with a target", "outages", { ...uptime, ...period, failUnder: "0.9" }],
    ["uptime before the data begins", "outages", { ...uptime, from: "2026-03-09", to: "2026-03-11" }],
    ["uptime after the data ends", "outages", { ...uptime, from: "2026-03-10", to: "2026-03-13" }],
    ["uptime without checks", "outages", { ...uptime, from: "2026-03-01", to: "2026-03-01" }],
    ["uptime after one check", "checked-once", { ...uptime, from: "2026-03-10", to: "2026-03-10" }],
    // One silence, split by opening.
    [
      "uptime of one device, with a silence",
      "silent-over-midnight",
      { ...uptime, from: "2026-03-13", to: "2026-03-14", by: ["date"], device: ["140"] },
    ],
    ["outages", "outages", { ...outages, ...period }],
    ["outages without checks", "outages", { ...outages, from: "2026-03-01", to: "2026-03-01" }],
    ["outages after one check", "checked-once", { ...outages, from: "2026-03-10", to: "2026-03-10" }],
    // The zone of device 120 played for 4,200 s and 600 s.
    ["outages during plays", "open-past-midnight", { ...outages, from: "2026-03-13", to: "2026-03-14" }],
    ["an outage that continues past the period", "notice-without-an-end", { ...outages, to: "2026-03-10" }],
    // The data ends at 06:00 on 11 March: device 110 went down before midnight, 120 after it.
    ["outages of the default period", "outages", outages],
    ["devices", "devices-now", devices],
    // One is sleeping, which is neither up nor down.
    ["devices after one check", "checked-once", devices],
  ] as readonly [label: string, name: string, words: TypedOptions][],
  4,
)("%s", async ([_label, name, words]) => {
  const { page, report, markup } = await openPage(name, words);
  expect([textOf(page), ...report.notes].join("\n").replaceAll("\u00a0", " ")).toMatchSnapshot();
  // The data's freshness, coverage and definitions are visible at once or one click away.
  const [trust = ""] = /<section class="trust"[\s\S]*?<\/section>/.exec(markup) ?? [];
  const text = trust.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");
  expect(text).toMatch(/Data as of \d+ \w+ 2026, \d\d:\d\d UTC/);
  expect(text).toContain(`Coverage: ${page.coverage}`.replaceAll("\u00a0", " "));
  expect(trust).toContain("<summary>Definitions</summary>");
  expect(markup).toContain(`href="${words.report}.csv" download>`);
  // A note that the headline contains is not repeated.
  for (const note of report.notes) expect(markup.split(note).length).toBeLessThanOrEqual(2);
});

it("uptime: --fail-under is the target, else the setting", async () => {
  const facts = async (words: object, target?: number) =>
    (await openPage("outages", { ...uptime, ...period, ...words }, target)).page.facts[0]?.note;
  expect(await facts({}, 0.8)).toBe("target 80.0 %");
  expect(await facts({ failUnder: "0.9" }, 0.5)).toBe("target 90.0 %");
  expect(await facts({})).toBeUndefined();
});

it("devices: with --only, figures and charts still cover all devices and link to them", async () => {
  const mart = await publishDeviceCase("devices-now", now);
  const words = { ...devices, only: ["silent"], group: ["1"], top: "1", sort: "state" };
  const page = await describePage(await runReport(mart, parseReportOptions(words), now), formatAddress);
  const { page: all } = await openPage("devices-now", devices);
  expect(page && textOf(page)).toBe(textOf(all));
  expect(page?.facts.map(({ href }) => href)).toEqual([
    undefined,
    "devices?group=1&only=down",
    "devices?group=1&only=silent",
    undefined,
  ]);
});

it("the index shows each report's headline, with links to its files", async () => {
  const pages = [
    await openPage("outages", { ...uptime, ...period }),
    await openPage("outages", { ...outages, ...period }),
  ];
  const index = renderIndex({
    date: "2026-03-20",
    dataAsOf: "2026-03-11T06:00:00Z",
    version: "v000001",
    entries: pages.map(({ page, report }) => ({ name: report.name ?? "", title: report.title, page })),
    overview: {
      assessments: [
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
  for (const { page } of pages) {
    expect(plain(index)).toContain(plain(`<p>${page.headline}</p>`));
    expect(plain(index)).toContain(plain(`Coverage: ${page.coverage}`));
  }
  for (const file of ["uptime.html", "uptime.csv", "uptime.md", "outages.html"])
    expect(index).toContain(`href="${file}"`);
});
