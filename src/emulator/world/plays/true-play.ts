import type { Kind } from "../../../util/kind.ts";
import { dateText, dayMs } from "../calendar-day.ts";
import type { WorldPlan } from "../world-plan.ts";
import { findVisibleSeconds, listDayPlays } from "./day-plays.ts";

/** A play as an analyst should count it: once, with its longest duration, and only if that is above 0. */
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
  /** Only for music. The lower id if lines of equal duration contain different artists. */
  artistId: number | undefined;
}

export interface PlaysQuery {
  kind: Kind;
  groupId?: number | undefined;
  /** @default all */
  zoneIds?: readonly number[] | undefined;
  /** Includes only plays that the service returns at this instant. */
  visibleAt: Date;
}

/** Yields plays zone by zone and day by day, generated directly rather than parsed from history lines. */
export function* truePlays(
  plan: WorldPlan,
  { kind, groupId, zoneIds, visibleAt }: PlaysQuery,
): Generator<TruePlay> {
  for (const zone of plan.zones) {
    const { zoneId, groupIds, clock } = zone;
    if (groupId !== undefined && !groupIds.includes(groupId)) continue;
    if (zoneIds && !zoneIds.includes(zoneId)) continue;
    for (let day = plan.firstDay; day < plan.firstDay + plan.days; day += 1) {
      // An opening ends on the next day at the latest.
      const dates = [dateText(day), dateText(day + 1)];
      for (const play of listDayPlays(plan, kind, zone, day)) {
        const durationSecs = findVisibleSeconds(play, visibleAt.getTime());
        if (durationSecs === undefined || durationSecs === 0) continue;
        const { startedAtMs, artist, echo } = play;
        const utcOffsetMinutes = clock.offsetMinutesAt(startedAtMs);
        const localDay = Math.floor((startedAtMs + utcOffsetMinutes * 60_000) / dayMs);
        const otherId = echo?.form === "artist" ? echo.artist.artistId : Number.POSITIVE_INFINITY;
        yield {
          kind,
          zoneId,
          itemId: play.item.itemId,
          startedAt: startedAtMs,
          localDate: dates[localDay - day] ?? dateText(localDay),
          utcOffsetMinutes,
          durationSecs,
          artistId: artist && Math.min(artist.artistId, otherId),
        };
      }
    }
  }
}
