import { FolderStorage } from "../../storage/folder-storage.ts";
import type { Storage } from "../../storage/storage.ts";
import { FolderRoot } from "./folder-root.ts";
import type { Root } from "./root.ts";

export async function openRoot(storage: Storage): Promise<Root> {
  if (storage instanceof FolderStorage) return new FolderRoot(storage);
  const { StoreRoot } = await import("./store-root.ts");
  return new StoreRoot(storage);
}
