import type { Settings } from "../../config/settings.ts";
import type { DataState } from "../../state/data/data-state.ts";
import type { LandingSource } from "../../state/data/landings.ts";
import { askedZones } from "../asked-zones.ts";
import type { HistoryKnowledge } from "./history-knowledge.ts";

/** What a plan is made from. */
export interface PlanFacts {
  settings: Settings;
  state: DataState;
  knowledge: HistoryKnowledge;
  now: Date;
}

/** Whether a sync that was stopped has a source already. */
export type Has = (source: LandingSource) => boolean;

/** The zones of a group that a sync would ask about, as far as they are known. */
export function zonesOf(groupId: number, { settings, state, knowledge, now }: PlanFacts): number[] {
  const { href: service } = settings.get("VENUE_BASE_URL");
  return askedZones(groupId, { state, service, now, zonesInHistory: knowledge.zonesOfGroup });
}
