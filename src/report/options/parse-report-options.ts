import { createOwnEntry } from "../own/own-entry.ts";
import { reportNames } from "../report-name.ts";
import { reports } from "../reports.ts";
import { parseRequest, type ReportWords } from "./parse-request.ts";
import { requireWord } from "./report-option-error.ts";
import type { ReportRequest } from "./report-options.ts";

/** @throws {ReportOptionError} naming the option, the value and what is accepted */
export function parseReportOptions({ own, report: name, ...words }: ReportWords): ReportRequest {
  if (own !== undefined) return parseRequest({ report: "own", own, entry: createOwnEntry(own) }, words);
  const report = requireWord("venue report", name, reportNames);
  return parseRequest({ report, entry: reports[report] }, words);
}
