import type { CalendarDay } from "../calendar-day.ts";
import type { Naming } from "../naming.ts";
import { type Premises, premises } from "./premises.ts";
import { ZoneClock } from "./zone-clock.ts";

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
