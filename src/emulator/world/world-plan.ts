import { type Kind, kinds } from "../../util/kind.ts";
import { checkNumber, EmulatorOptionError } from "../options.ts";
import { type CalendarDay, dayMs, findCalendarDay } from "./calendar-day.ts";
import { type Campaign, type CampaignEdit, planCampaigns } from "./content/campaign.ts";
import { type Playlist, planPlaylists, planSongs, type Song } from "./content/song.ts";
import { planZones, type Zone } from "./premises/zone.ts";

export interface WorldOptions {
  /** The same seed gives the same world. @default 1 */
  seed?: number | undefined;
  /** First local day on which zones open, `YYYY-MM-DD`. @default "2026-09-23" */
  startDate?: string | undefined;
  /** Number of days, from the first, on which zones open. @default 60 */
  days?: number | undefined;
  /** @default 12 */
  zones?: number | undefined;
  /**
   * Factor for the number of plays. Below 1, there are pauses; above 1, plays overlap (for volume only).
   * @default 1
   */
  playScale?: number | undefined;
  /** Zones with their own scale. @default none */
  zoneScales?: readonly ZoneScale[] | undefined;
  /** Campaign edits during the world's days, which plays reflect. @default none */
  campaignEdits?: readonly CampaignEdit[] | undefined;
  /** Device replacements during the world's days. @default none */
  deviceSwaps?: readonly DeviceSwap[] | undefined;
}

/** The replacement of a device at midnight (UTC) of a day. The new device plays as the previous one did. */
export interface DeviceSwap {
  zoneId: number;
  /** Days after the world's first. */
  day: number;
  deviceId: number;
}

/** Scale for one zone's plays. */
interface ZoneScale {
  zoneId: number;
  /** @default all */
  kind?: Kind | undefined;
  /**
   * Replaces the world's scale; 0 means no plays. For music, 70 gives a million records in 60 15-hour days.
   */
  playScale: number;
}

/** Source of all generated plays and listings. */
export interface WorldPlan {
  seed: number;
  firstDay: CalendarDay;
  days: number;
  playScale: number;
  zoneScales: readonly ZoneScale[];
  zones: readonly Zone[];
  songs: readonly Song[];
  playlists: readonly Playlist[];
  campaigns: readonly Campaign[];
  deviceSwaps: readonly DeviceSwap[];
}

/** @throws {EmulatorOptionError} naming an option that is out of range */
export function planWorld(options: WorldOptions = {}): WorldPlan {
  const { startDate = "2026-09-23" } = options;
  const firstDay = findCalendarDay(startDate);
  if (firstDay === undefined) {
    throw new EmulatorOptionError(
      `The emulator's startDate is ${startDate}, but must be a date, YYYY-MM-DD.`,
    );
  }
  const seed = checkNumber("seed", options.seed ?? 1, { min: 0, max: 2 ** 32 - 1, isWhole: true });
  const days = checkNumber("days", options.days ?? 60, { min: 1, max: 3660, isWhole: true });
  const zones = checkNumber("zones", options.zones ?? 12, { min: 1, max: 10_000, isWhole: true });
  const playScale = checkNumber("playScale", options.playScale ?? 1, { min: 0.001, max: 20 });
  const planned = planZones(zones, firstDay, days);
  return {
    seed,
    firstDay,
    days,
    playScale,
    zoneScales: (options.zoneScales ?? []).map(checkZoneScale),
    zones: planned,
    songs: planSongs(seed, firstDay),
    playlists: planPlaylists(seed, firstDay),
    campaigns: planCampaigns(firstDay, options.campaignEdits ?? []),
    deviceSwaps: (options.deviceSwaps ?? [])
      .map((swap) => checkDeviceSwap(swap, planned))
      .sort((a, b) => a.day - b.day),
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

function checkZoneScale(scale: ZoneScale): ZoneScale {
  const { zoneId, kind, playScale } = scale;
  checkNumber(`playScale of zone ${zoneId}`, playScale, { min: 0, max: 300 });
  if (kind === undefined || kinds.includes(kind)) return { ...scale };
  throw new EmulatorOptionError(
    `The emulator's zoneScales name a kind ${kind}, but must be one of ${kinds.join(", ")}.`,
  );
}

function checkDeviceSwap(swap: DeviceSwap, zones: readonly Zone[]): DeviceSwap {
  const { zoneId, day, deviceId } = swap;
  checkNumber(`day of deviceSwaps in zone ${zoneId}`, day, { min: 0, max: 3660, isWhole: true });
  checkNumber(`deviceId of deviceSwaps in zone ${zoneId}`, deviceId, {
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    isWhole: true,
  });
  if (zones.some((zone) => zone.zoneId === zoneId)) return { ...swap };
  throw new EmulatorOptionError(
    `The emulator's deviceSwaps name a zone ${zoneId}, but there are zones ${zones[0]?.zoneId} to ${zones.at(-1)?.zoneId}.`,
  );
}
