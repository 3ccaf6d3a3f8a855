import type { DataState } from "../state/data/data-state.ts";

/** Time for which a zone is still collected after it left its group, because its last plays may arrive late. */
const unlistedGraceMs = 7 * 86_400_000;

export interface ZoneSources {
  state: DataState;
  /** Base URL. */
  service: string;
  /** Current time on the data's clock. */
  now: Date;
}

/**
 * Returns the zones to collect for a group: zones that are listed, were listed until recently, or occur in its
 * exports. Omits zones that no longer exist in the service.
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
 * Returns true if device listings contain other zones, but not this one. Returns false if all listings are
 * empty, because nothing is then known about the zone.
 */
export function isUnlisted(zoneId: number, { state, service, groupIds }: KnownGroups): boolean {
  const isAnyListed = groupIds.some((groupId) => state.zones.ofGroup(service, groupId).length > 0);
  return isAnyListed && !state.zones.isListed(service, zoneId, groupIds);
}

/**
 * Returns the zones for which to request campaigns and assets. Omits an unlisted zone if the service refused
 * all of its listings.
 */
export function selectZonesToList(zoneIds: readonly number[], groups: KnownGroups): number[] {
  const refused = groups.state.landings.listFullyRefusedZones(groups.service);
  return zoneIds.filter((zoneId) => !(refused.has(zoneId) && isUnlisted(zoneId, groups)));
}
