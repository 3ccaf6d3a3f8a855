import type { Landing } from "../../state/data/landings.ts";

/** So much is loaded together: more would gain nothing. */
const together = {
  walks: { bytes: 4_000_000, landings: 250 },
  listings: { bytes: 32_000_000, landings: 2000 },
};

export type Walk = Extract<Landing, { source: "walk" }>;

/** Whether it says what there is, not what played. */
export function isListing(landing: Landing): landing is Exclude<Landing, { source: "export" | "walk" }> {
  return landing.source !== "export" && landing.source !== "walk";
}

/**
 * Takes the landing that is to be loaded next out of those that wait, and others that can be loaded in the same go,
 * none from behind an export, whose order matters: with a listing other listings; with a walk others of its kind, each
 * of another zone.
 */
export function takeNextLandings(waiting: Landing[]): Landing[] {
  const first = waiting.shift();
  if (!first || first.source === "export") return first ? [first] : [];
  const goesWith = first.source === "walk" ? walksBeside(first) : isListing;
  const limit = first.source === "walk" ? together.walks : together.listings;
  const taken: Landing[] = [first];
  let { bytes } = first;
  for (let index = 0; taken.length < limit.landings; ) {
    const next = waiting[index];
    if (!next || next.source === "export") break;
    // What goes with it is asked of each: a zone's later walk stays behind one that is too large.
    if (goesWith(next) && bytes + next.bytes <= limit.bytes) {
      taken.push(...waiting.splice(index, 1));
      bytes += next.bytes;
    } else {
      index += 1;
    }
  }
  return taken;
}

/** Tells of one landing after the other whether it is a walk of the same kind and of yet another zone. */
function walksBeside({ kind, zoneId }: Walk): (landing: Landing) => boolean {
  const zones = new Set([zoneId]);
  return (landing) => {
    if (landing.source !== "walk" || landing.kind !== kind || zones.has(landing.zoneId)) return false;
    zones.add(landing.zoneId);
    return true;
  };
}
