import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Landing } from "../../state/data/landings.ts";
import type { WalkState, ZoneHistory } from "../../state/data/walks.ts";
import type { ExtractContext } from "../extract-context.ts";
import type { WalkEnd } from "./walk-end.ts";
import { WalkFile } from "./walk-file.ts";
import { beginWalk, getAheadRecords, type WalkProgress } from "./walk-progress.ts";
import { ZoneWalk } from "./zone-walk.ts";

export interface WalkResult {
  landing: Landing;
  requests: number;
  /** Reason why the history may be incomplete; absent if it is complete. */
  why?: string;
  /** Note on an irregularity in a complete walk. */
  note?: string;
}

/**
 * Collects one zone's history of one kind as a landing, page by page. If the service lists records in order,
 * reads only the records since the last complete walk. Otherwise, reads everything. Resumes an interrupted
 * walk.
 * @throws {ServiceRefusedError} if the service has no such history
 * @throws {ApiError} if a page cannot be read; earlier pages are kept
 */
export async function collectWalk(zone: ZoneHistory, context: ExtractContext): Promise<WalkResult> {
  const { state, service } = context;
  const known = state.walks.open(service, zone);
  const { walk, progress, file } = await openWalk(known, zone, context);
  const zoneWalk = new ZoneWalk(zone, walk, progress, file, context);
  try {
    const end = await zoneWalk.run();
    await file.finish();
    return land(zone, walk, progress, end, context);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Returns an earlier run's unfinished walk. Returns a new walk if there is none or its lines are lost. */
async function openWalk(
  walk: WalkState,
  zone: ZoneHistory,
  context: ExtractContext,
): Promise<{ walk: WalkState; progress: WalkProgress; file: WalkFile }> {
  const { state, service, clock, logger } = context;
  const saved = walk.progress as WalkProgress | undefined;
  const progress = saved ?? beginWalk(walk, clock.now());
  const part = `${buildLandingPath(zone, progress.landingId, context)}.part`;
  // Progress saved by an earlier version has other fields.
  if (progress.phase !== undefined) {
    const file = await WalkFile.open(buildLandingPath(zone, progress.landingId, context), progress.bytes);
    if (file) return { walk, progress, file };
    logger.warn(
      `Saved pages in ${part} are missing or damaged. Reading the ${zone.kind} history of zone ${zone.zoneId} from the start.`,
    );
  }
  await rm(part, { force: true });
  state.walks.delete(walk.walkId);
  return await openWalk(state.walks.open(service, zone), zone, context);
}

function land(
  zone: ZoneHistory,
  { walkId }: WalkState,
  progress: WalkProgress,
  end: WalkEnd,
  context: ExtractContext,
): WalkResult {
  const { state, folder, collectionId } = context;
  const { landingId, requestedAt, bytes, requests, cursor, known } = progress;
  const landing: Landing = {
    source: "walk",
    ...zone,
    landingId,
    requestedAt: new Date(requestedAt),
    path: folder.relativePath(buildLandingPath(zone, landingId, context)),
    bytes,
    isComplete: end.isComplete,
  };
  state.landings.add(collectionId, landing, () => {
    if (!end.isComplete) return state.walks.delete(walkId, end.surplus);
    const { knownTotal, top, surplus } = end;
    state.walks.complete(walkId, {
      landingId,
      order: cursor.order === "same" ? undefined : cursor.order,
      knownTotal,
      top,
      requests,
      isSince: known !== null && known.atMs !== null,
      ahead: getAheadRecords(progress),
      surplus,
      completedAt: landing.requestedAt,
    });
  });
  if (!end.isComplete) return { landing, requests, why: end.why };
  return { landing, requests, ...(end.note === undefined ? {} : { note: end.note }) };
}

function buildLandingPath(
  { kind, zoneId }: ZoneHistory,
  landingId: string,
  { folder }: ExtractContext,
): string {
  return join(folder.landing, `${kind}-zone-${zoneId}-walk-${landingId}.jsonl`);
}
