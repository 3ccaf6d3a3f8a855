import { createReadStream, createWriteStream } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { downloadFile } from "../storage/download-file.ts";
import { parseObject } from "../storage/parse-object.ts";
import { abandonedMs, type ObjectInfo, type Storage } from "../storage/storage.ts";
import { VenueError } from "../util/venue-error.ts";
import {
  folders,
  type LandingDescription,
  parseContentKey,
  parseDescription,
  parseDescriptionKey,
  type StoredLanding,
  storeFormat,
} from "./store-layout.ts";

/** A landing in the store is damaged. It is removed, so that its collector collects it again, with complete walks. */
export class StoredLandingDamagedError extends VenueError {
  constructor(address: string, finding: string) {
    super(
      "STORED_LANDING_DAMAGED",
      "damage",
      `${address} ${finding}, so it was not loaded, and was removed. Its collector will collect it again.`,
    );
  }
}

/** Lists the store's landings, ordered by request for each collector. */
export async function listStoredLandings(storage: Storage): Promise<StoredLanding[]> {
  const found: StoredLanding[] = [];
  for await (const { key } of storage.list(`${folders.landings}/`)) {
    const one = parseDescriptionKey(key);
    if (one) found.push(one);
  }
  return found;
}

/**
 * @throws {StoredLandingDamagedError}
 * @throws {VenueError} `STORE_TOO_NEW` if a newer version of the program wrote it
 * @returns `undefined` if it was removed in the meantime
 */
export async function readDescription(
  storage: Storage,
  { key }: StoredLanding,
): Promise<LandingDescription | undefined> {
  const found = await storage.find(key);
  if (!found) return undefined;
  const text = found.content.toString();
  const parsed = parseDescription(text);
  if (parsed) return parsed;
  const { format = 0 } = parseObject(z.looseObject({ format: z.number() }), text) ?? {};
  if (format > storeFormat) throw storeTooNewError(storage.addressOf(key));
  throw new StoredLandingDamagedError(storage.addressOf(key), "is not a description of a landing");
}

/** Downloads a landing's lines to a file. @throws {StoredLandingDamagedError} */
export async function downloadLanding(
  storage: Storage,
  { content }: LandingDescription,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  if (content === null) return await writeFile(file, "");
  const packed = `${file}.gz`;
  if (!(await downloadFile(storage, { ...content, signal }, packed)))
    throw new StoredLandingDamagedError(storage.addressOf(content.key), "is missing or was changed");
  await pipeline(createReadStream(packed), createGunzip(), createWriteStream(file), { signal });
  await rm(packed);
}

/**
 * Removes landings: first their descriptions, so that no loader misses content, and then content without a
 * description, including leftovers of collectors that were killed over a day ago.
 */
export async function removeLandings(storage: Storage, landings: readonly StoredLanding[]): Promise<void> {
  await storage.delete(landings.map(({ key }) => key));
  const removed = new Set(landings.map(({ landingId }) => landingId));
  const described = new Set((await listStoredLandings(storage)).map(({ landingId }) => landingId));
  const loose: (ObjectInfo & { landingId: string })[] = [];
  let newestMs = 0;
  for await (const object of storage.list(`${folders.content}/`)) {
    const { landingId } = parseContentKey(object.key) ?? {};
    newestMs = Math.max(newestMs, object.modifiedAt.getTime());
    if (landingId !== undefined && !described.has(landingId)) loose.push({ ...object, landingId });
  }
  // Ages are measured by the store's clock, because this machine's clock may be wrong.
  const isAbandoned = (since: Date) => newestMs - since.getTime() > abandonedMs;
  const orphans = loose.filter(
    ({ landingId, modifiedAt }) => removed.has(landingId) || isAbandoned(modifiedAt),
  );
  await storage.delete(orphans.map(({ key }) => key));
  for await (const upload of storage.listUploads(`${folders.content}/`))
    if (isAbandoned(upload.startedAt)) await storage.abortUpload(upload);
}

function storeTooNewError(address: string): VenueError {
  return new VenueError(
    "STORE_TOO_NEW",
    "usage",
    `${address} was written by a newer version of venue-analytics. Install that version on this machine too.`,
  );
}
