import { Refusal } from "../refusal.ts";

const longestTarget = 8_000;
const longestValue = 2_000;

/**
 * Refuses what no page of ours links to, before anything reads it: paths are plain words, whatever they would mean once
 * decoded, and parameters have an end.
 * @param target as the client sent it, e.g. `/plays?by=zone`
 * @throws {Refusal}
 */
export function checkTarget(target: string): void {
  const fault = findFault(target);
  if (fault !== undefined) throw new Refusal(400, fault);
}

/** Whether that would be answered: what stands for hundreds of things may be too long for an address. */
export function isAnswered(target: string): boolean {
  return findFault(target) === undefined;
}

function findFault(target: string): string | undefined {
  const end = target.indexOf("?");
  const path = end < 0 ? target : target.slice(0, end);
  if (!/^\/[a-z-]*(\.[a-z]+)?$/.test(path))
    return "This path is not one of ours: paths are single words, such as /plays. Start at /.";
  if (target.length > longestTarget)
    return `This address has ${target.length} characters; ${longestTarget} are accepted.`;
  const parameters = new URLSearchParams(end < 0 ? "" : target.slice(end + 1));
  for (const [name, value] of parameters) {
    if (value.length > longestValue)
      return `The parameter ${name.slice(0, 40)} has ${value.length} characters; ${longestValue} are accepted.`;
  }
  return undefined;
}
