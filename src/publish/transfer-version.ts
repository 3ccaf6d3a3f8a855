import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listTableFiles, type Manifest, type ManifestFile, manifestName } from "../mart/manifest.ts";
import { FileChangedError } from "../storage/errors.ts";
import type { Storage } from "../storage/storage.ts";
import { forEachAtOnce } from "../util/for-each-at-once.ts";
import { publishedFilesDamagedError } from "./errors.ts";
import { listObjects } from "./root/stored-version.ts";

/** Uploads run in parallel, because small files take longer to start than to send. */
const uploadsAtOnce = 4;
const copiesAtOnce = 16;

/** Files that a version may have in addition to its tables. */
export const documentNames = ["dictionary.json", "dictionary.html"];

interface Transfer {
  /** The version's local folder, and its manifest. */
  from: string;
  manifest: Manifest;
  storage: Storage;
  /** The version's folder in the storage. */
  folder: string;
  /** Keys of files there that can be linked or copied, by SHA-256. */
  reusable: ReadonlyMap<string, string>;
  signal?: AbortSignal | undefined;
}

/**
 * Writes a version's files and, once all are verified, its manifest. Linked files come last: they may be old, and a
 * folder with only old files looks abandoned.
 */
export async function transferVersion(
  transfer: Transfer,
): Promise<{ uploadedFiles: number; uploadedBytes: number }> {
  const { from, manifest, storage, folder, reusable, signal } = transfer;
  const there = await listObjects(storage, `${folder}/`);
  const files = listTableFiles(manifest);
  const missing = files.filter(({ path, bytes }) => there.get(`${folder}/${path}`)?.bytes !== bytes);
  for (const name of documentNames.filter((one) => existsSync(join(from, one))))
    await storage.put(`${folder}/${name}`, readFileSync(join(from, name)));
  const uploaded: ManifestFile[] = [];
  const upload = async (file: ManifestFile) => {
    signal?.throwIfAborted();
    await putPublished(transfer, file);
    uploaded.push(file);
  };
  const isCopied = ({ sha256 }: ManifestFile) => reusable.has(sha256);
  await forEachAtOnce(
    missing.filter((file) => !isCopied(file)),
    uploadsAtOnce,
    upload,
  );
  await forEachAtOnce(missing.filter(isCopied), copiesAtOnce, async (file) => {
    signal?.throwIfAborted();
    const { path, bytes, sha256 } = file;
    const source = reusable.get(sha256) ?? "";
    if (!(await storage.copy(source, `${folder}/${path}`, { bytes, sha256 }))) await upload(file);
  });
  await assertComplete(transfer, files);
  await storage.put(`${folder}/${manifestName}`, `${JSON.stringify(manifest, null, 2)}\n`);
  const uploadedBytes = uploaded.reduce((sum, { bytes }) => sum + bytes, 0);
  return { uploadedFiles: uploaded.length, uploadedBytes };
}

/** Some stores list new objects late, so objects that are not listed are looked up one by one. */
async function assertComplete({ storage, folder }: Transfer, files: readonly ManifestFile[]): Promise<void> {
  const there = await listObjects(storage, `${folder}/`);
  for (const { path, bytes } of files) {
    const key = `${folder}/${path}`;
    const found = there.get(key) ?? (await storage.findInfo(key));
    if (found?.bytes !== bytes) throw publishedFilesDamagedError(storage.addressOf(key));
  }
}

async function putPublished(
  { from, storage, folder }: Transfer,
  { path, sha256 }: ManifestFile,
): Promise<void> {
  const file = join(from, path);
  try {
    await storage.putFile(`${folder}/${path}`, file, sha256);
  } catch (error) {
    const { code, path: missing } = error as NodeJS.ErrnoException;
    if (error instanceof FileChangedError || (code === "ENOENT" && missing === file))
      throw publishedFilesDamagedError(file);
    throw error;
  }
}
