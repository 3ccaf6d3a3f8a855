/** All reports, in the order of `--help`. */
export const reportNames = [
  "plays",
  "compliance",
  "schedule",
  "uptime",
  "outages",
  "devices",
  "quality",
  "silences",
  "single-plays",
  "loads",
  "rejects",
] as const;

export function isReportName(text: string): text is ReportName {
  return (reportNames as readonly string[]).includes(text);
}

export type ReportName = (typeof reportNames)[number];
