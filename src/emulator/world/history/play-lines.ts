import type { Artist } from "../content/song.ts";
import { type DayPlay, findVisibleSeconds } from "../plays/day-play.ts";

/** What one sound line of history says of a play. */
export interface PlayLine {
  play: DayPlay;
  durationSecs: number;
  artist: Artist | undefined;
  /** Another line says as much, or more, of the same play. */
  isEcho: boolean;
}

/** The lines that the service holds about plays at an instant: mostly one each, repeats at the end. */
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
