import { createHash } from "node:crypto";
import type { Manifest, ManifestFile } from "../../mart/manifest.ts";
import type { ObjectInfo, Storage } from "../../storage/storage.ts";
import { type FoundPointer, listKept } from "./pointer.ts";

/**
 * A manifest in a store. The paths of its files are keys. A key has the file's content and the publish that
 * uploaded it, so no later publish ever writes it again, and a file that was found unused stays unused.
 */
export type StoreManifest = Manifest;

/** Returns an id that is the same if a killed publish is repeated, so that it reuses what it has uploaded. */
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

/** Folders of objects that no reader needs once no version names them. */
export const versionedPrefixes = ["files/", "versions/"] as const;

/** Returns true for keys that `fileKey` or `versionKey` returns, and false for objects of others. */
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

/** Returns the manifests of the current version and of replaced ones that are kept, by their keys. */
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
