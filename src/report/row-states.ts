import type { ComplianceReason, ComplianceState } from "./catalog/compliance-states.ts";
import type { targetStates } from "./catalog/delivery.ts";
import type { deviceStates } from "./catalog/devices.ts";

/** Values of `--only`: states or reasons of campaign days, and states of devices, booked plays and plays. */
export type RowState =
  | (ComplianceState | ComplianceReason)
  | ((typeof deviceStates)[number] | (typeof targetStates)[number])
  | "outside_hours";
