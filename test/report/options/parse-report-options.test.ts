import { expect, it } from "vitest";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { ReportWords } from "../../../src/report/options/parse-request.ts";

const all = { by: [], chosen: {}, kinds: [], format: "table" };

it.each<[string, ReportWords, object]>([
  ["nothing", { report: "plays" }, { ...all, report: "plays" }],
  [
    "by words in the order of the columns, each once",
    { report: "plays", by: ["date, Zone", "kind", "zone"] },
    { ...all, report: "plays", by: ["kind", "zone", "date"] },
  ],
  [
    "names as typed",
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
    "groups of the largest rows, in the order of the columns",
    { report: "plays", by: ["item,Region,city"], top: "20", per: ["City,region"] },
    { ...all, report: "plays", by: ["region", "city", "item"], top: 20, per: ["region", "city"] },
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
    "a load id of 16 digits",
    { report: "rejects", load: ["3874013256351745"] },
    { ...all, report: "rejects", loadIds: [3_874_013_256_351_745] },
  ],
])("reads %s", (_label, words, options) => {
  const { entry, ...parsed } = parseReportOptions(words);
  expect(entry.name).toBe(words.report);
  expect(parsed).toEqual(options);
});
