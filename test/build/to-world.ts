import { type OracleHours, type OracleSnapshot, type OracleWorld, offsetIn } from "./device-oracle.ts";
import type { GeneratedListing, GeneratedPlay, GeneratedSpan, GeneratedZone } from "./generated-zone.ts";

const daySeconds = 86_400;
const dayMinutes = 1440;

/** Converts a drawn zone to its part of an oracle world. */
export function toWorld(
  { clock, hours, plays, listedFrom, listings }: GeneratedZone,
  zoneId: number,
): Pick<OracleWorld, "snapshots" | "plays" | "timeZones" | "hours"> {
  const timeZone = "timeZone" in clock ? clock.timeZone : undefined;
  const first = Date.parse("date" in clock ? clock.date : "2026-10-24") / 1000;
  const spans = dropOverlaps(hours, first, timeZone !== undefined);
  return {
    snapshots: toSnapshots(listings, first + listedFrom, zoneId),
    plays: toPlays(plays, first, (at) => offsetAt(clock, first, at)).map((play) => ({ zoneId, ...play })),
    timeZones: new Map(timeZone === undefined ? [] : [[zoneId, timeZone]]),
    hours: new Map(hours.length === 0 ? [] : [[zoneId, spans]]),
  };
}

/** Minutes by which the zone's clock is ahead of UTC. */
function offsetAt(clock: GeneratedZone["clock"], first: number, at: number): number {
  if ("timeZone" in clock) return offsetIn(clock.timeZone, at) / 60;
  return at < first + clock.changesAt ? clock.before : clock.after;
}

function toPlays(plays: readonly GeneratedPlay[], first: number, offsetOf: (at: number) => number) {
  let endedAt = first;
  return plays.map(({ follows, day, second, isEnd, durationSecs }) => {
    const wall = first + day * daySeconds + second - (isEnd ? durationSecs : 0);
    const startedAt = follows === null ? wall - offsetOf(wall) * 60 : endedAt + follows;
    endedAt = startedAt + durationSecs;
    return { startedAt, durationSecs, offsetMinutes: offsetOf(startedAt) };
  });
}

function toSnapshots(listings: readonly GeneratedListing[], from: number, zoneId: number): OracleSnapshot[] {
  let at = from;
  return listings.flatMap(({ pause, devices }) => {
    at += pause;
    return devices.flatMap((device, index) =>
      device
        ? [
            {
              ...{ groupId: zoneId, zoneId, at, deviceId: zoneId * 10 + index, status: device.status },
              lastOnlineAt: device.onlineAgo === null ? null : at - device.onlineAgo,
            },
          ]
        : [],
    );
  });
}

/** Drops overlapping hours; around a clock change, hours begin and end on full hours. */
function dropOverlaps(drawn: readonly GeneratedSpan[], first: number, isNamed: boolean): OracleHours {
  const weekday = (first / daySeconds + 2) % 7;
  const kept: { from: number; until: number }[] = [];
  const spans = drawn.map(({ day, opens, length }) => {
    const midnight = ((weekday + day) % 7) * dayMinutes;
    const from = isNamed ? roundUpAtNight(opens) : opens;
    const until = isNamed ? roundUpAtNight(from + length) : from + length;
    const opensAt = (midnight + from) % (7 * dayMinutes);
    return { from: opensAt, until: opensAt + until - from };
  });
  for (const { from, until } of spans.toSorted((a, b) => a.from - b.from)) {
    const isApart = from >= (kept.at(-1)?.until ?? 0) && until - 7 * dayMinutes <= (kept[0]?.from ?? from);
    if (isApart) kept.push({ from, until });
  }
  const hours: Record<number, [opens: number, closes: number][]> = {};
  for (const { from, until } of kept) {
    const day = Math.floor(from / dayMinutes);
    hours[day + 1] ??= [];
    hours[day + 1]?.push([(from - day * dayMinutes) * 60, (until - day * dayMinutes) * 60]);
  }
  return hours;
}

/** Rounds up to a full hour at night, so that no hours begin or end in a skipped or repeated hour. */
function roundUpAtNight(minutes: number): number {
  const hour = (minutes % dayMinutes) / 60;
  return hour < 3 || hour > 23 ? Math.ceil(minutes / 60) * 60 : minutes;
}
