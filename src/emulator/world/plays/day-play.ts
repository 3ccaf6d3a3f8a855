import type { Asset } from "../content/asset.ts";
import type { Artist, Song } from "../content/song.ts";

/** The final record of a play. */
export interface DayPlay {
  /** Epoch ms, a whole second. Unique within a zone and kind. */
  startedAtMs: number;
  /** 0 if the player gave up immediately. */
  durationSecs: number;
  item: Song | Asset;
  /** The artist that the play's line names; only for music. */
  artist: Artist | undefined;
  /**
   * Instant at which the play is reported; undefined if it appears while playing, with a growing duration.
   */
  arrivesAtMs: number | undefined;
  /** A second line for the same play, if any. */
  echo: Echo | undefined;
}

/**
 * Form of a play's second line:
 * - `repeat`: the same line again, later in the export
 * - `running`: a line with the duration so far, in seconds
 * - `artist`: a line with the song's other artist
 */
export type Echo =
  | { form: "repeat" }
  | { form: "running"; durationSecs: number }
  | { form: "artist"; artist: Artist };

/** Returns a play's duration as the service shows it at an instant; undefined while it is not visible. */
export function findVisibleSeconds(
  { startedAtMs, durationSecs, arrivesAtMs }: DayPlay,
  atMs: number,
): number | undefined {
  if (arrivesAtMs !== undefined) return arrivesAtMs <= atMs ? durationSecs : undefined;
  const elapsedSecs = Math.floor((atMs - startedAtMs) / 1000);
  if (elapsedSecs < 1) return undefined;
  return Math.min(durationSecs, elapsedSecs);
}
