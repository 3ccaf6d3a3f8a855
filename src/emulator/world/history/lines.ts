import type { Kind } from "../../../util/kind.ts";
import type { CalendarDay } from "../calendar-day.ts";
import type { Artist } from "../content/song.ts";
import { type DayPlay, findVisibleSeconds, listDayPlays } from "../plays/day-plays.ts";
import type { Zone } from "../premises/zone.ts";
import { nameAt, Random } from "../random.ts";
import type { WorldPlan } from "../world-plan.ts";

/** A valid line of history. */
export interface PlayLine {
  play: DayPlay;
  durationSecs: number;
  artist: Artist | undefined;
  /** True if another line contains the same information about the play, or more. */
  isEcho: boolean;
}

/** Returns the lines for plays at an instant: usually one per play, with repeats at the end. */
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

/** Returns a JSON object, without a newline. Builds it by hand because there are millions of lines. */
export function formatLine(zone: Zone, { play, durationSecs, artist }: PlayLine): string {
  const { startedAtMs, item } = play;
  const { locationId, name } = zone.location;
  const zoneName = quote(nameAt(zone.naming, startedAtMs));
  const itemName = quote(nameAt(item.naming, startedAtMs));
  const head =
    `{"location_id":${locationId},"location_name":${quote(name)},"zone_id":${zone.zoneId},` +
    `"zone_name":${zoneName},"duration_secs":${durationSecs},"play_start":"${formatLocal(zone, startedAtMs)}",`;
  if (!artist) return `${head}"asset_id":${item.itemId},"asset_name":${itemName}}`;
  const { artistId, name: artistName } = artist;
  const song = `"song_id":${item.itemId},"song_name":${itemName}`;
  return `${head}${song},"artist_id":${artistId},"artist_name":${quote(artistName)}}`;
}

const quote = memoize((text: string) => JSON.stringify(text));
const hourText = memoize((hour: number) => new Date(hour * 3_600_000).toISOString().slice(0, 14));
const minuteText = memoize((second: number) => new Date(second * 1000).toISOString().slice(14, 19));
const offsetText = memoize((minutes: number) => {
  const size = new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16);
  return `${minutes < 0 ? "-" : "+"}${size}`;
});

/** Formats an instant as ISO 8601 with the zone's offset at that time, e.g. `+05:30`. */
export function formatLocal({ clock }: Zone, instantMs: number): string {
  const offsetMinutes = clock.offsetMinutesAt(instantMs);
  const localSecs = Math.floor(instantMs / 1000) + offsetMinutes * 60;
  const hour = Math.floor(localSecs / 3600);
  return `${hourText(hour)}${minuteText(localSecs - hour * 3600)}${offsetText(offsetMinutes)}`;
}

function memoize<Key>(compute: (key: Key) => string): (key: Key) => string {
  const known = new Map<Key, string>();
  return (key) => {
    const text = known.get(key) ?? compute(key);
    if (!known.has(key)) known.set(key, text);
    return text;
  };
}

export interface DayQuery {
  kind: Kind;
  zone: Zone;
  day: CalendarDay;
  /** Instant of the request, epoch ms. */
  atMs: number;
  /** Extra bad lines per play, from 0 to 1, in addition to the regular ones. */
  badLineRate: number;
}

/** Returns the lines of one zone day as JSON Lines. Every line, including the last, ends with a newline. */
export function formatDayText(plan: WorldPlan, query: DayQuery): string {
  const texts = listDayLines(plan, query).map((line) =>
    typeof line === "string" ? line : formatLine(query.zone, line),
  );
  return texts.map((text) => `${text}\n`).join("");
}

/** Returns the lines of one zone day in an export, in order. A line without a valid play is text. */
function listDayLines(plan: WorldPlan, query: DayQuery): (PlayLine | string)[] {
  const plays = listDayPlays(plan, query.kind, query.zone, query.day);
  const lines = linesOfPlays(plays, query.atMs);
  const badLines = listBadLines(plan, query, plays);
  if (badLines.size === 0) return lines;
  return lines.flatMap((line) => {
    const badLine = line.isEcho ? undefined : badLines.get(line.play);
    return badLine === undefined ? [line] : [line, badLine];
  });
}

/**
 * Ways to corrupt a line: truncation, a wrong type, a missing field, no JSON, a reset clock, no offset, a blank
 * line.
 */
const spoils: readonly ((soundLine: string) => string)[] = [
  (line) => line.slice(0, Math.floor(line.length * 0.7)),
  (line) => line.replace(/"duration_secs":\d+/, '"duration_secs":"long"'),
  (line) => line.replace(/"zone_id":\d+,/, ""),
  () => "upstream connect error or disconnect/reset before headers",
  (line) => line.replace(/"play_start":"[^"]*"/, '"play_start":"1970-01-01T00:00:07+00:00"'),
  (line) => line.replace(/("play_start":"[\d-]+T[\d:]+)[+-][\d:]+"/, '$1"'),
  () => "",
];

/** Ratio of zone days with a regular bad line. */
const share = 0.042;

/**
 * Returns the bad lines of a zone day, keyed by the play whose line precedes them. A bad line appears together
 * with that play and never changes, so histories only grow.
 */
function listBadLines(
  { seed }: WorldPlan,
  { kind, zone, day, badLineRate }: DayQuery,
  plays: readonly DayPlay[],
): Map<DayPlay, string> {
  const random = new Random(seed, "bad lines", kind, zone.zoneId, day);
  const badLines = new Map<DayPlay, string>();
  const spoilAt = (index: number) => {
    const play = plays[index];
    const spoil = random.pick(spoils);
    if (play) badLines.set(play, spoil(formatLine(zone, { ...play, play, isEcho: false })));
  };
  if (random.chance(share)) spoilAt(random.between(0, plays.length - 1));
  if (badLineRate === 0) return badLines;
  for (let index = 0; index < plays.length; index += 1) if (random.chance(badLineRate)) spoilAt(index);
  return badLines;
}

export interface LineCountsQuery {
  kind: Kind;
  groupId: number;
  visibleAt: Date;
  /** Value of the fault `bad-lines`, if it was active. @default 0 */
  badLineRate?: number | undefined;
}

/** Counts an export's lines, and those that are not JSON plays. */
export function countLines(
  plan: WorldPlan,
  { kind, groupId, visibleAt, badLineRate = 0 }: LineCountsQuery,
): { lines: number; broken: number; blank: number } {
  const counts = { lines: 0, broken: 0, blank: 0 };
  const atMs = visibleAt.getTime();
  for (const zone of plan.zones.filter((candidate) => candidate.groupIds.includes(groupId))) {
    for (let day = plan.firstDay; day < plan.firstDay + plan.days; day += 1) {
      for (const line of listDayLines(plan, { kind, zone, day, atMs, badLineRate })) {
        counts.lines += 1;
        if (typeof line === "string") counts[line === "" ? "blank" : "broken"] += 1;
      }
    }
  }
  return counts;
}
