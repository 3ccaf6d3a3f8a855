import { type CalendarDay, weekdayOf } from "../calendar-day.ts";
import { type Naming, Random } from "../random.ts";
import { type Premises, premises, ZoneClock } from "./premises.ts";

/** The groups that the world's zones belong to; the zone in the middle belongs to both. */
export const groupIds = [58429, 58430] as const;

/** The place that a zone is in. Two zones can share one. */
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
  /** Counts the world's zones from 0. */
  index: number;
  zoneId: number;
  /** Of its first device. What is random about a zone's devices is drawn from it, also after a swap. */
  deviceId: number;
  naming: Naming;
  location: Location;
  groupIds: readonly number[];
  /** IANA name. */
  timeZone: string;
  clock: ZoneClock;
  /** Local minutes after midnight. Closing after 1,440 lies on the next day. */
  opensMinute: number;
  closesMinute: number;
  /** 0 = Sunday. */
  closedWeekdays: readonly number[];
  /** Goes on playing while it can't reach the service, and reports that once it can again. */
  playsWhileDown: boolean;
}

/** As many zones as asked: the twelve of `premises`, then further branches of the same. */
export function planZones(count: number, firstDay: CalendarDay, days: number): Zone[] {
  const clocks = new Map<string, ZoneClock>();
  const clockOf = (timeZone: string) => {
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
        const clock = clockOf(site.timeZone);
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

/** When a zone was open; epoch ms, the end exclusive. */
export interface Opening {
  opensAtMs: number;
  closesAtMs: number;
}

/** A zone's opening that begins on a local day, and may last into the next; undefined when it stays closed. */
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

/** Each stretch of four days has one outage or none, that begins in its first half and ends before the next. */
const stretchMs = 4 * 86_400_000;
const longestMinutes = 40 * 60;

/** The outages of a device that touch a span of time, in order. Most last minutes or hours, some over a day. */
export function findOutages(seed: number, deviceId: number, fromMs: number, untilMs: number): Outage[] {
  const outages: Outage[] = [];
  for (let stretch = Math.floor(fromMs / stretchMs); stretch * stretchMs < untilMs; stretch += 1) {
    const random = new Random(seed, "outage", deviceId, stretch);
    if (!random.chance(0.3)) continue;
    const startedAtMs = stretch * stretchMs + random.between(0, stretchMs / 2000) * 1000;
    const minutes = random.chance(0.1) ? random.between(360, longestMinutes) : random.between(5, 240);
    const endedAtMs = startedAtMs + minutes * 60_000;
    if (endedAtMs > fromMs && startedAtMs < untilMs) outages.push({ startedAtMs, endedAtMs });
  }
  return outages;
}
