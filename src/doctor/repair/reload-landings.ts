import { existsSync } from "node:fs";
import { LandingLoader, type Loaded } from "../../load/landings/landing-loader.ts";
import { countOf } from "../../util/text/words.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * Loads the landings that are kept into a new warehouse. What they lack is for the next sync: it reads zones that were
 * walked from their beginning, because a walk brings only what the one before had not.
 * @returns what was done; nothing where no landing is kept
 */
export async function reloadLandings(workspace: Workspace): Promise<string[]> {
  const { folder, state, settings } = workspace;
  const kept = state.landings.listLoaded().filter(({ path }) => existsSync(folder.resolve(path)));
  if (kept.length === 0) return [];
  state.walks.forgetAll(settings.get("VENUE_BASE_URL").href);
  state.knownNotices.forget();
  // A run that was stopped would go on without what it had then, of which the new warehouse lacks a part.
  state.collections.closeAll();
  state.landings.markReady(kept.map(({ landingId }) => landingId));
  const loaded: Loaded = { loads: [], listings: 0, failures: [] };
  const loader = new LandingLoader(workspace, loaded);
  for (const landing of state.landings.listReady()) loader.add(landing);
  await loader.settle();
  const plays = loaded.loads.reduce((sum, { newPlays }) => sum + newPlays, 0);
  const histories = loaded.loads.length === 1 ? "1 history" : `${loaded.loads.length} histories`;
  return [
    `loaded ${histories} with ${countOf(plays, "play")}, and ${countOf(loaded.listings, "listing")}, from landings that are kept; the next \`venue run\` collects the rest`,
    ...loaded.failures.map(({ error }) => error.message),
  ];
}
