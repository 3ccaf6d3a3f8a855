import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import type { LoadedLanding } from "../../state/data/landings.ts";
import type { Workspace } from "../../workspace/workspace.ts";

const dayMs = 24 * 3_600_000;

/**
 * Keeps loaded landings, gzipped, until a later complete load of the same source and at least so many days;
 * removes the others.
 */
export async function tidyLandings(workspace: Workspace, keepDays: number): Promise<void> {
  for (const landing of workspace.state.landings.listLoaded()) {
    const isOld = Date.now() - landing.loadedAt.getTime() >= keepDays * dayMs;
    // A walk that found nothing new left an empty file.
    if ((landing.isSuperseded && isOld) || landing.bytes === 0) await remove(landing, workspace);
    else if (!landing.path.endsWith(".gz")) await compress(landing, workspace);
  }
  workspace.state.landings.prune();
}

/**
 * Removes files that nothing will ever load: what was cut off, what was packed and not yet removed, or whose record a
 * crash prevented. The parts of exports and walks that are still open are gone on with.
 */
export async function sweepLandings({ folder, state }: Workspace): Promise<void> {
  const names = await readdir(folder.landing);
  const packed = state.landings.listLoaded().filter(({ path }) => path.endsWith(".gz"));
  const packedIds = new Set(packed.map((landing) => landing.landingId));
  const orphans = names.filter((name) => {
    const landingId = /([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl/.exec(name)?.[1];
    if (landingId === undefined) return false;
    const isWanted =
      state.exportJobs.isOpen(landingId) ||
      state.walks.isOpen(landingId) ||
      state.landings.isKnown(landingId);
    const isPackedTwin = name.endsWith(".jsonl") && packedIds.has(landingId);
    return name.endsWith(".tmp") || isPackedTwin || !isWanted;
  });
  await Promise.all(orphans.map((name) => rm(join(folder.landing, name), { force: true })));
}

async function remove(landing: LoadedLanding, { folder, state }: Workspace): Promise<void> {
  await rm(folder.resolve(landing.path), { force: true });
  state.landings.markRemoved(landing.landingId);
}

async function compress(landing: LoadedLanding, { folder, state, signal }: Workspace): Promise<void> {
  const path = folder.resolve(landing.path);
  if (existsSync(path)) {
    const gzip = createGzip({ level: constants.Z_BEST_SPEED });
    await pipeline(createReadStream(path), gzip, createWriteStream(`${path}.gz.tmp`, { flush: true }), {
      signal,
    });
    await rename(`${path}.gz.tmp`, `${path}.gz`);
  }
  state.landings.setPath(landing.landingId, `${landing.path}.gz`);
  await rm(path, { force: true });
}
