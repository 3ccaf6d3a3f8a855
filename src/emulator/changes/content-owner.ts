import type { Zone } from "../world/premises/zone.ts";

/** Who owns a campaign or an asset: a group or a zone. */
export type ContentOwner = { groupId: number } | { zoneId: number };

/** Something that is owned. */
export interface Owned<Item> {
  item: Item;
  owner: ContentOwner;
}

/** What a group owns is its zones' to use. */
export function isAccessibleIn({ owner }: Owned<unknown>, zone: Zone): boolean {
  return "groupId" in owner ? zone.groupIds.includes(owner.groupId) : owner.zoneId === zone.zoneId;
}

export function isOwnedBy({ owner }: Owned<unknown>, other: ContentOwner): boolean {
  return "groupId" in owner
    ? "groupId" in other && owner.groupId === other.groupId
    : "zoneId" in other && owner.zoneId === other.zoneId;
}
