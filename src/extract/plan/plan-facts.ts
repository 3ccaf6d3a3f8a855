import type { Settings } from "../../config/settings.ts";
import type { DataState } from "../../state/data/data-state.ts";
import type { LandingSource } from "../../state/data/landings.ts";
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
