import type { ComplianceState } from "./compliance-states.ts";

/** States of a device now, most urgent first. `deviceTables` in catalog/devices.ts determines them. */
export const deviceStates = ["down", "silent", "unknown", "up", "replaced"] as const;

/** States of a line of booked plays on the day of the data. `sql/reports/templates/delivery.sql` determines them. */
export const targetStates = ["upcoming", "running", "ended"] as const;

/** A state that `--only` takes: of days of campaigns, of devices, or of lines of booked plays. */
export type RowState = ComplianceState | (typeof deviceStates)[number] | (typeof targetStates)[number];
