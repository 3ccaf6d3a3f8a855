import { FolderStorage } from "../../storage/folder-storage.ts";
import type { Storage } from "../../storage/storage.ts";
import { FolderRoot } from "./folder-root.ts";
import type { Root } from "./root.ts";
import { StoreRoot } from "./store-root.ts";

export function openRoot(storage: Storage): Root {
  return storage instanceof FolderStorage ? new FolderRoot(storage) : new StoreRoot(storage);
}
