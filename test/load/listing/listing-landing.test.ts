import { expect, it } from "vitest";
import { type ListingLanding, listTurns } from "../../../src/load/listing/read-listings.ts";

type Listing = Partial<ListingLanding> & Pick<ListingLanding, "source">;

/** Ids of the landings loaded together, from a list of their sources. */
function listLoadedTogether(listings: readonly Listing[]): string[] {
  const landings = listings.map((listing, index) => ({
    landingId: String(index),
    path: `${index}.jsonl`,
    requestedAt: new Date(Date.UTC(2026, 2, 1)),
    ...listing,
  }));
  return listTurns(landings as ListingLanding[]).map((turn) =>
    turn.map(({ landingId }) => landingId).join(" "),
  );
}

const signage = { source: "campaigns", kind: "signage", groupId: 1 } as const;

it.each<[string, Listing[], string[]]>([
  ["none", [], []],
  ["of another source", [signage, { ...signage, source: "assets" }], ["0 1"]],
  ["of another kind", [signage, { ...signage, kind: "messaging" }], ["0 1"]],
  ["of another group", [signage, { ...signage, groupId: 2 }], ["0 1"]],
  ["of a zone with a group's id", [signage, { source: "campaigns", kind: "signage", zoneId: 1 }], ["0 1"]],
  ["of the service and of its parts", [{ source: "notices" }, { source: "components" }], ["0 1"]],
  ["of the service, twice: one after the other", [{ source: "notices" }, { source: "notices" }], ["0", "1"]],
  ["of the same owner: one after the other", [signage, signage, signage], ["0", "1", "2"]],
  [
    "of others after the same owner's second: with it",
    [signage, { ...signage, groupId: 2 }, signage, { ...signage, groupId: 2 }, { ...signage, groupId: 3 }],
    ["0 1", "2 3 4"],
  ],
])("listings are loaded together, in their order: %s", (_label, listings, turns) => {
  expect(listLoadedTogether(listings)).toEqual(turns);
});
