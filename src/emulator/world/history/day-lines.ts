import type { Kind } from "../../../util/kind.ts";
import type { CalendarDay } from "../calendar-day.ts";
import { playsOfDay } from "../plays/plays-of-day.ts";
import type { Zone } from "../premises/zone.ts";
import type { WorldPlan } from "../world-plan.ts";
import { type BadLine, badLinesOfDay } from "./bad-lines.ts";
import { LineWriter } from "./line-writer.ts";
import { linesOfPlays, type PlayLine } from "./play-lines.ts";

/** One line of an export: about a play, or bad. */
export type DayLine = PlayLine | BadLine;

/** What is asked of a zone-day. */
export interface DayQuery {
  kind: Kind;
  zone: Zone;
  day: CalendarDay;
  /** The instant, epoch ms, at which the service is asked. */
  atMs: number;
  /** Bad lines per play beside those that are always there, from 0 to 1. */
  badLineRate: number;
}

/** The lines of one zone-day in an export, in order. */
export function linesOfDay(plan: WorldPlan, query: DayQuery, writer = new LineWriter(query.zone)): DayLine[] {
  const { kind, zone, day, atMs, badLineRate: rate } = query;
  const plays = playsOfDay(plan, kind, zone, day);
  const lines: DayLine[] = linesOfPlays(plays, atMs);
  const badLines = badLinesOfDay(plan, { kind, zone, day, rate }, plays, writer);
  if (badLines.size === 0) return lines;
  return lines.flatMap((line) => {
    const badLine = "play" in line && !line.isEcho ? badLines.get(line.play) : undefined;
    return badLine ? [line, badLine] : [line];
  });
}

/** The same as JSON Lines; each line, the last too, ends in a newline. */
export function textOfDay(plan: WorldPlan, query: DayQuery): string {
  const writer = new LineWriter(query.zone);
  let text = "";
  for (const line of linesOfDay(plan, query, writer)) {
    text += "play" in line ? writer.write(line) : line.text;
    text += "\n";
  }
  return text;
}
