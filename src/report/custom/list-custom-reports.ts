import { listSqlParts } from "../../engines/sql-text.ts";
import { parseColumn } from "../../mart/column-definition.ts";
import {
  type CustomFile,
  customError,
  customName,
  findCustomFile,
  listCustomFiles,
} from "../../mart/custom/custom-file.ts";
import { parseHeaderParts } from "../../mart/header-parts.ts";
import { getErrorMessage } from "../../util/venue-error.ts";
import { requireWord } from "../options/option-error.ts";
import { reportWords } from "../options/option-list.ts";
import { isReportName, reportNames } from "../report-name.ts";
import { formatReportTitle } from "../text/titles.ts";
import {
  type CustomLink,
  type CustomRanking,
  type CustomRelation,
  type CustomReport,
  customRelations,
  listPlaceholders,
} from "./custom-report.ts";

/** Lists the custom reports by name, including those with a problem. */
export function listCustomReports(folder: string): CustomReport[] {
  return listCustomFiles(folder, "reports").map(parseCustomReport);
}

export function findCustomReport(folder: string, name: string): CustomReport | undefined {
  const file = findCustomFile(folder, "reports", name);
  return file && parseCustomReport(file);
}

/** @throws {ReportOptionError} if no report has the name */
export function getCustomReport(folder: string, name: string): CustomReport {
  const custom = listCustomReports(folder);
  const known = requireWord("venue report", name, [...reportNames, ...custom.map((one) => one.name)]);
  return custom.find((one) => one.name === known) as CustomReport;
}

/** Returns false if a page cannot have the report's name. */
export function hasCustomPage({ name }: Pick<CustomReport, "name">): boolean {
  return customName.test(name) && !isTakenName(name);
}

function parseCustomReport(file: CustomFile): CustomReport {
  const title = formatReportTitle(file.name.replaceAll("_", "-"));
  const report: CustomReport = {
    ...file,
    title,
    summary: `${title}.`,
    reads: listRelations(file.sql),
    columns: [],
    links: new Map(),
  };
  if (file.problem) return report;
  if (isTakenName(file.name))
    return { ...report, problem: customError(`${file.path} has the name of another page. Rename it.`) };
  try {
    return { ...report, ...parseHeader(file) };
  } catch (error) {
    return { ...report, problem: customError(`${getErrorMessage(error)}`, { cause: error }) };
  }
}

/** Returns true for names already used by pages or folders of a run, or by pages of `venue serve`. */
export function isTakenName(name: string): boolean {
  return (
    isReportName(name) ||
    "campaigns cell healthz index latest metrics overview own proof zones".split(" ").includes(name)
  );
}

/** @throws {SyntaxError} with the file and the invalid line */
function parseHeader({ path, sql }: CustomFile): Partial<CustomReport> {
  const { summary, fields, lists } = parseHeaderParts(path, sql, [
    "Title",
    "Headline",
    "Chart",
    "Reads",
    "Columns",
    "Links",
  ]);
  const title = fields.get("Title");
  const columns = (lists.get("Columns") ?? []).map((entry) => parseColumn(path, entry));
  const links = (lists.get("Links") ?? []).map(
    ({ name, text }) => [name, parseLink(path, name, text)] as const,
  );
  const [headline, chart] = [fields.get("Headline"), fields.get("Chart")];
  return {
    ...(title && { title }),
    ...(summary && { summary }),
    ...(headline && { headline: parseHeadline(path, headline) }),
    ...(chart && { ranking: parseRanking(path, chart) }),
    ...{ columns, links: new Map(links) },
  };
}

function parseHeadline(path: string, text: string): string {
  const known = listPlaceholders(text).map((one) => one.text);
  const unknown = (text.match(/\{[^}]*\}?/g) ?? []).find((found) => !known.includes(found));
  if (unknown === undefined) return text;
  throw new SyntaxError(
    `${path}: the headline has ${unknown}. It takes {count}, and for a column {sum:plays}, {min:date} and {max:date}.`,
  );
}

function parseRanking(path: string, text: string): CustomRanking {
  const [, value, label] = /^ranking (\w+) by (\w+)$/.exec(text) ?? [];
  if (value !== undefined && label !== undefined) return { value, label };
  throw new SyntaxError(
    `${path}: the chart should be written as in "ranking plays by item_name", not ${text}`,
  );
}

/** Parses e.g. `single-plays?item={item_id}&kind=music`. */
function parseLink(path: string, column: string, text: string): CustomLink {
  const [view = "", query = ""] = text.split("?");
  const words: Record<string, string> = {};
  for (const part of query.split("&").filter(Boolean)) {
    const [word = "", value = ""] = part.split("=");
    if (!(reportWords as readonly string[]).includes(word))
      throw new SyntaxError(
        `${path}: the link of ${column} has the unknown argument ${word}. Arguments: ${reportWords.join(", ")}.`,
      );
    words[word] = value;
  }
  if (isReportName(view)) return { view, words };
  throw new SyntaxError(
    `${path}: the link of ${column} should name a report and its options, such as plays?by=date&zone={zone_id}, not ${text}`,
  );
}

/**
 * Finds the relations that a select reads, for help and options. A run uses the parser's result, which differs only for
 * unusual texts such as `extract(year from period)`.
 */
function listRelations(sql: string): CustomRelation[] {
  const found = new Set<string>();
  // For each open bracket, true within a from clause.
  const clauses = [false];
  let isTable = false;
  for (const part of listSqlParts(sql)) {
    const word = part.toLowerCase().replaceAll('"', "");
    if (isTable) found.add(word);
    if (word === "(") clauses.push(isTable);
    else if (word === ")") clauses.pop();
    else if (word === "from" || word === "join") clauses.splice(-1, 1, true);
    else if (endsOfFrom.has(word)) clauses.splice(-1, 1, false);
    isTable =
      word === "from" || word === "join" || (clauses.at(-1) === true && (word === "," || word === "("));
  }
  return customRelations.filter((relation) => found.has(relation));
}

const endsOfFrom: ReadonlySet<string> = new Set(
  "select where group having qualify window order limit union except intersect".split(" "),
);
