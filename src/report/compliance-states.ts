/**
 * States of a campaign's day in a zone, with their wording. `fact_campaign_zone_day` tests them in this order
 * and the first match counts; a test compares its SQL, the check's and that of `--explain` with this table.
 */
export const complianceStateNames = {
  unscheduled: "played without being scheduled",
  pending: "not settled yet",
  compliant: "ran",
  closed: "closed",
  not_measurable: "not measurable",
  missed_offline: "missed while the device was down",
  missed: "missed",
} as const;

export type ComplianceState = keyof typeof complianceStateNames;

export const complianceStates = Object.keys(complianceStateNames) as ComplianceState[];
