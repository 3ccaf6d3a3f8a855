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
 * @throws {RuleError}
 */
export function readUntil(text: string): Until {
  const { day, second, isUtc } = readRuleTime("UNTIL", text);
  return { day, second, isInstant: isUtc && second !== undefined && !secondsOfDates.includes(second) };
}
