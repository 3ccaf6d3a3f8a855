import { parseColumn } from "../../mart/column-definition.ts";
import { parseHeaderParts } from "../../mart/header-parts.ts";
import { listOwnFiles, type OwnFile, ownError } from "../../mart/own/own-file.ts";
import { getErrorMessage } from "../../util/venue-error.ts";
import { reportWords } from "../address/address.ts";
import { isReportName } from "../report-name.ts";
import { formatReportTitle } from "../text/titles.ts";
import { type OwnLink, type OwnRelation, type OwnReport, ownRelations } from "./own-report.ts";

/** Lists the own reports by name, also those with a problem. */
export function listOwnReports(folder: string): OwnReport[] {
  return listOwnFiles(folder, "reports").map(parseOwnReport);
}

export function findOwnReport(folder: string, name: string): OwnReport | undefined {
  return listOwnReports(folder).find((report) => report.name === name);
}

function parseOwnReport(file: OwnFile): OwnReport {
  const title = formatReportTitle(file.name.replaceAll("_", "-"));
  const report: OwnReport = {
    ...file,
    title,
    summary: `${title}.`,
    reads: listRelations(file.sql),
    columns: [],
    links: new Map(),
  };
  if (file.problem) return report;
  if (isTakenName(file.name))
    return { ...report, problem: ownError(`${file.path} has the name of another page. Rename it.`) };
  try {
    return { ...report, ...parseHeader(file) };
  } catch (error) {
    return { ...report, problem: ownError(`${getErrorMessage(error)}`, { cause: error }) };
  }
}

/** Returns true for names of pages and folders of a run, and of views of `venue serve`. */
export function isTakenName(name: string): boolean {
  return (
    isReportName(name) || ["campaigns", "cell", "index", "latest", "overview", "own", "zones"].includes(name)
  );
}

/** @throws {SyntaxError} naming the file and the invalid line */
function parseHeader({ path, sql }: OwnFile): Partial<OwnReport> {
  const { summary, fields, lists } = parseHeaderParts(path, sql, ["Title", "Reads", "Columns", "Links"]);
  const title = fields.get("Title");
  const columns = (lists.get("Columns") ?? []).map((entry) => parseColumn(path, entry));
  const links = (lists.get("Links") ?? []).map(
    ({ name, text }) => [name, parseLink(path, name, text)] as const,
  );
  return { ...(title && { title }), ...(summary && { summary }), columns, links: new Map(links) };
}

/** Parses e.g. `single-plays?item={item_id}&kind=music`. */
function parseLink(path: string, column: string, text: string): OwnLink {
  const [view = "", query = ""] = text.split("?");
  const words: Record<string, string> = {};
  for (const part of query.split("&").filter(Boolean)) {
    const [word = "", value = ""] = part.split("=");
    if (!(reportWords as readonly string[]).includes(word))
      throw new SyntaxError(
        `${path}: the link of ${column} has the unknown word ${word}. Words: ${reportWords.join(", ")}.`,
      );
    words[word] = value;
  }
  if (isReportName(view)) return { view, words };
  throw new SyntaxError(
    `${path}: the link of ${column} should name a report and its options, such as plays?by=date&zone={zone_id}, not ${text}`,
  );
}

/** Finds relations in the code, outside comments and texts. */
function listRelations(sql: string): OwnRelation[] {
  const code = sql
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/'(?:[^']|'')*'/g, "''");
  return ownRelations.filter((relation) =>
    new RegExp(`\\b(?:from|join|,)\\s*"?${relation}\\b`, "i").test(code),
  );
}
