import { expect, it } from "vitest";
import { type Address, formatAddress } from "../../../src/report/address/address.ts";
import { palette } from "../../../src/report/html/charts/chart.ts";
import { renderChart } from "../../../src/report/html/charts/render-chart.ts";
import { createPage } from "../../../src/report/html/render-report.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { type PublishedFixture, publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { generatePlays, publishedWorld } from "../plays-world.ts";

const now = new Date("2026-11-21T12:00:00Z");
const days = { from: "2026-11-01", to: "2026-11-10" };

/** Returns the page of a report on these tables. */
async function renderPage(rows: PublishedFixture["rows"], words: TypedOptions): Promise<string> {
  const folder = createTempFolder();
  await publishFixture(folder, { version: "v000001", dataAsOf: "2026-11-21T04:10:00.000Z", rows });
  const mart = await openPublished(folder, { threads: 1 });
  try {
    const link = (address: Address) => `/${formatAddress(address)}`;
    const request = parseReportOptions({ ...days, ...words, format: "html" });
    return (await createPage(await runReport(mart, request, now), { link })).text;
  } finally {
    mart.close();
  }
}

/** Symbols of a page's wide map. */
function readSymbols(page: string) {
  const [drawing = ""] = /Map of [\s\S]*?<div class="narrow">/.exec(page) ?? [];
  const symbol =
    /<a href="([^"]*)" tabindex="-1"><g transform="translate\(([\d.]+) ([\d.]+)\)"><title>([^<]*)<\/title><path d="[^"]*" fill="([^"]*)">/g;
  return Array.from(drawing.matchAll(symbol), ([, href = "", x, y, text = "", fill]) => ({
    href: href.replaceAll("&amp;", "&"),
    x: Number(x),
    y: Number(y),
    text: text.replaceAll("\u00a0", " "),
    fill,
  }));
}

const place = (location_id: number, city: string, latitude: number | null, longitude: number | null) => ({
  ...{ location_id, location_name: `Location ${location_id}`, city, latitude, longitude },
});

const plays = generatePlays();
const world = publishedWorld("v000001", plays).rows;
const playsOf = (...zoneIds: number[]) =>
  plays.filter(
    ({ zoneId, local }) =>
      zoneIds.includes(zoneId) && local.slice(0, 10) >= days.from && local.slice(0, 10) <= days.to,
  ).length;

it("draws zones where their locations are, with their plays and a link to them", async () => {
  const page = await renderPage(
    {
      ...world,
      dim_location: [
        place(1, "Berlin", 52.5, 13.4),
        place(2, "Lima", -12, -77),
        place(3, "Rome", 41.9, 12.5),
      ],
    },
    { report: "plays", by: ["kind"] },
  );
  const symbols = readSymbols(page);
  const period = "&from=2026-11-01&to=2026-11-10";
  expect(Object.fromEntries(symbols.map(({ text, href }) => [text, href.replace(period, "")]))).toEqual({
    [`Location 1 (2 zones): ${playsOf(11, 12)} plays`]: "/plays?by=zone&location=1",
    [`Shop | &lt;b&gt;: ${playsOf(13)} plays`]: "/plays?by=date&zone=13",
    [`مقهى: ${playsOf(14)} plays`]: "/plays?by=date&zone=14",
  });
  const at = (start: string) => symbols.find(({ text }) => text.startsWith(start)) ?? { x: 0, y: 0 };
  const [berlin, lima, rome] = [at("Location 1"), at("Shop"), at("مقهى")];
  expect(berlin.y < rome.y && rome.y < lima.y).toBe(true);
  expect(lima.x < rome.x && rome.x < berlin.x).toBe(true);
  expect(page).toContain("4 zones in 3 locations; 1 zone without coordinates is not shown.");
});

it.each([
  ["one location", [place(1, "Berlin", 52.5, 13.4), place(2, "Lima", null, null)]],
  ["locations at one place", [place(1, "Berlin", 52.5, 13.4), place(2, "Berlin", 52.5, 13.4)]],
  ["only impossible coordinates", [place(1, "", 0, 0), place(2, "", 91, 10), place(3, "", 10, -181)]],
])("draws no map of %s", async (_label, dim_location) => {
  const page = await renderPage({ ...world, dim_location }, { report: "plays", by: ["zone"] });
  expect(page).toContain("Plays per day");
  expect(page).not.toContain("Map of");
});

it("names a city once for its locations, and escapes it; does not tear places at the 180th meridian apart", async () => {
  const city = "</title></svg><script>";
  const page = await renderPage(
    {
      ...world,
      dim_location: [
        place(1, city, -36.85, 174.76),
        place(2, city, -36.86, 174.77),
        place(3, "Apia", -13.83, -171.77),
      ],
    },
    { report: "plays", by: ["zone"] },
  );
  const [auckland, apia] = readSymbols(page);
  expect(auckland?.text).toBe(
    `&lt;/title&gt;&lt;/svg&gt;&lt;script&gt; (3 zones): ${playsOf(11, 12, 13)} plays`,
  );
  expect(auckland?.href).toMatch(/by=zone&.*location=1,2$/);
  expect(apia?.x).toBeGreaterThan(auckland?.x ?? Number.NaN);
  expect(page).not.toContain("</svg><script>");
});

it.each([
  [undefined, [palette.blue, palette.amber, palette.orange, palette.grey, palette.orange]],
  ["0.5", [palette.blue, palette.blue, palette.orange, palette.grey, palette.amber]],
])("judges places by compliance: %s", async (failUnder, colours) => {
  // The last two zones share a location.
  const states = [
    "4 compliant",
    "3 compliant 1 missed",
    "1 compliant 3 missed",
    "4 pending",
    "4 compliant",
    "4 missed",
  ];
  const zones = states.map((_state, index) => ({
    zone_id: index + 1,
    zone_name: `Zone ${index + 1}`,
    location_id: Math.min(5, index + 1),
  }));
  const page = await renderPage(
    {
      dim_zone: zones.map((zone) => ({ ...zone, first_play_date: days.from, last_play_date: days.to })),
      dim_location: [1, 2, 3, 4, 5].map((id) => place(id, "", 10 * id, 10 * id)),
      dim_campaign: [
        { campaign_key: 1, kind: "signage", campaign_id: 1, campaign_name: "Sale", is_listed: true },
      ],
      fact_campaign_zone_day: states.flatMap((text, index) =>
        Array.from(text.matchAll(/(\d) (\w+)/g))
          .flatMap(([, count, state = ""]) => Array.from({ length: Number(count) }, () => state))
          .map((state, day) => ({
            campaign_key: 1,
            kind: "signage",
            zone_id: index + 1,
            date: `2026-11-0${day + 1}`,
            state,
            is_assumed: false,
          })),
      ),
    },
    { report: "compliance", by: ["campaign"], ...(failUnder && { failUnder }) },
  );
  const symbols = readSymbols(page).toSorted((a, b) => b.y - a.y);
  expect(symbols.map(({ fill }) => fill)).toEqual(colours.map(({ light }) => light));
  expect(symbols.map(({ text }) => text)).toMatchSnapshot();
});

it("thousands of places share some hundred symbols, all within the drawing", () => {
  const places = Array.from({ length: 10_000 }, (_, index) => ({
    latitude: 35 + ((index * 7_919) % 10_007) / 500,
    longitude: ((index * 104_729) % 10_009) / 300,
    size: 1,
  }));
  let counted = 0;
  const describe = (members: readonly number[]) => {
    counted += members.length;
    return { label: "Place", zones: "", value: "", level: 0, description: "" };
  };
  const levels = [{ label: "", shape: "circle", colour: palette.blue }] as const;
  const { text } = renderChart(
    { kind: "map", title: "Map of zones", summary: "", figure: "", levels, places, describe },
    "map",
  );
  // Two drawings and a table.
  expect(counted).toBe(3 * places.length);
  const symbols = Array.from(text.matchAll(/translate\(([\d.]+) ([\d.]+)\)/g));
  expect(symbols.length).toBeGreaterThan(100);
  expect(text.length).toBeLessThan(150_000);
  expect(symbols.every(([, x, y]) => Number(x) > 44 && Number(x) < 952 && Number(y) < 460)).toBe(true);
});
