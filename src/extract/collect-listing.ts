import { createWriteStream } from "node:fs";
import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AnswerCutError } from "../api/errors/answer-cut-error.ts";
import { createLandingId, type Landing, type LandingSource } from "../state/landings.ts";
import type { ExtractContext } from "./extract-context.ts";
import { priority } from "./request-gate.ts";

/** What a listing of a group or of a zone says now. */
export type ListingSource = Extract<LandingSource, { source: "devices" | "assets" | "campaigns" }>;

/** Listings that the service cuts off are asked for this often in all. */
const attemptLimit = 4;

/**
 * One listing of one group or zone as a landing: a snapshot, one record a line. A devices listing also tells which
 * zones the group has.
 * @throws {ApiError}
 */
export async function collectListing(listing: ListingSource, context: ExtractContext): Promise<Landing> {
  const { folder, state, service, clock, collectionId } = context;
  const id = createLandingId();
  const path = join(folder.landing, `${nameOf(listing)}-${id}.jsonl`);
  const requestedAt = clock.now();
  const zoneIds = new Set<number>();
  await writeListing(listing, `${path}.part`, zoneIds, context);
  await rename(`${path}.part`, path);
  const landing: Landing = {
    ...listing,
    landingId: id,
    requestedAt,
    path: folder.relativePath(path),
    bytes: (await stat(path)).size,
    isComplete: true,
  };
  state.landings.add(collectionId, landing);
  if (listing.source === "devices") state.zones.replaceGroup(service, listing.groupId, zoneIds, requestedAt);
  return landing;
}

async function writeListing(
  listing: ListingSource,
  part: string,
  zoneIds: Set<number>,
  context: ExtractContext,
): Promise<void> {
  const { gate, signal, logger } = context;
  for (let attempt = 1; ; attempt += 1) {
    const leave = await gate.enter(listing.source === "devices" ? priority.devices : priority.campaigns);
    try {
      zoneIds.clear();
      const lines = Readable.from(readLines(listing, zoneIds, context));
      return await pipeline(lines, createWriteStream(part, { flush: true }), { signal });
    } catch (error) {
      if (!(error instanceof AnswerCutError) || attempt === attemptLimit) throw error;
      logger.warn(`${error.message} Attempt ${attempt + 1} of ${attemptLimit} follows.`);
    } finally {
      leave();
    }
  }
}

async function* readLines(
  listing: ListingSource,
  zoneIds: Set<number>,
  context: ExtractContext,
): AsyncGenerator<string> {
  for await (const record of recordsOf(listing, context)) {
    if (listing.source === "devices") zoneIds.add((record as { zone_id: number }).zone_id);
    const line = `${JSON.stringify(record)}\n`;
    context.progress.addBytes(Buffer.byteLength(line));
    yield line;
  }
}

function recordsOf(listing: ListingSource, { client, signal }: ExtractContext): AsyncGenerator<object> {
  if (listing.source === "devices") return client.devices.status({ groupId: listing.groupId, signal });
  const of = client[listing.kind];
  if (listing.source === "assets") {
    return "groupId" in listing
      ? of.assetsOfGroup({ groupId: listing.groupId, signal })
      : of.assetsOfZone({ zoneId: listing.zoneId, signal });
  }
  return "groupId" in listing
    ? of.campaignsOfGroup({ groupId: listing.groupId, signal })
    : of.campaignsOfZone({ zoneId: listing.zoneId, signal });
}

/** Of its file, e.g. `signage-assets-group-58429`. */
function nameOf(listing: ListingSource): string {
  const owner = "groupId" in listing ? `group-${listing.groupId}` : `zone-${listing.zoneId}`;
  return `${"kind" in listing ? `${listing.kind}-` : ""}${listing.source}-${owner}`;
}
