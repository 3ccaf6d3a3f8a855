import type { DataState } from "../state/data/data-state.ts";

/** How long a zone that left its group is still collected, because its last plays may be late-arriving. */
const unlistedGraceMs = 7 * 86_400_000;

export interface ZoneSources {
  state: DataState;
  /** Base URL. */
  service: string;
  /** The data's now. */
  now: Date;
  /** Returns a group's zones found in history. */
  zonesInHistory(groupId: number): readonly number[];
}

/**
 * Returns the zones of a group to collect: currently listed, recently unlisted, or in its exports; without
 * zones that the service no longer knows.
 */
export function listZonesToCollect(
  groupId: number,
  { state, service, now, zonesInHistory }: ZoneSources,
): number[] {
  const gone = state.zones.gone(service);
  const zones = new Set([
    ...state.zones.ofGroup(service, groupId),
    ...state.zones.listLeftGroup(service, groupId, new Date(now.getTime() - unlistedGraceMs)),
    ...zonesInHistory(groupId),
  ]);
  return [...zones].filter((zoneId) => !gone.has(zoneId));
}

interface KnownGroups {
  state: DataState;
  /** Base URL. */
  service: string;
  groupIds: readonly number[];
}

/** Returns true if device listings contain zones, but not this one. Without listings, it is unknown. */
export function isUnlisted(zoneId: number, { state, service, groupIds }: KnownGroups): boolean {
  const isAnyListed = groupIds.some((groupId) => state.zones.ofGroup(service, groupId).length > 0);
  return isAnyListed && !state.zones.isListed(service, zoneId, groupIds);
}

/** Returns the zones to list: all except unlisted ones that were refused all of their listings. */
export function selectZonesToList(zoneIds: readonly number[], groups: KnownGroups): number[] {
  const refused = groups.state.landings.listFullyRefusedZones(groups.service);
  return zoneIds.filter((zoneId) => !(refused.has(zoneId) && isUnlisted(zoneId, groups)));
}
