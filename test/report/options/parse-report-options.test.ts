import { expect, it } from "vitest";
import { parseReportOptions, type ReportWords } from "../../../src/report/options/parse-report-options.ts";
import { ReportOptionError } from "../../../src/report/options/report-option-error.ts";

const all = { by: [], groupIds: [], zoneIds: [], locationIds: [], kinds: [], format: "table" };

it.each<[string, ReportWords, object]>([
  ["nothing", { report: "plays" }, { ...all, report: "plays" }],
  [
    "by words in the order of the columns, each once",
    { report: "plays", by: ["date, zone", "kind", "zone"] },
    { ...all, report: "plays", by: ["kind", "zone", "date"] },
  ],
  [
    "lists of ids, with commas and repeated",
    {
      report: "plays",
      zone: ["1,2", "2", " 3"],
      group: ["0"],
      location: ["2251799813685247"],
      kind: ["music,signage"],
    },
    {
      ...all,
      report: "plays",
      zoneIds: [1, 2, 3],
      groupIds: [0],
      locationIds: [2_251_799_813_685_247],
      kinds: ["music", "signage"],
    },
  ],
  [
    "dates and the rest",
    { report: "plays", from: "2024-02-29", to: "2024-02-29", top: "5", format: "csv" },
    { ...all, report: "plays", from: "2024-02-29", to: "2024-02-29", top: 5, format: "csv" },
  ],
])("reads %s", (_label, words, options) => {
  expect(parseReportOptions(words)).toEqual(options);
});

it.each<[Partial<ReportWords>, string]>([
  [
    { report: "play" },
    'report: "play" is not accepted. Accepted: plays, compliance, uptime, outages, devices, quality. Did you mean plays?',
  ],
  [
    { report: "sales" },
    'report: "sales" is not accepted. Accepted: plays, compliance, uptime, outages, devices, quality.',
  ],
  [
    { by: ["zone,wek"] },
    '--by: "wek" is not accepted. Accepted: kind, group, location, zone, item, artist, date, week, month, hour. Did you mean week?',
  ],
  [{ by: [""] }, "--by: is missing or empty. Accepted: values with commas between."],
  [
    { report: "quality", by: ["zone"] },
    '--by: "zone" is not accepted. Accepted: nothing: the quality report has rows of its own.',
  ],
  [
    { report: "quality", top: "3" },
    '--top: "3" is not accepted. Accepted: nothing: the quality report is no ranking.',
  ],
  [
    { from: "2026-02-30" },
    '--from: "2026-02-30" is not accepted. Accepted: a date that exists, as YYYY-MM-DD.',
  ],
  [
    { from: "2026-13-01" },
    '--from: "2026-13-01" is not accepted. Accepted: a date that exists, as YYYY-MM-DD.',
  ],
  [{ to: "yesterday" }, '--to: "yesterday" is not accepted. Accepted: a date that exists, as YYYY-MM-DD.'],
  [{ to: "" }, "--to: is missing or empty. Accepted: a date that exists, as YYYY-MM-DD."],
  [
    { from: "2026-11-02", to: "2026-11-01" },
    '--from: "2026-11-02" is not accepted. Accepted: a date up to --to, which is 2026-11-01.',
  ],
  [
    { zone: ["1,x"] },
    '--zone: "x" is not accepted. Accepted: whole numbers from 0 to 2251799813685247, commas between.',
  ],
  [
    { group: ["-1"] },
    '--group: "-1" is not accepted. Accepted: whole numbers from 0 to 2251799813685247, commas between.',
  ],
  [
    { location: ["1.5"] },
    '--location: "1.5" is not accepted. Accepted: whole numbers from 0 to 2251799813685247, commas between.',
  ],
  [
    { zone: ["2251799813685248"] },
    '--zone: "2251799813685248" is not accepted. Accepted: whole numbers from 0 to 2251799813685247, commas between.',
  ],
  [
    { kind: ["musik"] },
    '--kind: "musik" is not accepted. Accepted: music, signage, messaging. Did you mean music?',
  ],
  [{ top: "0" }, '--top: "0" is not accepted. Accepted: a whole number from 1.'],
  [{ top: "2.5" }, '--top: "2.5" is not accepted. Accepted: a whole number from 1.'],
  [
    { format: "jsn" },
    '--format: "jsn" is not accepted. Accepted: table, csv, json, md, html, arrow, parquet. Did you mean json?',
  ],
])("refuses %j", (words, message) => {
  const parse = () => parseReportOptions({ report: "plays", ...words });
  expect(parse).toThrow(ReportOptionError);
  expect(parse).toThrow(message);
});
