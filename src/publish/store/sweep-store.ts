import type { Storage } from "../../storage/storage.ts";
import { abandonedMs } from "../retention.ts";
import type { FoundPointer } from "./pointer.ts";
import {
  findStoreManifest,
  isVersionedKey,
  listKeys,
  listObjects,
  readKept,
  type StoreManifest,
  versionedPrefixes,
} from "./store-version.ts";

/**
 * Deletes files of replaced versions that no reader can still be using, files that no version names, and abandoned
 * uploads. Ages are measured by the store's clock.
 */
export async function sweepStore(storage: Storage, shown: FoundPointer): Promise<void> {
  const kept = await readKept(storage, shown);
  const isNamed = namedBy(kept);
  const isExpired = namedBy(await readExpired(storage, shown, kept));
  const isAbandoned = (since: Date) => shown.shownAt.getTime() - since.getTime() > abandonedMs;
  for (const prefix of versionedPrefixes) {
    const unused = [...(await listObjects(storage, prefix)).values()].filter(
      ({ key, modifiedAt }) =>
        isVersionedKey(key) && !isNamed(key) && (isExpired(key) || isAbandoned(modifiedAt)),
    );
    await storage.delete(unused.map(({ key }) => key));
  }
  for await (const upload of storage.listUploads())
    if (isVersionedKey(upload.key) && isAbandoned(upload.startedAt)) await storage.abortUpload(upload);
}

async function readExpired(
  storage: Storage,
  { pointer }: FoundPointer,
  kept: ReadonlyMap<string, StoreManifest>,
): Promise<Map<string, StoreManifest>> {
  const expired = new Map<string, StoreManifest>();
  for (const { manifest: key } of pointer.replaced.filter(({ manifest }) => !kept.has(manifest))) {
    const manifest = await findStoreManifest(storage, key);
    if (manifest) expired.set(key, manifest);
  }
  return expired;
}

/** Returns a function that checks whether a key is a file of one of the versions or describes one of them. */
function namedBy(versions: ReadonlyMap<string, StoreManifest>): (key: string) => boolean {
  const keys = new Set([...versions.values()].flatMap(listKeys));
  const folders = new Set([...versions.keys()].map(folderOf));
  return (key) => keys.has(key) || folders.has(folderOf(key));
}

function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf("/"));
}
