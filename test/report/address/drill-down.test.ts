import { expect, it } from "vitest";
import { formatAddress } from "../../../src/report/address/address.ts";
import { findNameDrillDown, withDefaultGrouping } from "../../../src/report/address/drill-down.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { ReportWords } from "../../../src/report/options/parse-request.ts";
import type { OwnLink, OwnReport } from "../../../src/report/own/own-report.ts";

const period = { from: "2026-11-01", to: "2026-11-20" };
const dates = "from=2026-11-01&to=2026-11-20";
const row = {
  kind: "signage",
  campaign_id: 7,
  campaign_name: "Late Night",
  zone_id: 81003,
  zone_name: "Fulton Bar",
  group_id: 58429,
  group_name: "North",
  location_id: 9,
  location_name: "Fulton",
  date: "2026-11-03",
  week: "2026-W47",
  month: "2026-11",
  quarter: "2026-Q4",
  city: "London",
  hour: 21,
  device_id: 110,
  item_id: 9,
  item_name: "Gift Card",
  artist_id: 5012,
  artist_name: "The Velvet Tides",
  region: "East, far",
  genre: "(none)",
  plays: 12,
};

const cases: [ReportWords, string, string | undefined][] = [
  [
    { report: "compliance", by: ["campaign"] },
    "campaign_name",
    `compliance?by=zone&${dates}&kind=signage&campaign=7`,
  ],
  [{ report: "compliance", by: ["zone"] }, "zone_name", `compliance?by=campaign&${dates}&zone=81003`],
  [
    { report: "compliance", by: ["zone"], campaign: ["7"], kind: ["signage"] },
    "zone_name",
    `compliance?by=date&${dates}&zone=81003&kind=signage&campaign=7`,
  ],
  [
    { report: "compliance", by: ["campaign", "zone"], only: ["missed"], group: ["58429"] },
    "zone_name",
    `compliance?by=date&${dates}&group=58429&zone=81003&kind=signage&campaign=7`,
  ],
  [
    { report: "compliance", by: ["date"], campaign: ["7"], kind: ["signage"], zone: ["81003"] },
    "date",
    `cell?${dates}&zone=81003&kind=signage&campaign=7&date=2026-11-03`,
  ],
  [
    { report: "compliance", by: ["date"], campaign: ["7", "8"], zone: ["81003"] },
    "date",
    "compliance?by=campaign&from=2026-11-03&to=2026-11-03&zone=81003&campaign=7,8",
  ],
  [{ report: "compliance", by: ["week"] }, "week", "compliance?by=campaign&from=2026-11-16&to=2026-11-20"],
  [{ report: "compliance", by: ["month"] }, "month", `compliance?by=campaign&${dates}`],
  [{ report: "uptime", by: ["quarter"] }, "quarter", `uptime?by=zone&${dates}`],
  [{ report: "plays", by: ["city"] }, "city", undefined],
  // The days common to both, in either order.
  [{ report: "plays", by: ["week", "month"] }, "month", "plays?by=zone&from=2026-11-16&to=2026-11-20"],
  [{ report: "plays", by: ["month", "date"] }, "month", "plays?by=zone&from=2026-11-03&to=2026-11-03"],
  [{ report: "plays", by: ["kind"] }, "kind", `plays?by=zone&${dates}&kind=signage`],
  [{ report: "plays", by: ["zone"] }, "zone_name", `plays?by=date&${dates}&zone=81003`],
  [{ report: "plays", by: ["location"], top: "5" }, "location_name", `plays?by=zone&${dates}&location=9`],
  [
    { report: "plays", by: ["date"], zone: ["81003"] },
    "date",
    "single-plays?from=2026-11-03&to=2026-11-03&zone=81003",
  ],
  // No view covers one hour: a page of the whole day would show another number.
  [{ report: "plays", by: ["hour"], zone: ["81003"] }, "hour", undefined],
  [{ report: "plays", by: ["date", "hour"] }, "hour", undefined],
  [{ report: "plays", by: ["region"] }, "region", `plays?by=zone&${dates}&where=region=East,%20far`],
  [
    { report: "plays", by: ["genre", "region", "zone"], where: ["region=North", "brand=A;genre=Jazz,Rock"] },
    "region",
    `plays?by=zone&${dates}&where=brand=A;genre=(none);region=East,%20far`,
  ],
  [
    { report: "plays", by: ["region", "zone"], where: ["brand=A"] },
    "zone_name",
    `plays?by=date&${dates}&zone=81003&where=brand=A;region=East,%20far`,
  ],
  [
    {
      report: "compliance",
      by: ["date"],
      campaign: ["7"],
      kind: ["signage"],
      zone: ["81003"],
      where: ["brand=A"],
    },
    "date",
    `cell?${dates}&zone=81003&kind=signage&campaign=7&where=brand=A&date=2026-11-03`,
  ],
  // An attribute of this name groups no rows here, so the filter stays.
  [
    { report: "uptime", by: ["zone"], where: ["region=North"] },
    "zone_name",
    `uptime?by=device&${dates}&zone=81003&where=region=North`,
  ],
  [{ report: "uptime", by: ["zone"] }, "zone_name", `uptime?by=device&${dates}&zone=81003`],
  [
    { report: "plays", by: ["zone"], compare: "before" },
    "zone_name",
    `plays?by=date&${dates}&compare=before&zone=81003`,
  ],
  // Other days, or days that cannot be paired, have no such comparison.
  [
    { report: "compliance", by: ["date"], compare: "before" },
    "date",
    "compliance?by=campaign&from=2026-11-03&to=2026-11-03",
  ],
  [
    { report: "plays", by: ["zone"], kind: ["music"], compare: "2026-10-01..2026-10-20" },
    "zone_name",
    `plays?by=date&${dates}&compare=2026-10-01..2026-10-20&zone=81003&kind=music`,
  ],
  [
    { report: "plays", by: ["zone"], kind: ["music"], compare: "2026-10-01..2026-10-07" },
    "zone_name",
    `plays?by=date&${dates}&zone=81003&kind=music`,
  ],
  [
    { report: "plays", by: ["item"], compare: "before" },
    "item_name",
    `single-plays?${dates}&kind=signage&item=9`,
  ],
  [
    { report: "plays", by: ["item"], zone: ["81003"], group: ["58429"], top: "20" },
    "item_name",
    `single-plays?${dates}&group=58429&zone=81003&kind=signage&item=9`,
  ],
  [
    { report: "plays", by: ["zone", "item"] },
    "item_name",
    `single-plays?${dates}&zone=81003&kind=signage&item=9`,
  ],
  [
    { report: "plays", by: ["artist"], location: ["9"], kind: ["music"] },
    "artist_name",
    `single-plays?${dates}&location=9&kind=music&artist=5012`,
  ],
  // Plays take a campaign, and its attributes, only by campaign; single plays have no attributes of campaigns.
  [
    { report: "plays", by: ["campaign"], where: ["brand=A"] },
    "campaign_name",
    `plays?by=campaign,zone&${dates}&kind=signage&campaign=7&where=brand=A`,
  ],
  [
    { report: "plays", by: ["campaign", "region"] },
    "region",
    `plays?by=campaign&${dates}&where=region=East,%20far`,
  ],
  [
    { report: "plays", by: ["campaign", "region"] },
    "campaign_name",
    `plays?by=campaign,zone&${dates}&kind=signage&campaign=7&where=region=East,%20far`,
  ],
  [
    { report: "plays", by: ["campaign", "zone"] },
    "zone_name",
    `plays?by=campaign,date&${dates}&zone=81003&kind=signage&campaign=7`,
  ],
  [
    { report: "plays", by: ["campaign", "date"], zone: ["81003"], where: ["region=North"] },
    "date",
    "single-plays?from=2026-11-03&to=2026-11-03&zone=81003&kind=signage&campaign=7",
  ],
  [{ report: "plays", by: ["zone"] }, "plays", undefined],
  [{ report: "plays", by: ["zone"] }, "group_name", undefined],
];

it.each(cases)("%o, %s", (words, column, address) => {
  const lead = findNameDrillDown({ name: column }, row, parseReportOptions(words), period);
  expect(lead && formatAddress(lead)).toBe(address);
});

it("a row without an id has no drill-down", () => {
  const options = parseReportOptions({ report: "plays", by: ["location"] });
  expect(
    findNameDrillDown({ name: "location_name" }, { ...row, location_name: null }, options, period),
  ).toBeUndefined();
});

it.each<[by: string, column: string, address: string | undefined]>([
  // Signage has no artist, and a zone may have no group.
  ["artist,date", "date", undefined],
  ["group,date", "date", undefined],
  ["group,zone", "zone_name", `plays?by=date&${dates}&zone=81003`],
])("a row that no address can select has no drill-down: by %s, %s", (by, column, address) => {
  const options = parseReportOptions({ report: "plays", by: [by] });
  const ofNone = { ...row, artist_id: null, artist_name: null, group_id: null, group_name: null };
  const lead = findNameDrillDown({ name: column }, ofNone, options, period);
  expect(lead && formatAddress(lead)).toBe(address);
});

it.each<[link: OwnLink, address: string]>([
  [{ view: "plays", words: { by: "date", zone: "{zone_id}" } }, `plays?by=date&${dates}&zone=81003`],
  [{ view: "devices", words: { zone: "{zone_id}" } }, "devices?zone=81003"],
  // Schedules cover no past days.
  [{ view: "schedule", words: { zone: "{zone_id}" } }, "schedule?zone=81003"],
])("an own report's link to %o keeps the period if it can", (link, address) => {
  const own: OwnReport = {
    name: "stores",
    path: "own/reports/stores.sql",
    sql: "",
    title: "Stores",
    summary: "Stores.",
    reads: ["period"],
    columns: [],
    links: new Map([["zone_name", link]]),
  };
  const lead = findNameDrillDown(
    { name: "zone_name" },
    row,
    parseReportOptions({ report: "stores", own }),
    period,
  );
  expect(lead && formatAddress(lead)).toBe(address);
});

it.each([
  ["plays", {}, "zone"],
  ["compliance", { zone: "81003" }, "campaign"],
  ["uptime", { zone: "81003", device: "110" }, "date"],
  ["uptime", { by: "week" }, "week"],
  ["quality", {}, undefined],
])("%s of %o has rows with drill-downs", (view, words, by) => {
  expect(withDefaultGrouping({ view, words }).words.by).toBe(by);
});
