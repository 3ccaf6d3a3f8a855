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
  if (second !== undefined) throw new ReportOptionError("--kind", kind.join(), "one kind, with --explain.");
  const day = parseDate("--date", date);
  if (day === undefined)
    throw new ReportOptionError("--date", "", "one local date, as YYYY-MM-DD, with --explain.");
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
  throw new ReportOptionError(option, (words ?? []).join(), "one number, with --explain.");
}
