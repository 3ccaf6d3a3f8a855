import { FolderStorage } from "./folder-storage.ts";
import { isS3Url, parseS3Url } from "./s3-url.ts";
import type { Storage } from "./storage.ts";

interface StorageOptions {
  /** Cancels requests and copies in progress. */
  signal?: AbortSignal | undefined;
  /** True to refuse a store whose requests others on the network could read. @default false */
  mustEncrypt?: boolean;
}

/**
 * Opens a folder, which need not exist, or a prefix of an existing bucket. The S3 client is loaded only for a URL,
 * because loading takes a third of a second. It reads credentials, region and endpoint from the variables and files
 * that all AWS tools use.
 * @param target `s3://bucket/prefix`, or an absolute path
 * @throws {VenueError} `S3_URL_INVALID`; `STORAGE_UNUSABLE` if `mustEncrypt` is set and requests are not encrypted
 */
export async function openStorage(
  target: string,
  { signal, mustEncrypt = false }: StorageOptions = {},
): Promise<Storage> {
  if (!isS3Url(target)) return new FolderStorage(target, signal);
  const url = parseS3Url(target);
  const { S3Storage } = await import("./s3/s3-storage.ts");
  const storage = new S3Storage(url, signal);
  if (mustEncrypt) await storage.assertEncrypted();
  return storage;
}
