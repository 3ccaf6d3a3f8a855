import { ServiceRefusedError } from "../api/errors/service-refused-error.ts";
import type { DataState } from "../state/data/data-state.ts";
import type { ExtractContext } from "./extract-context.ts";

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

/** Notes that a zone is gone, where it left the devices listings and the service refuses to tell of it. */
export function noteGoneZone(
  zoneId: number,
  error: unknown,
  { state, service, groupIds, clock }: ExtractContext,
): void {
  const isRefused = error instanceof ServiceRefusedError && [403, 404, 410].includes(error.status);
  if (isRefused && state.zones.hasLeft(service, zoneId, groupIds))
    state.zones.markGone(service, zoneId, clock.now());
}
