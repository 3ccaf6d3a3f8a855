import type { Landing } from "../state/landings.ts";

/** Walks of so many bytes in all are loaded together: more would gain nothing. */
const togetherBytes = 4_000_000;
const togetherWalks = 250;

/**
 * Takes the landing that is to be loaded next out of those that wait; with a walk, others of its kind that can be
 * loaded in the same go: each of another zone, and none from behind an export, whose order matters.
 */
export function takeNextLandings(waiting: Landing[]): Landing[] {
  const first = waiting.shift();
  if (first?.source !== "walk") return first ? [first] : [];
  const taken: Landing[] = [first];
  const zones = new Set([first.zoneId]);
  let bytes = first.bytes;
  for (let index = 0; index < waiting.length && taken.length < togetherWalks; ) {
    const next = waiting[index];
    if (!next || next.source === "export") break;
    const fits =
      next.source === "walk" &&
      next.kind === first.kind &&
      !zones.has(next.zoneId) &&
      bytes + next.bytes <= togetherBytes;
    if (fits) {
      taken.push(...waiting.splice(index, 1));
      zones.add(next.zoneId);
      bytes += next.bytes;
    } else {
      index += 1;
    }
  }
  return taken;
}
