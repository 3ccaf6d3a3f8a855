import type { LandingSource } from "../../state/data/landings.ts";

/** A file with the records of a listing, one JSON object a line, as the service gave them. */
export type ListingLanding = Exclude<LandingSource, { source: "export" | "walk" }> & {
  /** The same landing is never loaded twice. */
  landingId: string;
  /** Ends in `.gz` where it is packed. */
  path: string;
  requestedAt: Date;
};

/** Parts landings, in their order, so that each part has at most one listing of each source, kind and owner. */
export function listTurns(landings: readonly ListingLanding[]): ListingLanding[][] {
  const turns: ListingLanding[][] = [];
  const listed = new Set<string>();
  for (const landing of landings) {
    const { source, kind, groupId, zoneId } = { kind: "", groupId: "", zoneId: "", ...landing };
    const listing = [source, kind, groupId, zoneId].join(" ");
    if (turns.length === 0 || listed.has(listing)) {
      turns.push([]);
      listed.clear();
    }
    turns.at(-1)?.push(landing);
    listed.add(listing);
  }
  return turns;
}
