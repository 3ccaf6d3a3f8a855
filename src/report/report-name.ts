import { entryLoaders } from "./catalog/load-entry.ts";

type CatalogName = keyof typeof entryLoaders;

/** All reports, in the order of `--help`. */
export const reportNames = Object.keys(entryLoaders) as readonly CatalogName[];

export function isReportName(text: string): text is CatalogName {
  return (reportNames as readonly string[]).includes(text);
}

/** `own`: a custom report. */
export type ReportName = CatalogName | "own";

/** Returns the name of a requested report, as used for its page, its files and the argument of `venue report`. */
export function viewOf({
  report,
  custom,
}: {
  report: ReportName;
  custom?: { name: string } | undefined;
}): string {
  return custom?.name ?? report;
}
