import { accessSync, constants } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { VenueClient } from "../../api/client.ts";
import type { Screenshot } from "../../api/records/device-status.ts";
import { makeFolder } from "../../util/files/folders.ts";
import { toHttpUrl } from "../../util/http-values.ts";
import { VenueError } from "../../util/venue-error.ts";
import { OutputUnusableError } from "./download-export.ts";

interface SaveScreenshotsOptions {
  client: VenueClient;
  zoneId: number;
  /** Created if missing. */
  folder: string;
  signal: AbortSignal;
}

/** A screenshot and the path of its picture file. */
type SavedScreenshot = Screenshot & { file: string };

const maxPictureBytes = 64 * 1024 * 1024;

/**
 * Saves the screenshots of a zone's device, one after the other. Their URLs may point to any server, so
 * requests carry no access token, and file names contain nothing from the URLs.
 * @throws {OutputUnusableError} before any request, if the folder can't be used
 * @throws {VenueError} `PICTURES_NOT_SAVED` if some pictures could not be downloaded; the others are saved
 */
export async function saveScreenshots({
  client,
  zoneId,
  folder,
  signal,
}: SaveScreenshotsOptions): Promise<SavedScreenshot[]> {
  prepareOutput(folder);
  const screenshots = await client.devices.screenshots({ zoneId, signal });
  const saved: SavedScreenshot[] = [];
  const failures: string[] = [];
  const names = new Set<string>();
  for (const screenshot of screenshots) {
    try {
      const picture = await fetchPicture(client, screenshot, signal);
      const file = join(
        folder,
        findFreeName(`zone-${zoneId}-${toDateName(screenshot)}`, picture.extension, names),
      );
      await writeAtomically(file, picture.bytes);
      saved.push({ ...screenshot, file });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof VenueError)) throw error;
      failures.push(error.message);
    }
  }
  if (failures.length > 0) throw picturesNotSavedError(failures, saved.length, folder);
  return saved;
}

function prepareOutput(folder: string): void {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new OutputUnusableError(folder, (cause as Error).message, { cause });
  }
}

async function fetchPicture(client: VenueClient, { url, add_date }: Screenshot, signal: AbortSignal) {
  if (!toHttpUrl(url)) {
    throw noPictureError(add_date, "its address is not an http(s) URL");
  }
  const { body } = await client.downloads.open({ url, signal });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop destroys the body.
    if (size > maxPictureBytes) throw noPictureError(add_date, "it is too large for a picture");
  }
  const bytes = Buffer.concat(chunks);
  const extension = findPictureExtension(bytes);
  if (extension === undefined)
    throw noPictureError(add_date, "the response is not a picture in a known format");
  return { bytes, extension };
}

/** `2026-11-21 06:00:00` → `2026-11-21-06-00-00` */
function toDateName({ add_date }: Screenshot): string {
  const isDate = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/.test(add_date ?? "");
  return isDate ? (add_date ?? "").slice(0, 19).replace(/[ T:]/g, "-") : "undated";
}

function findFreeName(stem: string, extension: string, taken: Set<string>): string {
  for (let number = 1; ; number++) {
    const name = `${stem}${number === 1 ? "" : `-${number}`}.${extension}`;
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

async function writeAtomically(file: string, bytes: Buffer): Promise<void> {
  const part = `${file}.part`;
  try {
    await writeFile(part, bytes);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

function noPictureError(date: string | null | undefined, problem: string): VenueError {
  return new VenueError(
    "NO_PICTURE",
    "service",
    `The screenshot of ${JSON.stringify(date ?? "an unknown date")} can't be saved: ${problem}.`,
  );
}

function picturesNotSavedError(failures: readonly string[], savedCount: number, folder: string): VenueError {
  return new VenueError(
    "PICTURES_NOT_SAVED",
    "service",
    `${failures.length} of ${failures.length + savedCount} pictures could not be saved in ${folder}. Run this again ` +
      `for them.\n${failures.map((failure) => `- ${failure}`).join("\n")}`,
  );
}

/** Bytes that identify a file type, and their offset in the file. */
const signatures: { extension: string; offset: number; bytes: Buffer }[] = [
  { extension: "png", offset: 0, bytes: Buffer.from("\x89PNG\r\n\x1a\n", "latin1") },
  { extension: "jpg", offset: 0, bytes: Buffer.from([0xff, 0xd8, 0xff]) },
  { extension: "gif", offset: 0, bytes: Buffer.from("GIF8", "latin1") },
  { extension: "webp", offset: 8, bytes: Buffer.from("WEBP", "latin1") },
  { extension: "avif", offset: 4, bytes: Buffer.from("ftypavif", "latin1") },
  { extension: "bmp", offset: 0, bytes: Buffer.from("BM", "latin1") },
];

/** Returns the usual extension for a picture's signature; `undefined` for anything else. */
function findPictureExtension(bytes: Buffer): string | undefined {
  const found = signatures.find(({ offset, bytes: wanted }) =>
    bytes.subarray(offset, offset + wanted.length).equals(wanted),
  );
  return found?.extension;
}
