import type { DataState } from "../state/data/data-state.ts";

/** A zone that left its group is still collected for this long, because its last plays may arrive late. */
const unlistedGraceMs = 7 * 86_400_000;

export interface ZoneSources {
  state: DataState;
  /** Base URL. */
  service: string;
  /** Current time on the data's clock. */
  now: Date;
}

/**
 * Returns the zones to collect for a group: those that are listed, were listed until recently, or occur in
 * its exports. Omits zones that the service no longer knows.
 */
export function listZonesToCollect(groupId: number, { state, service, now }: ZoneSources): number[] {
  const gone = state.zones.gone(service);
  const zones = new Set([
    ...state.zones.ofGroup(service, groupId),
    ...state.zones.listLeftGroup(service, groupId, new Date(now.getTime() - unlistedGraceMs)),
    ...state.histories.zonesOfGroup(groupId),
  ]);
  return [...zones].filter((zoneId) => !gone.has(zoneId));
}

interface KnownGroups {
  state: DataState;
  /** Base URL. */
  service: string;
  groupIds: readonly number[];
}

/**
 * Returns true if device listings contain zones, but not this one. Returns false if all listings are empty,
 * because a zone's state is then unknown.
 */
export function isUnlisted(zoneId: number, { state, service, groupIds }: KnownGroups): boolean {
  const isAnyListed = groupIds.some((groupId) => state.zones.ofGroup(service, groupId).length > 0);
  return isAnyListed && !state.zones.isListed(service, zoneId, groupIds);
}

/**
 * Returns the zones for which to request campaigns and assets: all except unlisted zones for which the service
 * refused every listing.
 */
export function selectZonesToList(zoneIds: readonly number[], groups: KnownGroups): number[] {
  const refused = groups.state.landings.listFullyRefusedZones(groups.service);
  return zoneIds.filter((zoneId) => !(refused.has(zoneId) && isUnlisted(zoneId, groups)));
}
