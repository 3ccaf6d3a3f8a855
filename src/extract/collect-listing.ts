import { createWriteStream } from "node:fs";
import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createLandingId, type Landing, type LandingSource } from "../state/landings.ts";
import type { ExtractContext } from "./extract-context.ts";

/** What a listing of a group says now. */
export type ListingSource = Extract<LandingSource, { source: "devices" | "assets" }>;

/** One listing of one group as a landing: a snapshot, one record a line. */
export async function collectListing(listing: ListingSource, context: ExtractContext): Promise<Landing> {
  const { folder, state, clock, signal, collectionId } = context;
  const id = createLandingId();
  const kind = listing.source === "assets" ? listing.kind : undefined;
  const path = join(
    folder.landing,
    `${kind ? `${kind}-` : ""}${listing.source}-group-${listing.groupId}-${id}.jsonl`,
  );
  const requestedAt = clock.now();
  await pipeline(Readable.from(lines(listing, context)), createWriteStream(`${path}.part`, { flush: true }), {
    signal,
  });
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
  return landing;
}

async function* lines(
  listing: ListingSource,
  { client, progress, signal }: ExtractContext,
): AsyncGenerator<string> {
  const { groupId } = listing;
  const records =
    listing.source === "devices"
      ? client.devices.status({ groupId, signal })
      : client[listing.kind].assetsOfGroup({ groupId, signal });
  for await (const record of records) {
    const line = `${JSON.stringify(record)}\n`;
    progress.addBytes(Buffer.byteLength(line));
    yield line;
  }
}
