import { type CalendarDay, weekdayOf } from "../calendar-day.ts";
import { type Naming, Random } from "../random.ts";
import { ZoneClock } from "./zone-clock.ts";

/** Groups of the world's zones. The middle zone belongs to both. */
export const groupIds = [58429, 58430] as const;

/**
 * Nine locations in four time zones, three of which change their clocks in autumn: name, street, city, state,
 * zip, latitude, longitude, time zone. Each location is followed by its rooms, twelve in all: name, opening and
 * closing hour (above 24 on the next day), new name from the 31st day, weekday on which it is closed (0 =
 * Sunday).
 */
const premises = `
Harbor Market|210 South Street|New York|NY|10002|40.7105|-73.9869|America/New_York
  Harbor Market Floor|7|22
  Harbor Market Café|6.5|21|Harbor Café & "Bakery"
Fulton Bar|88 Fulton Street|New York|NY|10038|40.7091|-74.0051|America/New_York
  Fulton Bar|17|26
Sunset Gym|6500 Sunset Boulevard|Los Angeles|CA|90028|34.0981|-118.3304|America/Los_Angeles
  Sunset Gym Floor|5|23
  Sunset Gym Studio|6|22
Pico Deli|3100 West Pico Boulevard|Los Angeles|CA|90019|34.0472|-118.3181|America/Los_Angeles
  Pico Deli|8|20
Kantstraße Markt|Kantstraße 41|Berlin|BE|10625|52.5064|13.3126|Europe/Berlin
  Kantstraße Markt|7|22||0
Spree Bar|Schiffbauerdamm 8|Berlin|BE|10117|52.5222|13.3859|Europe/Berlin
  Spree Bar|17|27
Alex Fitness|Alexanderplatz 3|Berlin|BE|10178|52.5219|13.4132|Europe/Berlin
  Alex Fitness|0|24
Indiranagar Store|100 Feet Road 612|Bengaluru|KA|560038|12.9719|77.6412|Asia/Kolkata
  Indiranagar Store|10|22
  Indiranagar Upstairs|10|22
Andheri Gym|Veera Desai Road 17|Mumbai|MH|400053|19.1334|72.8344|Asia/Kolkata
  Andheri Gym|5|23`;

const sites = premises.split(/\n(?! )/).slice(1);
const rooms = sites.flatMap((text, ordinal) => {
  const [site = "", ...lines] = text.split("\n  ");
  return lines.map((line) => ({ ordinal, site: site.split("|"), room: line.split("|") }));
});

/** Location of a zone. Two zones can share one. */
type Location = { locationId: number } & Record<
  "name" | "street" | "city" | "state" | "zip" | "latitude" | "longitude",
  string
>;

/** A zone and its one player. */
export interface Zone {
  /** Position among the world's zones, from 0. */
  index: number;
  zoneId: number;
  /** Id of the zone's first device, which seeds the randomness of the zone's devices even after a swap. */
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
  closedWeekday: number | undefined;
  /** True if the device keeps playing while it cannot reach the service, and reports its plays afterwards. */
  playsWhileDown: boolean;
}

/** Returns the requested number of zones: the twelve of `premises`, then those of further branches of the chain. */
export function planZones(count: number, firstDay: CalendarDay, days: number): Zone[] {
  const clocks = new Map<string, ZoneClock>();
  return Array.from({ length: count }, (_, index) => {
    const branch = Math.floor(index / rooms.length);
    const { ordinal, site, room } = rooms[index % rooms.length] ?? { ordinal: 0, site: [], room: [] };
    const [siteName = "", street = "", city = "", state = "", zip = "", latitude = "", longitude = ""] = site;
    const [name = "", opens, closes, renamed, closedOn] = room;
    const timeZone = site[7] ?? "UTC";
    const clock = clocks.get(timeZone) ?? new ZoneClock(timeZone, firstDay, firstDay + days);
    clocks.set(timeZone, clock);
    const nameBranch = (text: string) => (branch === 0 ? text : `${text} ${branch + 1}`);
    const locationId = 4101 + branch * sites.length + ordinal;
    return {
      index,
      zoneId: 81001 + index,
      deviceId: 93001 + index,
      naming: {
        name: nameBranch(name),
        ...(renamed && { renamed: { name: nameBranch(renamed), atMs: clock.instantOf(firstDay + 30, 0) } }),
      },
      location: { locationId, name: nameBranch(siteName), street, city, state, zip, latitude, longitude },
      groupIds: groupIds.filter((_id, half) =>
        half === 0 ? index <= Math.floor(count / 2) : index >= Math.floor(count / 2),
      ),
      timeZone,
      clock,
      opensMinute: Number(opens) * 60,
      closesMinute: Number(closes) * 60,
      closedWeekday: closedOn === undefined ? undefined : Number(closedOn),
      playsWhileDown: index % 4 === 3,
    };
  });
}

/** Opening hours of a zone on one day; epoch ms, the end exclusive. */
export interface Opening {
  opensAtMs: number;
  closesAtMs: number;
}

/** Returns the opening that starts on a local day and may end on the next; undefined if the zone is closed. */
export function findOpening(zone: Zone, day: CalendarDay): Opening | undefined {
  if (zone.closedWeekday === weekdayOf(day)) return undefined;
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
/** A device that is down at the time of the demo, in a zone that is closed then. */
const demoOutage = {
  deviceId: 93_006,
  startedAtMs: Date.UTC(2026, 10, 21, 9),
  endedAtMs: Date.UTC(2026, 10, 21, 14),
};

/** Returns a device's outages that overlap a span, in order. Most last minutes or hours, some over a day. */
export function findOutages(seed: number, deviceId: number, fromMs: number, untilMs: number): Outage[] {
  const outages: Outage[] = [];
  for (let stretch = Math.floor(fromMs / stretchMs); stretch * stretchMs < untilMs; stretch += 1) {
    const random = new Random(seed, "outage", deviceId, stretch);
    if (!random.chance(0.3)) continue;
    const startedAtMs = stretch * stretchMs + random.between(0, stretchMs / 2000) * 1000;
    const minutes = random.chance(0.1) ? random.between(360, maxOutageMinutes) : random.between(5, 240);
    const endedAtMs = startedAtMs + minutes * 60_000;
    outages.push({ startedAtMs, endedAtMs });
  }
  if (deviceId === demoOutage.deviceId) outages.push(demoOutage);
  return outages.filter(({ startedAtMs, endedAtMs }) => endedAtMs > fromMs && startedAtMs < untilMs);
}
