import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Manifest, type ManifestFile, manifestName } from "../../mart/manifest.ts";
import { FileChangedError } from "../../storage/errors.ts";
import type { ObjectInfo, Storage } from "../../storage/storage.ts";
import { forEachAtOnce } from "../../util/for-each-at-once.ts";
import { publishedFilesDamagedError } from "../publish-to.ts";
import { fileKey, listObjects, type StoreManifest, versionKey } from "./store-version.ts";

/** Uploads run in parallel, because small files take longer to start than to send. */
const uploadsAtOnce = 4;
/** Files of a killed publish are reused up to this age, well before they are swept. */
const reusableMs = 12 * 3_600_000;

export interface Upload {
  storage: Storage;
  /** The version's folder, and its manifest. */
  folder: string;
  manifest: Manifest;
  publish: string;
  /** Versions whose files can be reused. */
  kept: Iterable<StoreManifest>;
  signal?: AbortSignal | undefined;
}

export interface UploadedVersion {
  manifestKey: string;
  uploadedFiles: number;
  uploadedBytes: number;
}

/** Uploads a version's new files and then its manifest, without making them visible to readers. */
export async function uploadVersion(upload: Upload): Promise<UploadedVersion> {
  const { storage, folder, manifest, publish } = upload;
  const there = await listObjects(storage, "files/");
  const reusable = listReusable(upload.kept, there);
  const stored: StoreManifest = { ...manifest, tables: {} };
  const missing = new Map<string, ManifestFile>();
  for (const [name, table] of Object.entries(manifest.tables)) {
    const files = table.files.map((file) => {
      const own = fileKey(name, file, publish);
      const known = reusable.get(file.sha256) ?? (isLeftOver(there.get(own), file) ? own : undefined);
      if (known === undefined) missing.set(own, file);
      return { ...file, path: known ?? own };
    });
    stored.tables[name] = { ...table, files };
  }
  await forEachAtOnce(missing, uploadsAtOnce, async ([key, { path, sha256 }]) => {
    upload.signal?.throwIfAborted();
    await putPublished(storage, key, join(folder, path), sha256);
  });
  for (const name of ["dictionary.json", "dictionary.html"])
    await storage.put(versionKey(manifest.version, publish, name), readPublished(join(folder, name)));
  const manifestKey = versionKey(manifest.version, publish, manifestName);
  await storage.put(manifestKey, `${JSON.stringify(stored, null, 2)}\n`);
  const uploadedBytes = [...missing.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  return { manifestKey, uploadedFiles: missing.size, uploadedBytes };
}

/** Returns true if the store has all files that a version names. */
export async function isWhole(storage: Storage, { tables }: StoreManifest): Promise<boolean> {
  const there = await listObjects(storage, "files/");
  const files = Object.values(tables).flatMap((table) => table.files);
  return files.every(({ path, bytes }) => there.get(path)?.bytes === bytes);
}

/** Returns the keys of existing files by the SHA-256 of their content. */
function listReusable(
  kept: Iterable<StoreManifest>,
  there: ReadonlyMap<string, ObjectInfo>,
): Map<string, string> {
  const reusable = new Map<string, string>();
  for (const { tables } of kept) {
    for (const { path, bytes, sha256 } of Object.values(tables).flatMap(({ files }) => files))
      if (there.get(path)?.bytes === bytes) reusable.set(sha256, path);
  }
  return reusable;
}

function isLeftOver(found: ObjectInfo | undefined, { bytes }: ManifestFile): boolean {
  return found?.bytes === bytes && Date.now() - found.modifiedAt.getTime() < reusableMs;
}

async function putPublished(storage: Storage, key: string, file: string, sha256: string): Promise<void> {
  try {
    await storage.putFile(key, file, sha256);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (error instanceof FileChangedError || (code === "ENOENT" && path === file))
      throw publishedFilesDamagedError(file);
    throw error;
  }
}

function readPublished(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw publishedFilesDamagedError(file);
    throw error;
  }
}
