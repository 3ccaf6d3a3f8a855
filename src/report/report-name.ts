/** Every report, in the order of `--help`. */
export const reportNames = ["plays", "compliance", "uptime", "outages", "devices", "quality"] as const;
export type ReportName = (typeof reportNames)[number];
