/**
 * States of a campaign day, with their wording, in the order in which `fact_campaign_zone_day` tests them; the first
 * match is used. A test compares this table with the SQL of the fact, the check and `--explain`.
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

/**
 * Reasons why scheduled campaign days did not run or have no result, with their wording, in the order in which
 * `fact_campaign_zone_day` tests them.
 */
export const complianceReasonNames = {
  not_settled: "not settled yet",
  closed_by_hours: "closed by its opening hours",
  closed_by_habit: "never plays on this weekday",
  listings_disagree: "listings disagree",
  device_unknown: "device state unknown",
  device_down: "device down",
  not_due_while_open: "not due while open",
  zone_silent: "nothing played",
  kind_silent: "nothing of the kind played",
  other_content: "other content played",
} as const;

export type ComplianceReason = keyof typeof complianceReasonNames;

export const complianceReasons = Object.keys(complianceReasonNames) as ComplianceReason[];
