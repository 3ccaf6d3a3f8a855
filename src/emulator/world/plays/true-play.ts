import type { Kind } from "../../../util/kind.ts";
import { type CalendarDay, dateText, dayMs } from "../calendar-day.ts";
import type { Zone } from "../premises/zone.ts";
import type { WorldPlan } from "../world-plan.ts";
import { type DayPlay, findVisibleSeconds } from "./day-play.ts";
import { listDayPlays } from "./day-plays.ts";

/** A play as an analyst should count it: once, with its longest duration, which is above 0. */
export interface TruePlay {
  kind: Kind;
  zoneId: number;
  /** Id of the song or asset. */
  itemId: number;
  /** Epoch ms. */
  startedAt: number;
  /** Zone's local date, `YYYY-MM-DD`. */
  localDate: string;
  utcOffsetMinutes: number;
  durationSecs: number;
  /** Only for music. The lower id if lines of equal duration name two artists. */
  artistId: number | undefined;
}

export interface PlaysQuery {
  kind: Kind;
  groupId?: number | undefined;
  /** @default all */
  zoneIds?: readonly number[] | undefined;
  /** Includes only plays that the service shows at this instant. */
  visibleAt: Date;
}

/** Yields plays zone by zone and day by day, generated directly rather than parsed from history lines. */
export function* truePlays(
  plan: WorldPlan,
  { kind, groupId, zoneIds, visibleAt }: PlaysQuery,
): Generator<TruePlay> {
  const atMs = visibleAt.getTime();
  for (const zone of plan.zones) {
    if (groupId !== undefined && !zone.groupIds.includes(groupId)) continue;
    if (zoneIds && !zoneIds.includes(zone.zoneId)) continue;
    for (let day = plan.firstDay; day < plan.firstDay + plan.days; day += 1) {
      const dates = new Map<CalendarDay, string>();
      for (const play of listDayPlays(plan, kind, zone, day)) {
        const durationSecs = findVisibleSeconds(play, atMs);
        if (durationSecs !== undefined && durationSecs > 0)
          yield toTruePlay(kind, zone, play, durationSecs, dates);
      }
    }
  }
}

function toTruePlay(
  kind: Kind,
  zone: Zone,
  { startedAtMs, item, artist, echo }: DayPlay,
  durationSecs: number,
  dates: Map<CalendarDay, string>,
): TruePlay {
  const utcOffsetMinutes = zone.clock.offsetMinutesAt(startedAtMs);
  const localDay = Math.floor((startedAtMs + utcOffsetMinutes * 60_000) / dayMs);
  const localDate = dates.get(localDay) ?? dateText(localDay);
  dates.set(localDay, localDate);
  const artistId =
    artist && echo?.form === "artist" ? Math.min(artist.artistId, echo.artist.artistId) : artist?.artistId;
  return {
    kind,
    zoneId: zone.zoneId,
    itemId: item.itemId,
    startedAt: startedAtMs,
    localDate,
    utcOffsetMinutes,
    durationSecs,
    artistId,
  };
}
