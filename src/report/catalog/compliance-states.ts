/**
 * States of a campaign day in a zone, with their wording. `fact_campaign_zone_day` tests them in this order,
 * and the first match counts. A test compares this table with the SQL of the fact, of the check and of
 * `--explain`.
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
