import { type CalendarDay, dayMs } from "../calendar-day.ts";
import type { Zone } from "../premises/zone.ts";
import { Random } from "../random.ts";

/** A list of songs that zones may play. */
export interface Playlist {
  playlistId: number;
  /** Of the external streaming catalogue. */
  streamingId: string;
  name: string;
  description: string;
  songCount: number;
  artistCount: number;
  addedAtMs: number;
  editedAtMs: number;
}

const moods = "Easy,Bright,Late Night,Sunday,Workout,Rainy Day".split(",");
const genres = "Soul,House,Acoustic,Jazz,Indie,Latin".split(",");

/** Every mood of every genre. */
export function planPlaylists(seed: number, firstDay: CalendarDay): Playlist[] {
  const names = moods.flatMap((mood) => genres.map((genre) => ({ mood, genre })));
  return names.map(({ mood, genre }, index) => {
    const random = new Random(seed, "playlist", index);
    const songCount = random.between(20, 180);
    const addedAtMs = firstDay * dayMs - random.between(30 * 86_400, 600 * 86_400) * 1000;
    return {
      playlistId: 6001 + index,
      streamingId: `cat:${(0x5f3759df ^ (index * 0x9e3779b1)) >>> 0}`,
      name: `${mood} ${genre}`,
      description: `${genre} for ${mood === "Workout" ? "a workout" : `${mood.toLowerCase()} hours`} & more`,
      songCount,
      artistCount: random.between(Math.ceil(songCount / 4), songCount),
      addedAtMs,
      editedAtMs: addedAtMs + random.between(0, 29 * 86_400) * 1000,
    };
  });
}

/** Most of them, others in each zone. */
export function playlistsOfZone(seed: number, playlists: readonly Playlist[], { zoneId }: Zone): Playlist[] {
  return playlists.filter(
    ({ playlistId }, index) =>
      index === 0 || new Random(seed, "zone playlist", zoneId, playlistId).chance(0.9),
  );
}
