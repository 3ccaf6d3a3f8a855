import { type RuleTime, readRuleTime } from "./rule-time.ts";

/** Up to when a rule recurs, inclusive. */
export interface Until extends Pick<RuleTime, "day" | "second"> {
  /** Day and second are of UTC: zones reach this instant at different local times. */
  isInstant: boolean;
}

/** Editors of rules write a local date as its first or its last second, in UTC. */
const secondsOfDates = [0, 86_399];

/**
 * Reads UNTIL. Its Z is dropped where it stands for a date: without a time, at 00:00:00 and at 23:59:59.
 * @returns `undefined` for a date that means no end
 * @throws {RuleError}
 */
export function readUntil(text: string): Until | undefined {
  const time = readRuleTime("UNTIL", text);
  if (time === undefined) return undefined;
  const { day, second, isUtc } = time;
  return { day, second, isInstant: isUtc && second !== undefined && !secondsOfDates.includes(second) };
}
