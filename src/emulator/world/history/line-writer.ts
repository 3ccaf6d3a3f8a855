import { type CalendarDay, dateText, dayMs } from "../calendar-day.ts";
import type { Artist } from "../content/song.ts";
import { type DayPlay, findVisibleSeconds } from "../plays/day-play.ts";
import type { Zone } from "../premises/zone.ts";
import { nameAt } from "../random.ts";

const twoDigits = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"));

/** Writes history lines of one zone. Builds the JSON by hand because there are millions of lines. */
export class LineWriter {
  readonly #zone: Zone;
  readonly #heads = new Map<string, string>();
  #day: CalendarDay = Number.NaN;
  #dateText = "";
  #offsetMinutes = Number.NaN;
  #offsetText = "";

  constructor(zone: Zone) {
    this.#zone = zone;
  }

  /** Returns a JSON object, without a newline. */
  write({ play: { startedAtMs, item }, durationSecs, artist }: PlayLine): string {
    const playStart = this.playStart(startedAtMs);
    const name = JSON.stringify(nameAt(item.naming, startedAtMs));
    const head = `${this.#headAt(startedAtMs)}${durationSecs},"play_start":"${playStart}",`;
    return artist
      ? `${head}"song_id":${item.itemId},"song_name":${name},${renderArtist(artist)}}`
      : `${head}"asset_id":${item.itemId},"asset_name":${name}}`;
  }

  /** Formats an instant as ISO 8601 with the zone's offset at that time. */
  playStart(instantMs: number): string {
    const offsetMinutes = this.#zone.clock.offsetMinutesAt(instantMs);
    if (offsetMinutes !== this.#offsetMinutes) {
      this.#offsetMinutes = offsetMinutes;
      this.#offsetText = formatOffset(offsetMinutes);
    }
    const localMs = instantMs + offsetMinutes * 60_000;
    const day = Math.floor(localMs / dayMs);
    if (day !== this.#day) {
      this.#day = day;
      this.#dateText = dateText(day);
    }
    const secs = Math.floor((localMs - day * dayMs) / 1000);
    const [hours, minutes] = [Math.floor(secs / 3600), Math.floor(secs / 60) % 60];
    const time = `${twoDigits[hours]}:${twoDigits[minutes]}:${twoDigits[secs % 60]}`;
    return `${this.#dateText}T${time}${this.#offsetText}`;
  }

  #headAt(instantMs: number): string {
    const { location, zoneId, naming } = this.#zone;
    const zoneName = nameAt(naming, instantMs);
    const known = this.#heads.get(zoneName);
    if (known) return known;
    const fields = { location_id: location.locationId, location_name: location.name, zone_id: zoneId };
    const head = `${JSON.stringify(fields).slice(0, -1)},"zone_name":${JSON.stringify(zoneName)},"duration_secs":`;
    this.#heads.set(zoneName, head);
    return head;
  }
}

const artistJsons = new WeakMap<Artist, string>();

function renderArtist(artist: Artist): string {
  const known = artistJsons.get(artist);
  if (known) return known;
  const json = `"artist_id":${artist.artistId},"artist_name":${JSON.stringify(artist.name)}`;
  artistJsons.set(artist, json);
  return json;
}

/** Formats a UTC offset, e.g. `+05:30`. */
function formatOffset(offsetMinutes: number): string {
  const size = Math.abs(offsetMinutes);
  return `${offsetMinutes < 0 ? "-" : "+"}${twoDigits[Math.floor(size / 60)]}:${twoDigits[size % 60]}`;
}

/** A valid line of history. */
export interface PlayLine {
  play: DayPlay;
  durationSecs: number;
  artist: Artist | undefined;
  /** True if another line contains the same information about the play, or more. */
  isEcho: boolean;
}

/** Returns the service's lines for plays at an instant: mostly one per play, with repeats at the end. */
export function linesOfPlays(plays: readonly DayPlay[], atMs: number): PlayLine[] {
  const lines: PlayLine[] = [];
  const repeats: PlayLine[] = [];
  for (const play of plays) {
    const durationSecs = findVisibleSeconds(play, atMs);
    if (durationSecs === undefined) continue;
    const { echo, artist } = play;
    if (echo?.form === "running" && echo.durationSecs < durationSecs) {
      lines.push({ play, durationSecs: echo.durationSecs, artist, isEcho: true });
    }
    lines.push({ play, durationSecs, artist, isEcho: false });
    if (echo?.form === "artist") lines.push({ play, durationSecs, artist: echo.artist, isEcho: true });
    if (echo?.form === "repeat" && durationSecs === play.durationSecs) {
      repeats.push({ play, durationSecs, artist, isEcho: true });
    }
  }
  for (const line of repeats) lines.push(line);
  return lines;
}
