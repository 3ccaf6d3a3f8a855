/** All reports, in the order of `--help`. */
export const reportNames = [
  "plays",
  "compliance",
  "schedule",
  "delivery",
  "uptime",
  "outages",
  "devices",
  "quality",
  "silences",
  "single-plays",
  "loads",
  "rejects",
] as const;

export function isReportName(text: string): text is (typeof reportNames)[number] {
  return (reportNames as readonly string[]).includes(text);
}

/** `own`: a report from a user's file. */
export type ReportName = (typeof reportNames)[number] | "own";

/** Returns the name of a requested report's page and files, and its word after `venue report`. */
export function viewOf({ report, own }: { report: ReportName; own?: { name: string } | undefined }): string {
  return own?.name ?? report;
}
