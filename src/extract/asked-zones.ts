import type { DataState } from "../state/data/data-state.ts";

/** So long a zone that left its group's devices listing is asked about: what it played until then comes late. */
const leftMs = 7 * 86_400_000;

/** From what the zones to ask about are known. */
export interface ZoneSources {
  state: DataState;
  /** Base URL. */
  service: string;
  /** Data's time. */
  now: Date;
  /** Zones of a group that history itself named. */
  zonesInHistory(groupId: number): readonly number[];
}

/**
 * The zones of a group to ask about: those that its newest devices listing names, that left it lately, and that its
 * exports held; those that the service no longer knows left out.
 */
export function askedZones(groupId: number, { state, service, now, zonesInHistory }: ZoneSources): number[] {
  const gone = state.zones.gone(service);
  const zones = new Set([
    ...state.zones.ofGroup(service, groupId),
    ...state.zones.leftGroup(service, groupId, new Date(now.getTime() - leftMs)),
    ...zonesInHistory(groupId),
  ]);
  return [...zones].filter((zoneId) => !gone.has(zoneId));
}

/** The groups that are collected, and what is known of their zones. */
interface KnownGroups {
  state: DataState;
  /** Base URL. */
  service: string;
  groupIds: readonly number[];
}

/** Returns whether devices listings name zones, but not this one. Without any listing, nothing is known about a zone's absence. */
export function isUnlisted(zoneId: number, { state, service, groupIds }: KnownGroups): boolean {
  const isAnyListed = groupIds.some((groupId) => state.zones.ofGroup(service, groupId).length > 0);
  return isAnyListed && !state.zones.isListed(service, zoneId, groupIds);
}

/** Returns the zones whose own listings are requested: an unlisted zone that was refused all of them is left out. */
export function zonesWithListings(zoneIds: readonly number[], groups: KnownGroups): number[] {
  const refused = groups.state.landings.zonesRefusedAll(groups.service);
  return zoneIds.filter((zoneId) => !(refused.has(zoneId) && isUnlisted(zoneId, groups)));
}
