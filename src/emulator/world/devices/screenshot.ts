import { findOutages } from "../premises/outages.ts";
import type { Zone } from "../premises/zone.ts";
import type { WorldPlan } from "../world-plan.ts";

const hourMs = 3_600_000;
const shownCount = 4;
const hoursLookedBack = 72;

/** When the newest screenshots of a zone's device were taken, newest first: on the hour, while it was up. */
export function screenshotInstants(plan: WorldPlan, zone: Zone, atMs: number): number[] {
  const newestMs = Math.floor(atMs / hourMs) * hourMs;
  const instants: number[] = [];
  for (let back = 0; back < hoursLookedBack && instants.length < shownCount; back += 1) {
    const takenAtMs = newestMs - back * hourMs;
    const isDown = findOutages(plan.seed, zone.deviceId, takenAtMs, takenAtMs + 1).length > 0;
    if (!isDown) instants.push(takenAtMs);
  }
  return instants;
}
