import { extname } from "node:path";
import { type FormatName, findFormatOfEnding, formatEndings, formatNames } from "../formats.ts";
import { ReportOptionError, requireWord } from "./report-option-error.ts";

/** What was typed of where a report goes, and in which form. */
export interface OutputWords {
  format?: string;
  /** A file instead of stdout. */
  out?: string;
  /** A byte order mark before a CSV. */
  bom?: boolean;
}

/**
 * The format that was asked for, else the one that the file's ending names, else a table.
 * @throws {ReportOptionError} where words contradict each other, and for an ending that names no format
 */
export function parseOutputFormat({ bom = false, ...words }: OutputWords): FormatName {
  const format = chooseFormat(words);
  if (!bom || format === "csv") return format;
  throw new ReportOptionError("--bom", `--bom is for CSV, and the output is ${format}. Leave it out.`);
}

function chooseFormat({ format, out = "" }: OutputWords): FormatName {
  const ending = extname(out).slice(1);
  const named = findFormatOfEnding(ending);
  if (format === undefined) {
    if (ending === "" || named !== undefined) return named ?? "table";
    throw new ReportOptionError(
      "--out",
      `--out (${out}) does not say which format to write. End the name in ${formatEndings.join(", ")}, or add --format.`,
    );
  }
  const asked = requireWord("--format", format, formatNames);
  if (named === undefined || named === asked) return asked;
  throw new ReportOptionError(
    "--out",
    `--out (${out}) names the format ${named}, but ${asked} was asked for. Leave out one of the two.`,
  );
}
