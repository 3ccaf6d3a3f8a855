import type { CustomReport } from "../custom/custom-report.ts";
import { refuseUnless } from "./option-error.ts";
import { isTaken, listWords, type TypedRequest, toFlag } from "./option-list.ts";
import { parseOutputFormat, type TypedOutputOptions } from "./output-format.ts";
import { parseBy, splitList } from "./parse-values.ts";
import type { ReportRequest } from "./request-options.ts";

/** Options as typed. Lists may be repeated and have comma-separated values. */
export interface TypedOptions extends TypedOutputOptions, TypedRequest {
  report: string;
  /** The custom report, if one is requested. */
  custom?: CustomReport;
}

/** @throws {ReportOptionError} with the option, the value and what is accepted */
export function parseRequest(
  requested: Pick<ReportRequest, "report" | "entry" | "custom">,
  words: Omit<TypedOptions, "report" | "custom">,
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
