import { createHash } from "node:crypto";
import type { Manifest, ManifestFile } from "../../mart/manifest.ts";
import type { ObjectInfo, Storage } from "../../storage/storage.ts";
import { type FoundPointer, listKept } from "./pointer.ts";

/**
 * A manifest in a store. The paths of its files are keys. A key contains the checksum of the file and the id of the
 * publish that uploaded it, so no later publish writes it again, and an unused file stays unused.
 */
export type StoreManifest = Manifest;

/** Returns an id that stays the same when a killed publish is repeated, so that its uploads are reused. */
export function identifyPublish({ version, built_at }: Manifest, before: FoundPointer | undefined): string {
  return createHash("sha256")
    .update(JSON.stringify([version, built_at, before?.objectVersion ?? ""]))
    .digest("hex")
    .slice(0, 8);
}

export function fileKey(table: string, { sha256 }: ManifestFile, publish: string): string {
  return `files/${table}/${sha256}-${publish}.parquet`;
}

export function versionKey(version: string, publish: string, name: string): string {
  return `versions/${version}-${publish}/${name}`;
}

/** Folders whose objects can be deleted once no version names them. */
export const versionedPrefixes = ["files/", "versions/"] as const;

/** Returns true for keys created by `fileKey` or `versionKey`, and false for foreign objects. */
export function isVersionedKey(key: string): boolean {
  return (
    /^files\/\w+\/[0-9a-f]{64}-[0-9a-f]{8}\.parquet$/.test(key) ||
    /^versions\/v\d+-[0-9a-f]{8}\/[a-z]+\.(json|html)$/.test(key)
  );
}

export async function findStoreManifest(storage: Storage, key: string): Promise<StoreManifest | undefined> {
  const found = await storage.find(key);
  return found && (JSON.parse(found.content.toString()) as StoreManifest);
}

/** Lists the keys of all files that a version names. */
export function listKeys({ tables }: StoreManifest): string[] {
  return Object.values(tables).flatMap(({ files }) => files.map(({ path }) => path));
}

/** Returns the manifests of the current version and of kept replaced versions, by key. */
export async function readKept(
  storage: Storage,
  shown: FoundPointer | undefined,
): Promise<Map<string, StoreManifest>> {
  const manifests = new Map<string, StoreManifest>();
  for (const { manifest: key } of shown ? [shown.pointer, ...listKept(shown)] : []) {
    const manifest = await findStoreManifest(storage, key);
    if (manifest) manifests.set(key, manifest);
  }
  return manifests;
}

export async function listObjects(storage: Storage, prefix: string): Promise<Map<string, ObjectInfo>> {
  const objects = new Map<string, ObjectInfo>();
  for await (const object of storage.list(prefix)) objects.set(object.key, object);
  return objects;
}
