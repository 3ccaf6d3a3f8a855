/** States of a line of booked plays on the day of the data. `sql/reports/delivery.sql` determines them. */
export const targetStates = ["upcoming", "running", "ended"] as const;

export type TargetState = (typeof targetStates)[number];
