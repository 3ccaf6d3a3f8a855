import { gatherPieces } from "../../report/format/gather-pieces.ts";
import { type FormatName, loadFormatter } from "../../report/formats.ts";
import type { AskedReport } from "../../report/options/report-options.ts";
import { runReport } from "../../report/run-report.ts";
import type { takeAwayFormats } from "../frame/render-take-away.ts";
import type { Download, Shown } from "../requests/readers.ts";

const types: Readonly<Record<keyof typeof takeAwayFormats, string>> = {
  csv: "text/csv; charset=UTF-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  json: "application/json",
  parquet: "application/vnd.apache.parquet",
  arrow: "application/vnd.apache.arrow.stream",
  md: "text/markdown; charset=UTF-8",
  html: "text/html; charset=UTF-8",
};

export function isFormat(ending: string): ending is keyof typeof types & FormatName {
  return Object.hasOwn(types, ending);
}

/** All rows of a view as a file, in the format that the options name. */
export async function takeAway(
  options: AskedReport & { format: keyof typeof types },
  { taken: { mart }, now }: Shown,
): Promise<Download> {
  const format = await loadFormatter(options.format);
  const report = await runReport(mart, options, now);
  return {
    type: types[options.format],
    fileName: `${options.report}.${options.format}`,
    pieces: gatherPieces(format(report)),
  };
}
