import { type CalendarDay, dayMs } from "../calendar-day.ts";
import type { ContentKind } from "../content/content-kind.ts";
import { type ScheduledCampaign, scheduledCampaigns } from "../content/schedule.ts";
import type { Opening } from "../premises/opening.ts";
import type { Zone } from "../premises/zone.ts";
import { Random } from "../random.ts";
import { playScaleIn, type WorldPlan } from "../world-plan.ts";
import type { DayPlay } from "./day-play.ts";
import { DayRecorder } from "./day-recorder.ts";

/** Seconds from one turn of a screen or a voice to the next. */
const turnSecs = { signage: 370, messaging: 1300 };

interface Turns extends ScheduledCampaign {
  taken: number;
}

/**
 * Signage or messages of one opening: at every turn the scheduled campaign that had the fewest turns so far that
 * day plays its next asset. Now and then a player fails to run a campaign for a whole day.
 */
export function campaignPlaysOfDay(
  plan: WorldPlan,
  kind: ContentKind,
  zone: Zone,
  { opensAtMs, closesAtMs }: Opening,
  random: Random,
): DayPlay[] {
  const recorder = new DayRecorder(plan.seed, zone, random, opensAtMs, closesAtMs);
  const stepSecs = Math.max(1, Math.round(turnSecs[kind] / playScaleIn(plan, kind, zone)));
  let turns: readonly Turns[] = [];
  let turnsDay: CalendarDay | undefined;
  for (
    let turnAtMs = opensAtMs + random.between(0, stepSecs) * 1000;
    turnAtMs < closesAtMs;
    turnAtMs += stepSecs * 1000
  ) {
    const localMs = turnAtMs + zone.clock.offsetMinutesAt(turnAtMs) * 60_000;
    const day = Math.floor(localMs / dayMs);
    if (day !== turnsDay) {
      turns = turnsOfDay(plan, kind, zone, day);
      turnsDay = day;
    }
    const turn = findNextTurn(turns, Math.floor((localMs % dayMs) / 3_600_000));
    const asset = turn?.assets[turn.taken % turn.assets.length];
    if (!turn || !asset) continue;
    turn.taken += 1;
    const playedSecs = random.chance(0.03) ? random.between(1, asset.durationSecs - 1) : asset.durationSecs;
    recorder.record(turnAtMs, Math.min(playedSecs, (closesAtMs - turnAtMs) / 1000), asset);
  }
  return recorder.plays;
}

function turnsOfDay(plan: WorldPlan, kind: ContentKind, zone: Zone, day: CalendarDay): Turns[] {
  return scheduledCampaigns(plan.campaigns, kind, zone, day)
    .filter(({ campaign }) => {
      const random = new Random(plan.seed, "miss", kind, campaign.campaignId, zone.zoneId, day);
      return !random.chance(0.01);
    })
    .map((scheduled) => ({ ...scheduled, taken: 0 }));
}

function findNextTurn(turns: readonly Turns[], hour: number): Turns | undefined {
  let next: Turns | undefined;
  for (const turn of turns) {
    const hours = turn.campaign.recurrence?.hours;
    if (hours && !hours.includes(hour)) continue;
    if (!next || turn.taken < next.taken) next = turn;
  }
  return next;
}
