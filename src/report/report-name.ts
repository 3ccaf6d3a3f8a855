/** Every report, in the order of `--help`. */
export const reportNames = ["plays", "quality"] as const;
export type ReportName = (typeof reportNames)[number];
