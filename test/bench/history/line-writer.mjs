import {
  chanceOf,
  dateOf,
  durationSeconds,
  offsetMinutes,
  playsPerDay,
  secondOfDay,
  songOf,
} from "./history.mjs";
import { nameOf } from "./names.mjs";

/** Longest line, in bytes. */
export const longestLine = 512;
const artistCount = 5000;
/** Precedes the song; the offset is filled in per zone, everything else per play. */
const blank = '"duration_secs":000,"play_start":"0000-00-00T00:00:00+00:00",';
const [durationFromEnd, dateFromEnd, timeFromEnd] = ["000,", "0000-", "00:00:00"].map(
  (part) => blank.length - blank.indexOf(part),
);

/**
 * Writes lines into a buffer. Each consists of prepared bytes for its zone and song, and three parts written
 * over zeros.
 * @returns a function that writes one zone's play at a position and returns the position after it
 */
export function lineWriter(history) {
  const zones = Array.from({ length: history.zones }, (_, zone) => Buffer.from(zonePart(zone)));
  const songs = [];
  const dates = Array.from({ length: history.days + 3 }, (_, day) => Buffer.from(dateOf(history, day)));
  const times = Array.from({ length: 86_400 }, (_, second) => Buffer.from(timeText(second)));
  return (into, at, zone, play) => {
    const chance = chanceOf(zone, play);
    const song = songOf(chance);
    songs[song] ??= Buffer.from(songPart(song));
    into.set(zones[zone], at);
    const end = at + zones[zone].length;
    const duration = durationSeconds(chance);
    into[end - durationFromEnd] = 48 + Math.floor(duration / 100);
    into[end - durationFromEnd + 1] = 48 + (Math.floor(duration / 10) % 10);
    into[end - durationFromEnd + 2] = 48 + (duration % 10);
    into.set(dates[Math.floor(play / playsPerDay)], end - dateFromEnd);
    into.set(times[secondOfDay(play, chance)], end - timeFromEnd);
    into.set(songs[song], end);
    return end + songs[song].length;
  };
}

function zonePart(zone) {
  const minutes = offsetMinutes(zone);
  const hours = String(Math.abs(minutes) / 60).padStart(2, "0");
  return (
    `{"location_id":${500 + (zone >> 1)},"location_name":"${nameOf(1000, zone >> 1)}",` +
    `"zone_id":${1000 + zone},"zone_name":"${nameOf(2000, zone)}",` +
    blank.replace("+00:00", `${minutes < 0 ? "-" : "+"}${hours}:00`)
  );
}

function songPart(song) {
  const artist = song % artistCount;
  return (
    `"song_id":${100_000 + song},"song_name":"${nameOf(3000, song)}",` +
    `"artist_id":${artist},"artist_name":"${nameOf(4000, artist)}"}\n`
  );
}

function timeText(second) {
  return new Date(second * 1000).toISOString().slice(11, 19);
}
