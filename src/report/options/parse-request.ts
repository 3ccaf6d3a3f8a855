import type { CustomReport } from "../custom/custom-report.ts";
import { type OutputWords, parseOutputFormat } from "./output-format.ts";
import { parseBy, splitList } from "./parse-words.ts";
import { refuseUnless } from "./report-option-error.ts";
import type { ReportRequest } from "./report-options.ts";
import { isTaken, listWords, type RequestWords, toFlag } from "./request-words.ts";

/** Options as typed. Lists may be repeated and have comma-separated values. */
export interface ReportWords extends OutputWords, RequestWords {
  report: string;
  /** The custom report, if one is requested. */
  custom?: CustomReport;
}

/** @throws {ReportOptionError} with the option, the value and what is accepted */
export function parseRequest(
  requested: Pick<ReportRequest, "report" | "entry" | "custom">,
  words: Omit<ReportWords, "report" | "custom">,
): ReportRequest {
  const { entry } = requested;
  const by = parseBy(entry, words.by === undefined ? (entry.defaultBy ?? []) : splitList("--by", words.by));
  const given = listWords().flatMap(([word, { parse }]) => {
    const typed = [words[word] ?? []].flat();
    return typed.length === 0 ? [] : [{ word, parse, typed }];
  });
  for (const { word, typed } of given)
    refuseUnless(isTaken(entry, word, by), entry.name, toFlag(word), typed);
  let request: ReportRequest = { ...requested, by, chosen: {}, kinds: [], format: "table" };
  for (const { parse, typed } of given) {
    const { chosen, ...parsed } = parse(typed, { entry, words, request });
    request = { ...request, ...parsed, chosen: { ...request.chosen, ...chosen } };
  }
  return { ...request, format: parseOutputFormat(words) };
}
