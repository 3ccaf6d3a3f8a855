import type { Kind } from "../../../util/kind.ts";
import type { CalendarDay } from "../calendar-day.ts";
import { findOpening } from "../premises/opening.ts";
import type { Zone } from "../premises/zone.ts";
import { Random } from "../random.ts";
import { playScaleIn, type WorldPlan } from "../world-plan.ts";
import { campaignPlaysOfDay } from "./campaign-day.ts";
import type { DayPlay } from "./day-play.ts";
import { musicOfDay } from "./music-day.ts";

/**
 * What plays in a zone during the opening that begins on a local day, in order of time: a few hundred records, made
 * without looking at any other day. All that will ever be recorded, whatever the emulator's clock says.
 */
export function playsOfDay(plan: WorldPlan, kind: Kind, zone: Zone, day: CalendarDay): DayPlay[] {
  const opening = findOpening(zone, day);
  if (!opening || playScaleIn(plan, kind, zone) === 0) return [];
  const random = new Random(plan.seed, kind, zone.zoneId, day);
  return kind === "music"
    ? musicOfDay(plan, zone, opening, random)
    : campaignPlaysOfDay(plan, kind, zone, opening, random);
}
