import type { Storage } from "../../storage/storage.ts";

/**
 * Version 0.2 stored a version's files in S3 as `files/TABLE/SHA256-ID.parquet` and `versions/VERSION-ID/…`, and listed
 * them in `files.json`. The first publish after an upgrade replaces such a version like any other.
 */
const earlierForm =
  /^files\/\w+\/[0-9a-f]{64}-[0-9a-f]{8}\.parquet$|^versions\/v\d+-[0-9a-f]{8}\/[a-z]+\.(json|html)$/;

const earlierFiles = ["files.json", "dictionary.json", "dictionary.html"];

/** Returns true for objects that earlier versions wrote, and false for foreign ones. */
export function isEarlierKey(key: string): boolean {
  return earlierForm.test(key);
}

export function isEarlierFolder(folder: string): boolean {
  return folder.startsWith("versions/");
}

/** Deletes those in `versions/` last: they show that there are others. */
export async function deleteEarlierObjects(storage: Storage): Promise<void> {
  await storage.delete(earlierFiles);
  for (const prefix of ["files/", "versions/"]) {
    const keys: string[] = [];
    for await (const { key } of storage.list(prefix)) if (isEarlierKey(key)) keys.push(key);
    await storage.delete(keys);
  }
}
