import type { ComplianceReason, ComplianceState } from "./catalog/compliance-states.ts";
import type { targetStates } from "./catalog/delivery.ts";
import type { deviceStates } from "./catalog/devices.ts";

/** What `--only` takes: states of campaign days and their reasons, of devices, of booked plays, or of plays. */
export type RowState =
  | (ComplianceState | ComplianceReason)
  | ((typeof deviceStates)[number] | (typeof targetStates)[number])
  | "outside_hours";
