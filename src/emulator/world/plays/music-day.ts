import type { Opening } from "../premises/opening.ts";
import type { Zone } from "../premises/zone.ts";
import type { Random } from "../random.ts";
import { playScaleIn, type WorldPlan } from "../world-plan.ts";
import type { DayPlay } from "./day-play.ts";
import { DayRecorder } from "./day-recorder.ts";

/** Seconds of silence between songs. */
const pauseSecs = 2;

/** One song after another while the zone is open; a few are skipped soon, some songs are far more popular. */
export function musicOfDay(plan: WorldPlan, zone: Zone, opening: Opening, random: Random): DayPlay[] {
  const { opensAtMs, closesAtMs } = opening;
  const playScale = playScaleIn(plan, "music", zone);
  const recorder = new DayRecorder(plan.seed, zone, random, opensAtMs, closesAtMs);
  let startedAtMs = opensAtMs + random.between(0, 60) * 1000;
  while (startedAtMs < closesAtMs) {
    const song =
      plan.songs[Math.floor(random.fraction() ** 2 * plan.songs.length)] ?? random.pick(plan.songs);
    const isSkipped = random.chance(0.03);
    const lengthSecs = isSkipped ? random.between(3, 29) : song.durationSecs;
    const playedSecs = Math.min(lengthSecs, (closesAtMs - startedAtMs) / 1000);
    recorder.record(startedAtMs, playedSecs, song, song.artists);
    startedAtMs += Math.max(1, Math.round((lengthSecs + pauseSecs) / playScale)) * 1000;
  }
  return recorder.plays;
}
