import type { Asset } from "../content/asset.ts";
import type { Artist, Song } from "../content/song.ts";

/** A record of a play, as it will be in the end. */
export interface DayPlay {
  /** Epoch ms, a whole second. Unique within a zone and kind. */
  startedAtMs: number;
  /** 0: the player gave up at once. */
  durationSecs: number;
  item: Song | Asset;
  /** Of music: whom its line names. */
  artist: Artist | undefined;
  /** Reported only at this instant; undefined: as it plays, its duration growing. */
  arrivesAtMs: number | undefined;
  /** A second line about the same play, if any. */
  echo: Echo | undefined;
}

/**
 * - `repeat`: the same line again, further down
 * - `running`: a line from when the play had lasted so many seconds
 * - `artist`: a line that names the song's other artist
 */
export type Echo =
  | { form: "repeat" }
  | { form: "running"; durationSecs: number }
  | { form: "artist"; artist: Artist };

/** Seconds that the service tells of a play at an instant; undefined while it tells nothing of it. */
export function findVisibleSeconds(
  { startedAtMs, durationSecs, arrivesAtMs }: DayPlay,
  atMs: number,
): number | undefined {
  if (arrivesAtMs !== undefined) return arrivesAtMs <= atMs ? durationSecs : undefined;
  const elapsedSecs = Math.floor((atMs - startedAtMs) / 1000);
  if (elapsedSecs < 1) return undefined;
  return Math.min(durationSecs, elapsedSecs);
}
