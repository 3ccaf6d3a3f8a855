import { optional } from "./flag.ts";
import { values } from "./flag-values.ts";

/** Campaigns and assets belong to a group or to a zone: these flags exclude each other. */
export const ownerFlags = {
  groupId: optional({ ...values.groupId, description: "the group that owns it" }),
  zoneId: optional({ ...values.zoneId, description: "the zone that owns it" }),
};

interface Owner {
  groupId: number | undefined;
  zoneId: number | undefined;
}

export function checkOwner({ groupId, zoneId }: Owner): string | undefined {
  const isOne = (groupId === undefined) !== (zoneId === undefined);
  return isOne ? undefined : "give exactly one of --group-id and --zone-id";
}

/** `group 58429` */
export function describeOwner({ groupId, zoneId }: Owner): string {
  return groupId === undefined ? `zone ${zoneId}` : `group ${groupId}`;
}

/** Calls the one that fits the owner. */
export function byOwner<Answer>(
  { groupId, zoneId }: Owner,
  { group, zone }: { group: (groupId: number) => Answer; zone: (zoneId: number) => Answer },
): Answer {
  if (groupId !== undefined) return group(groupId);
  if (zoneId !== undefined) return zone(zoneId);
  throw new TypeError("neither a group nor a zone");
}
