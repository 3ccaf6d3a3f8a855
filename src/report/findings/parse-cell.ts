import { parseDate, parseIds } from "../options/parse-report-options.ts";
import { ReportOptionError, requireWord } from "../options/report-option-error.ts";
import type { Cell } from "./explain-cell.ts";

/** What was typed of a cell. */
export interface CellWords {
  campaign?: readonly string[];
  zone?: readonly string[];
  date?: string;
  kind?: readonly string[];
}

/** @throws {ReportOptionError} naming the option that is missing or wrong */
export function parseCell({ campaign, zone, date, kind = [] }: CellWords): Cell {
  const [first, second] = kind;
  if (second !== undefined) throw new ReportOptionError("--kind", "--explain takes one --kind.");
  const day = parseDate("--date", date);
  if (day === undefined) {
    throw new ReportOptionError("--date", "--explain needs --date: the local day, as YYYY-MM-DD.");
  }
  return {
    campaignId: parseOne("--campaign", campaign),
    zoneId: parseOne("--zone", zone),
    date: day,
    ...(first === undefined ? {} : { kind: requireWord("--kind", first, ["signage", "messaging"]) }),
  };
}

function parseOne(option: string, words: readonly string[] | undefined): number {
  const [id, another] = parseIds(option, words);
  if (id !== undefined && another === undefined) return id;
  const count = id === undefined ? "needs" : "takes one";
  throw new ReportOptionError(option, `--explain ${count} ${option}.`);
}
