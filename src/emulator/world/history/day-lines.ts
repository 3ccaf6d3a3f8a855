import type { Kind } from "../../../util/kind.ts";
import type { CalendarDay } from "../calendar-day.ts";
import type { DayPlay } from "../plays/day-play.ts";
import { listDayPlays } from "../plays/day-plays.ts";
import type { Zone } from "../premises/zone.ts";
import { Random } from "../random.ts";
import type { WorldPlan } from "../world-plan.ts";
import { LineWriter, linesOfPlays, type PlayLine } from "./line-writer.ts";

type DayLine = PlayLine | BadLine;

interface DayQuery {
  kind: Kind;
  zone: Zone;
  day: CalendarDay;
  /** Instant of the request, epoch ms. */
  atMs: number;
  /** Extra bad lines per play, from 0 to 1, in addition to the regular ones. */
  badLineRate: number;
}

/** Returns the lines of one zone day in an export, in order. */
function listDayLines(plan: WorldPlan, query: DayQuery, writer = new LineWriter(query.zone)): DayLine[] {
  const { kind, zone, day, atMs, badLineRate: rate } = query;
  const plays = listDayPlays(plan, kind, zone, day);
  const lines: DayLine[] = linesOfPlays(plays, atMs);
  const badLines = listBadLines(plan, { kind, zone, day, rate }, plays, writer);
  if (badLines.size === 0) return lines;
  return lines.flatMap((line) => {
    const badLine = "play" in line && !line.isEcho ? badLines.get(line.play) : undefined;
    return badLine ? [line, badLine] : [line];
  });
}

/** Returns the lines as JSON Lines; every line, including the last, ends in a newline. */
export function formatDayText(plan: WorldPlan, query: DayQuery): string {
  const writer = new LineWriter(query.zone);
  let text = "";
  for (const line of listDayLines(plan, query, writer)) {
    text += "play" in line ? writer.write(line) : line.text;
    text += "\n";
  }
  return text;
}

/** A line without a valid play. */
interface BadLine {
  text: string;
  /** True for an empty line. */
  isBlank: boolean;
}

/** Ways to corrupt a line, by name. */
const spoils: Readonly<Record<string, (soundLine: string) => string>> = {
  truncated: (line) => line.slice(0, Math.floor(line.length * 0.7)),
  "wrong type": (line) => line.replace(/"duration_secs":\d+/, '"duration_secs":"long"'),
  "missing field": (line) => line.replace(/"zone_id":\d+,/, ""),
  "plain text": () => "upstream connect error or disconnect/reset before headers",
  "reset clock": (line) => line.replace(/"play_start":"[^"]*"/, '"play_start":"1970-01-01T00:00:07+00:00"'),
  "no offset": (line) => line.replace(/("play_start":"[\d-]+T[\d:]+)[+-][\d:]+"/, '$1"'),
  blank: () => "",
};

/** Share of zone days with a regular bad line. */
const share = 0.042;

/**
 * Returns the bad lines of a zone day, each keyed by the play whose line precedes it. A bad line appears
 * together with that play and never changes, so histories only grow.
 * @param rate extra bad lines per play, from 0 to 1
 */
function listBadLines(
  plan: WorldPlan,
  { kind, zone, day, rate }: { kind: Kind; zone: Zone; day: CalendarDay; rate: number },
  plays: readonly DayPlay[],
  writer: LineWriter,
): Map<DayPlay, BadLine> {
  const random = new Random(plan.seed, "bad lines", kind, zone.zoneId, day);
  const badLines = new Map<DayPlay, BadLine>();
  const spoilAt = (index: number) => {
    const play = plays[index];
    const [form, spoil] = random.pick(Object.entries(spoils));
    if (!play) return;
    const { durationSecs, artist } = play;
    const soundLine = writer.write({ play, durationSecs, artist, isEcho: false });
    badLines.set(play, { text: spoil(soundLine), isBlank: form === "blank" });
  };
  if (random.chance(share)) spoilAt(random.between(0, plays.length - 1));
  if (rate > 0) for (let index = 0; index < plays.length; index += 1) if (random.chance(rate)) spoilAt(index);
  return badLines;
}

/** Lines of an export by category; `lines` is the total. */
export interface LineCounts {
  lines: number;
  /** Distinct plays longer than 0 s. */
  plays: number;
  /** Distinct records with duration 0. */
  zeroSecond: number;
  /** Additional lines for the same record: identical, with a shorter duration, or with another artist. */
  repeated: number;
  broken: number;
  blank: number;
}

export interface LineCountsQuery {
  kind: Kind;
  groupId: number;
  visibleAt: Date;
  /** Value of the fault `bad-lines`, if it was active. @default 0 */
  badLineRate?: number | undefined;
}

export function countLines(plan: WorldPlan, query: LineCountsQuery): LineCounts {
  const { kind, groupId, visibleAt, badLineRate = 0 } = query;
  const counts = { lines: 0, plays: 0, zeroSecond: 0, repeated: 0, broken: 0, blank: 0 };
  for (const zone of plan.zones.filter((candidate) => candidate.groupIds.includes(groupId))) {
    for (let day = plan.firstDay; day < plan.firstDay + plan.days; day += 1) {
      for (const line of listDayLines(plan, { kind, zone, day, atMs: visibleAt.getTime(), badLineRate })) {
        counts.lines += 1;
        if (!("play" in line)) counts[line.isBlank ? "blank" : "broken"] += 1;
        else if (line.isEcho) counts.repeated += 1;
        else counts[line.durationSecs > 0 ? "plays" : "zeroSecond"] += 1;
      }
    }
  }
  return counts;
}
