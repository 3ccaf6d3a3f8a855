import {
  listTableFiles,
  type Manifest,
  type ManifestFile,
  manifestName,
  parseManifest,
} from "../../mart/manifest.ts";
import { versionFolderForm } from "../../mart/published-versions.ts";
import type { ObjectInfo, Storage } from "../../storage/storage.ts";
import { isEarlierFolder } from "./earlier-layout.ts";
import type { Root } from "./root.ts";

/** Returns the folder of a version's file; `undefined` for other keys. */
export function versionFolderOf(key: string): string | undefined {
  const [folder = "", ...path] = key.split("/");
  return path.length > 0 && versionFolderForm.test(folder) ? folder : undefined;
}

/** Returns the manifest of a version; `undefined` if it is missing or damaged. */
export async function findManifestOf({ storage }: Root, folder: string): Promise<Manifest | undefined> {
  const found = await storage.find(`${folder}/${manifestName}`);
  return found && parseManifest(found.content.toString());
}

/** A version's files that still are as they were published. */
export interface IntactFiles {
  /** Keys by SHA-256 of the content. */
  keys: Map<string, string>;
  /** Key of a file that is missing or has changed. */
  damaged: string | undefined;
}

/** Finds a version's intact files: those with the right size that are not newer than its manifest. */
export async function findIntactFiles(
  { storage }: Root,
  folder: string,
  manifest: Manifest,
): Promise<IntactFiles> {
  const isEarlier = isEarlierFolder(folder);
  const there = await listObjects(storage, isEarlier ? "files/" : `${folder}/`);
  const describedAt = isEarlier ? undefined : there.get(`${folder}/${manifestName}`)?.modifiedAt;
  const intact: IntactFiles = { keys: new Map(), damaged: undefined };
  for (const { path, bytes, sha256 } of listTableFiles(manifest)) {
    // Earlier versions named files by their keys.
    const key = isEarlier ? path : `${folder}/${path}`;
    const found = there.get(key);
    if (found?.bytes === bytes && (describedAt === undefined || found.modifiedAt <= describedAt))
      intact.keys.set(sha256, key);
    else intact.damaged ??= key;
  }
  return intact;
}

export async function listObjects(storage: Storage, prefix: string): Promise<Map<string, ObjectInfo>> {
  const objects = new Map<string, ObjectInfo>();
  for await (const object of storage.list(prefix)) objects.set(object.key, object);
  return objects;
}

/** Returns the first of the files that is missing in a folder or has another size. */
export async function findMissing(
  storage: Storage,
  folder: string,
  files: readonly ManifestFile[],
): Promise<ManifestFile | undefined> {
  const there = await listObjects(storage, `${folder}/`);
  return files.find(({ path, bytes }) => there.get(`${folder}/${path}`)?.bytes !== bytes);
}
