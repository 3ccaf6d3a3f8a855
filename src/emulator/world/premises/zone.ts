import { type CalendarDay, weekdayOf } from "../calendar-day.ts";
import { type Naming, Random } from "../random.ts";
import { type Premises, premises, ZoneClock } from "./premises.ts";

/** Groups of the world's zones; the zone in the middle belongs to both. */
export const groupIds = [58429, 58430] as const;

/** Location of a zone. Two zones can share one. */
interface Location {
  locationId: number;
  name: string;
  street: string;
  city: string;
  state: string;
  zip: string;
  /** Decimal degrees. */
  latitude: string;
  longitude: string;
}

/** A zone and its one player. */
export interface Zone {
  /** Position among the world's zones, from 0. */
  index: number;
  zoneId: number;
  /** Id of the zone's first device. It seeds the randomness of the zone's devices, even after a swap. */
  deviceId: number;
  naming: Naming;
  location: Location;
  groupIds: readonly number[];
  /** IANA name. */
  timeZone: string;
  clock: ZoneClock;
  /** Local minutes after midnight. A closing time above 1,440 is on the next day. */
  opensMinute: number;
  closesMinute: number;
  /** 0 = Sunday. */
  closedWeekdays: readonly number[];
  /** True if the device keeps playing while it cannot reach the service, and reports its plays afterwards. */
  playsWhileDown: boolean;
}

/** Returns this many zones: the twelve of `premises`, then those of further branches of the same chain. */
export function planZones(count: number, firstDay: CalendarDay, days: number): Zone[] {
  const clocks = new Map<string, ZoneClock>();
  const getClock = (timeZone: string) => {
    const clock = clocks.get(timeZone) ?? new ZoneClock(timeZone, firstDay, firstDay + days);
    clocks.set(timeZone, clock);
    return clock;
  };
  const zones: Zone[] = [];
  for (let branch = 1; zones.length < count; branch += 1) {
    for (const [ordinal, site] of premises.entries()) {
      const location = branchLocation(site, ordinal, branch);
      for (const room of site.rooms) {
        const index = zones.length;
        if (index === count) return zones;
        const clock = getClock(site.timeZone);
        zones.push({
          index,
          zoneId: 81001 + index,
          deviceId: 93001 + index,
          naming: {
            name: branchName(room.name, branch),
            ...(room.renamedTo && {
              renamed: { name: branchName(room.renamedTo, branch), atMs: clock.instantOf(firstDay + 30, 0) },
            }),
          },
          location,
          groupIds: groupIds.filter((_id, half) =>
            half === 0 ? index <= Math.floor(count / 2) : index >= Math.floor(count / 2),
          ),
          timeZone: site.timeZone,
          clock,
          opensMinute: room.opensMinute,
          closesMinute: room.closesMinute,
          closedWeekdays: room.closedWeekdays ?? [],
          playsWhileDown: index % 4 === 3,
        });
      }
    }
  }
  return zones;
}

function branchLocation(site: Premises, ordinal: number, branch: number): Location {
  const { name, street, city, state, zip, latitude, longitude } = site;
  const locationId = 4101 + (branch - 1) * premises.length + ordinal;
  return { locationId, name: branchName(name, branch), street, city, state, zip, latitude, longitude };
}

function branchName(name: string, branch: number): string {
  return branch === 1 ? name : `${name} ${branch}`;
}

/** Opening hours of a zone on one day; epoch ms, the end exclusive. */
export interface Opening {
  opensAtMs: number;
  closesAtMs: number;
}

/**
 * Returns the opening that starts on a local day and may end on the next; undefined if the zone is closed.
 */
export function findOpening(zone: Zone, day: CalendarDay): Opening | undefined {
  if (zone.closedWeekdays.includes(weekdayOf(day))) return undefined;
  return {
    opensAtMs: zone.clock.instantOf(day, zone.opensMinute),
    closesAtMs: zone.clock.instantOf(day, zone.closesMinute),
  };
}

/** A span in which a device could not reach the service; epoch ms, the end exclusive. */
export interface Outage {
  startedAtMs: number;
  endedAtMs: number;
}

/**
 * Each stretch of four days has at most one outage, which starts in the first half and ends within the
 * stretch.
 */
const stretchMs = 4 * 86_400_000;
const maxOutageMinutes = 40 * 60;

/** Returns a device's outages that overlap a span, in order. Most last minutes or hours, some over a day. */
export function findOutages(seed: number, deviceId: number, fromMs: number, untilMs: number): Outage[] {
  const outages: Outage[] = [];
  for (let stretch = Math.floor(fromMs / stretchMs); stretch * stretchMs < untilMs; stretch += 1) {
    const random = new Random(seed, "outage", deviceId, stretch);
    if (!random.chance(0.3)) continue;
    const startedAtMs = stretch * stretchMs + random.between(0, stretchMs / 2000) * 1000;
    const minutes = random.chance(0.1) ? random.between(360, maxOutageMinutes) : random.between(5, 240);
    const endedAtMs = startedAtMs + minutes * 60_000;
    if (endedAtMs > fromMs && startedAtMs < untilMs) outages.push({ startedAtMs, endedAtMs });
  }
  return outages;
}
