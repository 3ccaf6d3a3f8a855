import { catalog } from "../catalog/catalog.ts";
import { createCustomEntry } from "../custom/custom-entry.ts";
import { reportNames } from "../report-name.ts";
import { requireWord } from "./option-error.ts";
import { parseRequest, type TypedOptions } from "./parse-request.ts";
import type { ReportRequest } from "./request-options.ts";

/** @throws {ReportOptionError} with the option, the value and what is accepted */
export function parseReportOptions({ custom, report: name, ...words }: TypedOptions): ReportRequest {
  if (custom !== undefined)
    return parseRequest({ report: "own", custom, entry: createCustomEntry(custom) }, words);
  const report = requireWord("venue report", name, reportNames);
  return parseRequest({ report, entry: catalog[report] }, words);
}
