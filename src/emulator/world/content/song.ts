import { type CalendarDay, dayMs } from "../calendar-day.ts";
import type { Zone } from "../premises/zone.ts";
import { type Naming, Random } from "../random.ts";

export interface Artist {
  artistId: number;
  name: string;
}

export interface Song {
  itemId: number;
  naming: Naming;
  durationSecs: number;
  /** One or two artists, ordered by id. A history line contains only one of them. */
  artists: readonly Artist[];
}

const songCount = 900;
const artistCount = 240;

/** Names that need correct escaping and encoding. */
const awkwardNames = [
  'Don\'t "Stop"',
  "<b>Bold</b> & Brave",
  "=SUM(A1:A9)",
  "東京の夜",
  "Sunrise ☀️ 🌊",
  "Back\\Slash, Comma; Semicolon",
];
const adjectives =
  "Golden Silent Electric Velvet Broken Distant Paper Midnight Crystal Lonely Wild Slow".split(" ");
const nouns = "River Mirror Summer Engine Garden Signal Ocean Letter Shadow Parade Highway Window".split(" ");
const bands = "Foxes Harbors Pilots Lanterns Tides Machines Orchards Strangers Comets Sisters".split(" ");

/** Catalogue shared by all zones. The first song is renamed on the 26th day. */
export function planSongs(seed: number, firstDay: CalendarDay): Song[] {
  const random = new Random(seed, "songs");
  const artists = Array.from({ length: artistCount }, (_, index) => ({
    artistId: 5001 + index,
    name: `The ${random.pick(adjectives)} ${random.pick(bands)}${index < 60 ? "" : ` ${index}`}`,
  }));
  return Array.from({ length: songCount }, (_, index) => {
    const name = awkwardNames[index - 1] ?? `${random.pick(adjectives)} ${random.pick(nouns)} ${index + 1}`;
    const lead = random.between(0, artistCount - 2);
    const isDuet = random.chance(0.1);
    return {
      itemId: 700_001 + index,
      naming: index > 0 ? { name } : renamed(name, firstDay + 25),
      durationSecs: random.between(120, 300),
      artists: artists.slice(lead, lead + (isDuet ? 2 : 1)),
    };
  });
}

function renamed(name: string, day: CalendarDay): Naming {
  return { name, renamed: { name: `${name} (Remastered)`, atMs: day * dayMs } };
}

export type Playlist = ReturnType<typeof planPlaylists>[number];

const moods = "Easy,Bright,Late Night,Sunday,Workout,Rainy Day".split(",");
const genres = "Soul,House,Acoustic,Jazz,Indie,Latin".split(",");

/** Plans a playlist for every mood and genre. `streamingId` is its id in the external streaming catalogue. */
export function planPlaylists(seed: number, firstDay: CalendarDay) {
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

/** Returns most of the playlists, a different selection for each zone. */
export function selectZonePlaylists(
  seed: number,
  playlists: readonly Playlist[],
  { zoneId }: Zone,
): Playlist[] {
  return playlists.filter(
    ({ playlistId }, index) =>
      index === 0 || new Random(seed, "zone playlist", zoneId, playlistId).chance(0.9),
  );
}
