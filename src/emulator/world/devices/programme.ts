import type { Artist, Song } from "../content/song.ts";
import { playsOfDay } from "../plays/plays-of-day.ts";
import { findOpening } from "../premises/opening.ts";
import type { Zone } from "../premises/zone.ts";
import type { WorldPlan } from "../world-plan.ts";

/** A song where the programme of a zone has it. */
export interface Track {
  /** When its turn comes; epoch ms. */
  startsAtMs: number;
  song: Song;
  artist: Artist;
}

/** A zone's music around an instant. */
export interface Programme {
  /** What began last comes first. */
  begun: Track[];
  /** In order. */
  upcoming: Track[];
}

/** Zones can be closed for a day. */
const daysAround = 2;
const tracksAround = 40;

/** Also beyond the world's days, for whoever lets a zone play then. */
export function programmeAround(plan: WorldPlan, zone: Zone, atMs: number): Programme {
  const today = zone.clock.dayAt(atMs);
  const tracks: Track[] = [];
  for (let day = today - daysAround; day <= today + daysAround; day += 1) {
    for (const { startedAtMs, item, artist } of playsOfDay(plan, "music", zone, day)) {
      if (artist && "artists" in item) tracks.push({ startsAtMs: startedAtMs, song: item, artist });
    }
  }
  const next = tracks.findIndex(({ startsAtMs }) => startsAtMs > atMs);
  const begunCount = next < 0 ? tracks.length : next;
  return {
    begun: tracks.slice(Math.max(0, begunCount - tracksAround), begunCount).reverse(),
    upcoming: tracks.slice(begunCount, begunCount + tracksAround),
  };
}

/** When the opening began in which an instant lies; undefined while the zone is closed, and beyond the world's days. */
export function findOpeningStart(plan: WorldPlan, zone: Zone, atMs: number): number | undefined {
  const today = zone.clock.dayAt(atMs);
  for (const day of [today, today - 1]) {
    if (day < plan.firstDay || day >= plan.firstDay + plan.days) continue;
    const opening = findOpening(zone, day);
    if (opening && opening.opensAtMs <= atMs && atMs < opening.closesAtMs) return opening.opensAtMs;
  }
  return undefined;
}
