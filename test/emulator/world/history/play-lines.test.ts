import { expect, it } from "vitest";
import { linesOfPlays } from "../../../../src/emulator/world/history/line-writer.ts";
import type { DayPlay } from "../../../../src/emulator/world/plays/day-play.ts";

const artists = [
  { artistId: 1, name: "One" },
  { artistId: 2, name: "Two" },
] as const;
const song = { itemId: 7, naming: { name: "Song" }, durationSecs: 100, artists };
const play: DayPlay = {
  startedAtMs: 10_000,
  durationSecs: 100,
  item: song,
  artist: artists[0],
  arrivesAtMs: undefined,
  echo: undefined,
};

it.each<[string, Partial<DayPlay>, number, string]>([
  ["not begun", {}, 10, ""],
  ["running", {}, 40, "30s by 1"],
  ["ended", {}, 500, "100s by 1"],
  ["of no duration", { durationSecs: 0 }, 500, "0s by 1"],
  ["late, not there yet", { arrivesAtMs: 400_000 }, 399, ""],
  ["late, there", { arrivesAtMs: 400_000 }, 400, "100s by 1"],
  ["repeated, but still running", { echo: { form: "repeat" } }, 40, "30s by 1"],
  ["repeated", { echo: { form: "repeat" } }, 500, "100s by 1, again 100s by 1"],
  ["seen running, not so far yet", { echo: { form: "running", durationSecs: 34 } }, 40, "30s by 1"],
  ["seen running", { echo: { form: "running", durationSecs: 34 } }, 50, "again 34s by 1, 40s by 1"],
  ["by two artists", { echo: { form: "artist", artist: artists[1] } }, 40, "30s by 1, again 30s by 2"],
])("lines of a play that is %s", (_label, parts, atSeconds, expected) => {
  const lines = linesOfPlays([{ ...play, ...parts }], atSeconds * 1000).map(
    ({ durationSecs, artist, isEcho }) => `${isEcho ? "again " : ""}${durationSecs}s by ${artist?.artistId}`,
  );
  expect(lines.join(", ")).toBe(expected);
});

it("repeats stand after all other lines", () => {
  const later = { ...play, startedAtMs: 200_000 };
  const lines = linesOfPlays([{ ...play, echo: { form: "repeat" } }, later], 1_000_000);
  expect(lines.map((line) => line.play.startedAtMs)).toEqual([10_000, 200_000, 10_000]);
});
