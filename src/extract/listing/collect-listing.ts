import { createWriteStream } from "node:fs";
import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ListInput } from "../../api/endpoints/inputs.ts";
import { TruncatedListError, type UnexpectedResponseError } from "../../api/errors.ts";
import { asset, campaign } from "../../api/records/content.ts";
import { createLandingId, type Landing, type LandingSource } from "../../state/data/landings.ts";
import { countOf } from "../../util/text/words.ts";
import type { ExtractContext } from "../extract-context.ts";
import type { CollectResult } from "../extract-order.ts";
import { priority } from "../request-gate.ts";

/** Devices of a group, or campaigns or assets of a group or zone. */
export type ListingSource = Extract<LandingSource, { source: "devices" | "assets" | "campaigns" }>;

/** Maximum number of attempts if the service truncates a listing. */
const attemptLimit = 4;

/**
 * Collects one listing of a group or zone as a landing: a snapshot with one record per line. A device listing
 * also determines the group's zones. Invalid records are written as JSON strings, which the load rejects and
 * counts.
 * @throws {ApiError} also if all records are invalid
 */
export async function collectListing(
  listing: ListingSource,
  context: ExtractContext,
): Promise<CollectResult> {
  const { folder, state, collectionId } = context;
  const id = createLandingId();
  const path = join(folder.landing, `${buildFileStem(listing)}-${id}.jsonl`);
  const seen = await writeListing(listing, `${path}.part`, context);
  await rename(`${path}.part`, path);
  const landing: Landing = {
    ...listing,
    landingId: id,
    requestedAt: seen.requestedAt,
    path: folder.relativePath(path),
    bytes: (await stat(path)).size,
    isComplete: true,
  };
  const notes = seen.invalidRecords.describe();
  // Records the landing and its zones together. After a crash between the two, the listing would seem
  // collected, but its zones would not be walked.
  state.landings.add(collectionId, landing, () => {
    if (listing.source === "devices") notes.push(...recordZones(listing.groupId, seen, context));
  });
  return { landing, ...(notes.length > 0 ? { note: notes.join("; ") } : {}) };
}

/** Records the zones of a device listing. Returns a note if the listing has no zones. */
function recordZones(
  groupId: number,
  { zoneIds, invalidRecords, requestedAt }: SeenListing,
  { state, service }: ExtractContext,
): string[] {
  const before = state.zones.ofGroup(service, groupId);
  // Keeps the previous zones if any record is invalid, because that record may belong to any of them.
  const zones = new Set([...zoneIds, ...(invalidRecords.count > 0 ? before : [])]);
  state.zones.replaceGroup(service, groupId, zones, requestedAt);
  if (zones.size > 0) return [];
  return [
    before.length > 0
      ? `its device list is empty (it had ${countOf(before.length, "zone")}); the previous zones are used`
      : "its device list is empty; only zones in loaded history are requested",
  ];
}

interface SeenListing {
  /** Time at which the service produced the listing, on the data's clock. */
  requestedAt: Date;
  zoneIds: Set<number>;
  invalidRecords: InvalidRecords;
}

async function writeListing(
  listing: ListingSource,
  part: string,
  context: ExtractContext,
): Promise<SeenListing> {
  const { gate, clock, signal, logger, state } = context;
  const repair = listing.source === "campaigns" ? removeInvalidAssets : undefined;
  for (let attempt = 1; ; attempt += 1) {
    const leave = await gate.enter(listing.source === "devices" ? priority.devices : priority.campaigns);
    try {
      const seen: SeenListing = {
        requestedAt: clock.now(),
        zoneIds: new Set(),
        invalidRecords: new InvalidRecords(repair),
      };
      const onProduced: ListInput["onProduced"] = (production) => {
        seen.requestedAt = state.landings.observedAt(listing, production);
      };
      const lines = Readable.from(readLines(listing, seen, { onProduced, signal }, context));
      await pipeline(lines, createWriteStream(part, { flush: true }), { signal });
      return seen;
    } catch (error) {
      if (!(error instanceof TruncatedListError) || attempt === attemptLimit) throw error;
      logger.warn(`${error.message} Retrying (attempt ${attempt + 1} of ${attemptLimit}).`);
    } finally {
      leave();
    }
  }
}

/** Drops the malformed assets of a campaign. Rejecting the whole campaign would make it look archived. */
function removeInvalidAssets(record: unknown): object | undefined {
  const { assets } = Object(record);
  if (typeof assets !== "object") return undefined;
  const fitting = Object.values(Object(assets)).filter((one) => asset.safeParse(one).success);
  const rest = { ...Object(record), assets: fitting };
  return fitting.length > 0 && campaign.safeParse(rest).success ? rest : undefined;
}

async function* readLines(
  listing: ListingSource,
  { zoneIds, invalidRecords }: SeenListing,
  options: ListInput,
  context: ExtractContext,
): AsyncGenerator<string> {
  const { onInvalidRecord } = invalidRecords;
  for await (const record of streamRecords(listing, { ...options, onInvalidRecord }, context.client)) {
    if (listing.source === "devices") zoneIds.add((record as { zone_id: number }).zone_id);
    const line = `${JSON.stringify(record)}\n`;
    context.progress.addBytes(Buffer.byteLength(line));
    yield line;
  }
  for (const text of invalidRecords.lines) yield `${text}\n`;
}

function streamRecords(
  listing: ListingSource,
  options: ListInput,
  client: ExtractContext["client"],
): AsyncGenerator<object> {
  if (listing.source === "devices") return client.devices.status({ groupId: listing.groupId, ...options });
  const of = client[listing.kind];
  if (listing.source === "assets") {
    return "groupId" in listing
      ? of.assetsOfGroup({ groupId: listing.groupId, ...options })
      : of.assetsOfZone({ zoneId: listing.zoneId, ...options });
  }
  return "groupId" in listing
    ? of.campaignsOfGroup({ groupId: listing.groupId, ...options })
    : of.campaignsOfZone({ zoneId: listing.zoneId, ...options });
}

/** Returns the start of the file name, e.g. `signage-assets-group-58429`. */
function buildFileStem(listing: ListingSource): string {
  const owner = "groupId" in listing ? `group-${listing.groupId}` : `zone-${listing.zoneId}`;
  return `${"kind" in listing ? `${listing.kind}-` : ""}${listing.source}-${owner}`;
}

/** Collects the records that do not match the documentation. */
export class InvalidRecords {
  readonly lines: string[] = [];
  /** Path of the first invalid value in each rejected record. */
  readonly #places: string[] = [];

  /** Paths of the parts that were dropped from repaired records. */
  readonly #leftOut: string[] = [];
  readonly #repair: ((record: unknown) => object | undefined) | undefined;

  #first: UnexpectedResponseError | undefined;

  /** @param repair returns the usable part of a record, if any */
  constructor(repair?: (record: unknown) => object | undefined) {
    this.#repair = repair;
  }

  readonly onInvalidRecord: NonNullable<ListInput["onInvalidRecord"]> = (record, error) => {
    const place = error.recordPath ?? "the whole record";
    const repaired = this.#repair?.(record);
    if (repaired) {
      this.#leftOut.push(place);
      return repaired;
    }
    this.lines.push(JSON.stringify(JSON.stringify(record)));
    this.#places.push(place);
    this.#first ??= error;
    return undefined;
  };

  /** Called if a listing has no valid records. @throws {UnexpectedResponseError} if it has invalid records */
  refuse(): void {
    if (this.#first) throw this.#first;
  }

  get count(): number {
    return this.lines.length;
  }

  /** Returns notes for the run's result. */
  describe(): string[] {
    const leftOut = this.#leftOut.length;
    return [
      ...(this.count > 0
        ? [`${countOf(this.count, "record")} rejected as undocumented: ${listSome(this.#places)}`]
        : []),
      ...(leftOut > 0
        ? [
            `${countOf(leftOut, "record")} with undocumented parts, which were dropped: ${listSome(this.#leftOut)}`,
          ]
        : []),
    ];
  }
}

function listSome(places: readonly string[]): string {
  return `${places.slice(0, 3).join(", ")}${places.length > 3 ? " …" : ""}`;
}
