import type { Kind } from "../../util/kind.ts";
import { parseOptions, type WorldOptions, type WorldSettings, worldOptions } from "../options.ts";
import { type CalendarDay, dayMs } from "./calendar-day.ts";
import { type Campaign, planCampaigns } from "./content/campaign.ts";
import { type Playlist, planPlaylists, planSongs, type Song } from "./content/song.ts";
import { planZones, type Zone } from "./premises/zone.ts";
import { type Notice, planNotices } from "./status.ts";

/** Source of all generated plays and listings. */
export interface WorldPlan
  extends Pick<WorldSettings, "seed" | "days" | "playScale" | "zoneScales" | "deviceSwaps"> {
  firstDay: CalendarDay;
  zones: readonly Zone[];
  songs: readonly Song[];
  playlists: readonly Playlist[];
  campaigns: readonly Campaign[];
  notices: readonly Notice[];
}

/** @throws {EmulatorOptionError} naming an option that is out of range */
export function planWorld(options: WorldOptions): WorldPlan {
  const { seed, days, startDate, zones, playScale, zoneScales, ...parsed } = parseOptions(
    worldOptions,
    options,
  );
  const firstDay = Date.parse(startDate) / dayMs;
  return {
    seed,
    firstDay,
    days,
    playScale,
    zoneScales,
    zones: planZones(zones, firstDay, days),
    songs: planSongs(seed, firstDay),
    playlists: planPlaylists(seed, firstDay),
    campaigns: planCampaigns(firstDay, parsed.campaignEdits),
    notices: planNotices(firstDay, days),
    deviceSwaps: parsed.deviceSwaps.toSorted((a, b) => a.day - b.day),
  };
}

export function deviceIdAt({ deviceSwaps, firstDay }: WorldPlan, zone: Zone, atMs: number): number {
  const last = deviceSwaps.findLast(
    ({ zoneId, day }) => zoneId === zone.zoneId && (firstDay + day) * dayMs <= atMs,
  );
  return last?.deviceId ?? zone.deviceId;
}

/** Returns a zone's scale for a kind; 0 means that the kind never plays there. */
export function playScaleIn(plan: WorldPlan, kind: Kind, { zoneId }: Zone): number {
  const own = plan.zoneScales.find(
    (scale) => scale.zoneId === zoneId && (scale.kind === undefined || scale.kind === kind),
  );
  return own?.playScale ?? plan.playScale;
}
