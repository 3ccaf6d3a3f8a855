import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Landing } from "../../state/data/landings.ts";
import type { WalkState, ZoneHistory } from "../../state/data/walks.ts";
import type { ExtractContext } from "../extract-context.ts";
import type { WalkEnd } from "./pass-end.ts";
import { WalkFile } from "./walk-file.ts";
import { aheadOf, beginWalk, type WalkProgress } from "./walk-progress.ts";
import { ZoneWalk } from "./zone-walk.ts";

/** What a walk brought. */
export interface Walked {
  landing: Landing;
  requests: number;
  /** Why it can't be said to be complete; absent when it is. */
  why?: string;
  /** What is odd about it although it is complete. */
  note?: string;
}

/**
 * One zone's history of one kind as a landing, read page by page: what is new since the last complete walk where
 * the service lists records in order, else everything. A walk that was stopped goes on where it was.
 *
 * @throws {ServiceRefusedError} when the service knows no such history
 * @throws {ApiError} when the service fails a page; what was read is kept
 */
export async function collectWalk(zone: ZoneHistory, context: ExtractContext): Promise<Walked> {
  const { state, service } = context;
  const known = state.walks.open(service, zone);
  const { walk, progress, file } = await takeUp(known, zone, context);
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

/** The walk that an earlier run left, or a new one. Where its file is lost, what was known goes with it. */
async function takeUp(
  walk: WalkState,
  zone: ZoneHistory,
  context: ExtractContext,
): Promise<{ walk: WalkState; progress: WalkProgress; file: WalkFile }> {
  const { state, service, clock, logger } = context;
  const saved = walk.progress as WalkProgress | undefined;
  // What an earlier version did not save yet is as at a walk's beginning.
  const progress = { ...beginWalk(walk, clock.now()), ...saved };
  const file = await WalkFile.open(pathOf(zone, progress.landingId, context), progress.bytes);
  if (file) return { walk, progress, file };
  const part = `${pathOf(zone, progress.landingId, context)}.part`;
  logger.warn(
    `${part} lacks pages that were saved, or they are damaged. Reading the ${zone.kind} history of zone ${zone.zoneId} from the start.`,
  );
  await rm(part, { force: true });
  state.walks.forget(walk.walkId);
  return await takeUp(state.walks.open(service, zone), zone, context);
}

function land(
  zone: ZoneHistory,
  { walkId }: WalkState,
  progress: WalkProgress,
  end: WalkEnd,
  context: ExtractContext,
): Walked {
  const { state, folder, collectionId } = context;
  const { landingId, requestedAt, bytes, requests, order, isSince } = progress;
  const landing: Landing = {
    source: "walk",
    ...zone,
    landingId,
    requestedAt: new Date(requestedAt),
    path: folder.relativePath(pathOf(zone, landingId, context)),
    bytes,
    isComplete: end.isComplete,
  };
  state.landings.add(collectionId, landing, () => {
    if (!end.isComplete) return state.walks.forget(walkId, end.surplus ?? 0);
    const { knownTotal, top, surplus } = end;
    const completedAt = landing.requestedAt;
    state.walks.complete(walkId, {
      landingId,
      order: order === "same" ? undefined : order,
      knownTotal,
      top,
      requests,
      isSince,
      ahead: aheadOf(progress),
      surplus,
      completedAt,
    });
  });
  if (!end.isComplete) return { landing, requests, why: end.why };
  return { landing, requests, ...(end.note === undefined ? {} : { note: end.note }) };
}

function pathOf({ kind, zoneId }: ZoneHistory, landingId: string, { folder }: ExtractContext): string {
  return join(folder.landing, `${kind}-zone-${zoneId}-walk-${landingId}.jsonl`);
}
