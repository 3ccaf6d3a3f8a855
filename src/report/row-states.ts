import type { ComplianceState } from "./catalog/compliance-states.ts";
import type { targetStates } from "./catalog/delivery.ts";
import type { deviceStates } from "./catalog/devices.ts";

/** A state that `--only` takes: of days of campaigns, of devices, or of lines of booked plays. */
export type RowState = ComplianceState | (typeof deviceStates)[number] | (typeof targetStates)[number];
