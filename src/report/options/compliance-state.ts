/** What a campaign's day in a zone can be: of the table of states the first that holds, in its order. */
export const complianceStates = [
  "unscheduled",
  "pending",
  "compliant",
  "closed",
  "not_measurable",
  "missed_offline",
  "missed",
] as const;
export type ComplianceState = (typeof complianceStates)[number];
