import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { StorageConflictError } from "../../storage/errors.ts";
import { withFileLock } from "../../storage/file-lock.ts";
import type { FolderStorage } from "../../storage/folder-storage.ts";
import { swapLink } from "../../util/files/durable-files.ts";
import { catalogName, writeCatalog } from "./catalog-database.ts";
import type { Pointer, Root, RootVersion } from "./root.ts";

/** A folder in which the link `current` is the pointer. */
export class FolderRoot implements Root {
  readonly storage: FolderStorage;
  readonly catalogKey = catalogName;
  readonly #link: string;

  constructor(storage: FolderStorage) {
    this.storage = storage;
    this.#link = storage.addressOf("current");
  }

  async findPointer(): Promise<Pointer | undefined> {
    const state = this.#findTarget();
    if (state === undefined) return undefined;
    const [folder, shownAt] = [basename(state), lstatSync(this.#link).mtime];
    const [version] = folder.split("-");
    return {
      ...{ state, shownAt },
      folder: existsSync(join(this.storage.location, folder)) ? folder : undefined,
      publisher: `another program published ${version} there at ${shownAt.toISOString()}`,
    };
  }

  async movePointer({ folder }: RootVersion, before: Pointer | undefined): Promise<void> {
    await withFileLock(this.#link, () => {
      if (this.#findTarget() !== before?.state) throw new StorageConflictError(this.#link);
      // The target is relative, so that it still works if the folder is moved or mounted elsewhere.
      swapLink(this.#link, folder);
    });
  }

  async writeCatalog({ manifest }: RootVersion): Promise<void> {
    await writeCatalog(this.storage.location, manifest);
  }

  #findTarget(): string | undefined {
    try {
      return readlinkSync(this.#link);
    } catch {
      return undefined;
    }
  }
}
