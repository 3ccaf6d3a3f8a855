import { existsSync } from "node:fs";
import { describeScope, type SyncOptions } from "../extract/plan/sync-options.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Returns those of these landings that the target neither has nor will still load. */
export type FindLost = (landingIds: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Forgets collected data that the target lacks, because it is new or restored from a backup, or whose file was
 * lost, so that it is requested again.
 */
export async function forgetLost(
  workspace: Workspace,
  options: SyncOptions,
  findLost: FindLost,
): Promise<void> {
  await forgetLostNotices(workspace, findLost);
  await forgetLostWalks(workspace, findLost);
  await closeLostCollection(workspace, options, findLost);
}

/**
 * Forgets known notices if their landing was lost, because otherwise only changed notices would be requested.
 */
async function forgetLostNotices({ state }: Workspace, findLost: FindLost): Promise<void> {
  const last = state.landings.findLoadedNotices();
  if (last !== undefined && (await findLost([last])).size > 0) state.knownNotices.forget();
}

/** Forgets walks whose landing the target lacks, or never gets because its file is gone. */
async function forgetLostWalks({ settings, folder, state }: Workspace, findLost: FindLost): Promise<void> {
  const handedOver = state.walks.listLoadedLandings();
  const lost = await findLost([...handedOver.values()]);
  for (const [walkId, landingId] of handedOver) if (lost.has(landingId)) state.walks.forget(walkId);
  const service = settings.get("VENUE_BASE_URL").href;
  for (const landing of state.landings.listReady()) {
    if (landing.source !== "walk" || existsSync(folder.resolve(landing.path))) continue;
    state.walks.forgetZone(service, landing);
  }
}

/** Closes an open collection if the target lacks some of its landings. */
async function closeLostCollection(
  { settings, state, clock }: Workspace,
  options: SyncOptions,
  findLost: FindLost,
): Promise<void> {
  const scope = describeScope(settings, options);
  const open = state.collections.find(scope, clock.now());
  if (open === undefined) return;
  const lost = await findLost(state.landings.listLoadedIds(open));
  if (lost.size > 0) state.collections.close(scope);
}
