import { expect, it } from "vitest";
import { firstIdOf } from "../../../src/lake/machine.ts";
import { parseReportOptions, type ReportWords } from "../../../src/report/options/parse-report-options.ts";
import { ReportOptionError } from "../../../src/report/options/report-option-error.ts";

const all = { by: [], chosen: {}, kinds: [], format: "table" };

it.each<[string, ReportWords, object]>([
  ["nothing", { report: "plays" }, { ...all, report: "plays" }],
  [
    "by words in the order of the columns, each once",
    { report: "plays", by: ["date, zone", "kind", "zone"] },
    { ...all, report: "plays", by: ["kind", "zone", "date"] },
  ],
  [
    "what is named, as it was typed",
    { report: "plays", zone: ["1,2", "Fulton Bar"], group: ["0"], kind: ["music,signage"] },
    {
      ...all,
      report: "plays",
      chosen: { zone: ["1,2", "Fulton Bar"], group: ["0"] },
      kinds: ["music", "signage"],
    },
  ],
  [
    "dates and the rest",
    { report: "plays", from: "2024-02-29", to: "2024-02-29", top: "5", format: "csv" },
    { ...all, report: "plays", from: "2024-02-29", to: "2024-02-29", top: 5, format: "csv" },
  ],
  [
    "a word to compare with",
    { report: "plays", compare: "before" },
    { ...all, report: "plays", compare: "before" },
  ],
  [
    "a period to compare with",
    { report: "uptime", by: ["date"], compare: "2026-10-01..2026-10-01" },
    { ...all, report: "uptime", by: ["date"], compare: { from: "2026-10-01", to: "2026-10-01" } },
  ],
  [
    "the number of a load that a machine of a lake made",
    { report: "rejects", load: [String(firstIdOf("north") + 1)] },
    { ...all, report: "rejects", loadIds: [3_874_013_256_351_745] },
  ],
])("reads %s", (_label, words, options) => {
  expect(parseReportOptions(words)).toEqual(options);
});

it.each<[Partial<ReportWords>, string]>([
  [
    { report: "play" },
    'venue report does not take "play". Did you mean plays? It takes plays, compliance, uptime, outages, devices, quality, single-plays, loads, rejects.',
  ],
  [
    { report: "sales" },
    'venue report does not take "sales". It takes plays, compliance, uptime, outages, devices, quality, single-plays, loads, rejects.',
  ],
  [
    { by: ["zone,wek"] },
    '--by does not take "wek". Did you mean week? It takes kind, group, location, zone, item, artist, date, week, month, hour.',
  ],
  [{ by: [""] }, "--by has an empty value. Put one comma between values."],
  [{ report: "quality", by: ["zone"] }, "The quality report does not take --by."],
  [{ report: "quality", top: "3" }, "The quality report does not take --top."],
  [{ report: "plays", campaign: ["1"] }, "The plays report does not take --campaign."],
  [{ report: "devices", from: "2026-11-01" }, "The devices report does not take --from."],
  [{ from: "2026-02-30" }, "--from (2026-02-30) is not a date. Write one that exists, as YYYY-MM-DD."],
  [{ from: "2026-13-01" }, "--from (2026-13-01) is not a date. Write one that exists, as YYYY-MM-DD."],
  [{ to: "yesterday" }, "--to (yesterday) is not a date. Write one that exists, as YYYY-MM-DD."],
  [
    { to: "9999-12-31" },
    "--to (9999-12-31) is not a date that reports cover. Write one from 1900-01-01 to 2099-12-31.",
  ],
  [
    { from: "0001-01-01" },
    "--from (0001-01-01) is not a date that reports cover. Write one from 1900-01-01 to 2099-12-31.",
  ],
  [{ to: "" }, "--to () is not a date. Write one that exists, as YYYY-MM-DD."],
  [{ from: "2026-11-02", to: "2026-11-01" }, "--from (2026-11-02) is after --to (2026-11-01)."],
  [
    { kind: ["musik"] },
    '--kind does not take "musik". Did you mean music? It takes music, signage, messaging.',
  ],
  [
    { report: "compliance", kind: ["music"] },
    "--kind music can't be used with compliance: music has no campaigns. It takes signage, messaging.",
  ],
  [{ report: "compliance", kind: ["musik"] }, '--kind does not take "musik". It takes signage, messaging.'],
  [{ top: "0" }, "--top (0) must be a whole number, 1 or more."],
  [{ top: "2.5" }, "--top (2.5) must be a whole number, 1 or more."],
  [
    { report: "uptime", failUnder: "95" },
    "--fail-under (95) is not a share. Write a number from 0 to 1, such as 0.95.",
  ],
  [
    { format: "jsn" },
    '--format does not take "jsn". Did you mean json? It takes table, csv, json, md, html, xlsx, arrow, parquet.',
  ],
])("refuses %j", (words, message) => {
  const parse = () => parseReportOptions({ report: "plays", ...words });
  expect(parse).toThrow(ReportOptionError);
  expect(parse).toThrow(message);
});
