import { listTableFiles, type Manifest, manifestName, parseManifest } from "../../mart/manifest.ts";
import type { ObjectInfo, Storage } from "../../storage/storage.ts";
import type { Root } from "./root.ts";

/** Returns the manifest of a version; `undefined` if it is missing or damaged. */
export async function findManifestOf({ storage }: Root, folder: string): Promise<Manifest | undefined> {
  const found = await storage.find(`${folder}/${manifestName}`);
  return found && parseManifest(found.content.toString());
}

/** A version's files that have not changed since they were published. */
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
  // Version 0.2 named files in S3 by their keys.
  const isEarlier = folder.startsWith("versions/");
  const there = await listObjects(storage, isEarlier ? "files/" : `${folder}/`);
  const describedAt = isEarlier ? undefined : there.get(`${folder}/${manifestName}`)?.modifiedAt;
  const intact: IntactFiles = { keys: new Map(), damaged: undefined };
  for (const { path, bytes, sha256 } of listTableFiles(manifest)) {
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
