import type { Kind } from "../../../util/kind.ts";
import type { CalendarDay } from "../calendar-day.ts";
import type { DayPlay } from "../plays/day-play.ts";
import type { Zone } from "../premises/zone.ts";
import { Random } from "../random.ts";
import type { WorldPlan } from "../world-plan.ts";
import type { LineWriter } from "./line-writer.ts";

/** A line that tells of no play. */
export interface BadLine {
  text: string;
  /** Nothing at all: not even broken. */
  isBlank: boolean;
}

/** Ways in which a line goes wrong, by name. */
const spoils: Readonly<Record<string, (soundLine: string) => string>> = {
  truncated: (line) => line.slice(0, Math.floor(line.length * 0.7)),
  "wrong type": (line) => line.replace(/"duration_secs":\d+/, '"duration_secs":"long"'),
  "missing field": (line) => line.replace(/"zone_id":\d+,/, ""),
  "plain text": () => "upstream connect error or disconnect/reset before headers",
  "reset clock": (line) => line.replace(/"play_start":"[^"]*"/, '"play_start":"1970-01-01T00:00:07+00:00"'),
  "no offset": (line) => line.replace(/("play_start":"[\d-]+T[\d:]+)[+-][\d:]+"/, '$1"'),
  blank: () => "",
};

/** In how many zone-days one such line occurs. */
const share = 0.042;

/**
 * The bad lines of a zone-day, each with the play after whose line it stands, and with which it appears. The same
 * at every instant, so that histories only grow.
 * @param rate bad lines per play beside those, from 0 to 1
 */
export function badLinesOfDay(
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
