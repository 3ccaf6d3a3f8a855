import type { TruePlay } from "../../../src/emulator/world/plays/true-play.ts";
import type { Kind } from "../../../src/util/kind.ts";

/** Parses history lines carefully, independently of the code that wrote them. */
export function readPlays(kind: Kind, text: string): TruePlay[] {
  const plays = new Map<string, TruePlay>();
  for (const line of text.split("\n")) {
    const play = readPlay(kind, line);
    if (!play || play.durationSecs === 0) continue;
    const key = `${play.zoneId} ${play.startedAt} ${play.itemId}`;
    const known = plays.get(key);
    if (!known || isBetter(play, known)) plays.set(key, play);
  }
  return [...plays.values()];
}

function isBetter(play: TruePlay, known: TruePlay): boolean {
  if (play.durationSecs !== known.durationSecs) return play.durationSecs > known.durationSecs;
  return (play.artistId ?? 0) < (known.artistId ?? 0);
}

function readPlay(kind: Kind, line: string): TruePlay | undefined {
  let record: Record<string, unknown>;
  try {
    record = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { zone_id: zoneId, duration_secs: durationSecs, play_start: playStart, artist_id: artistId } = record;
  const { song_id: songId, asset_id: assetId } = record;
  const itemId = kind === "music" ? songId : assetId;
  const [, localDate, sign, hours, minutes] =
    /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}([+-])(\d{2}):(\d{2})$/.exec(String(playStart)) ?? [];
  if (typeof zoneId !== "number" || typeof durationSecs !== "number" || typeof itemId !== "number")
    return undefined;
  if (!localDate || localDate < "2000") return undefined;
  const utcOffsetMinutes = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  return {
    kind,
    zoneId,
    itemId,
    startedAt: Date.parse(String(playStart)),
    localDate,
    utcOffsetMinutes,
    durationSecs,
    artistId: typeof artistId === "number" ? artistId : undefined,
  };
}
