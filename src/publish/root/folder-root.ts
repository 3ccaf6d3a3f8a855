import { existsSync, lstatSync, readlinkSync, statSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";
import { findManifest, manifestName } from "../../mart/manifest.ts";
import { listVersions } from "../../mart/published-versions.ts";
import { StorageConflictError } from "../../storage/errors.ts";
import { withFileLock } from "../../storage/file-lock.ts";
import type { FolderStorage } from "../../storage/folder-storage.ts";
import { swapLink } from "../../util/files/durable-files.ts";
import { catalogName, writeCatalog } from "./catalog-database.ts";
import { separateExpired } from "./retention.ts";
import type { Pointer, Root, RootVersion } from "./root.ts";

/** A folder in which the link `current` is the pointer. A version's time of modification is when it was replaced. */
export class FolderRoot implements Root {
  readonly storage: FolderStorage;
  readonly #folder: string;
  readonly #link: string;

  constructor(storage: FolderStorage) {
    this.storage = storage;
    this.#folder = storage.location;
    this.#link = join(storage.location, "current");
  }

  async findPointer(): Promise<Pointer | undefined> {
    const target = this.#findTarget();
    if (target === undefined) return undefined;
    const folder = basename(target);
    const shownAt = lstatSync(this.#link).mtime;
    const version = findManifest(join(this.#folder, folder))?.version ?? folder;
    return {
      ...{ state: target, shownAt },
      folder: existsSync(join(this.#folder, folder)) ? folder : undefined,
      publisher: `another program published ${version} there at ${shownAt.toISOString()}`,
    };
  }

  async movePointer({ folder }: RootVersion, before: Pointer | undefined): Promise<void> {
    await withFileLock(this.#link, () => {
      if (this.#findTarget() !== before?.state) throw new StorageConflictError(this.#link);
      if (before?.folder !== undefined) this.#retire(before.folder);
      // The target is relative, so that it still works if the folder is moved or mounted elsewhere.
      swapLink(this.#link, folder);
    });
  }

  async listReplaced({ folder: current }: Pointer): Promise<{ kept: string[]; expired: string[] }> {
    const replaced = listVersions(this.#folder)
      .filter((folder) => folder !== current && existsSync(join(this.#folder, folder, manifestName)))
      .map((folder) => ({ folder, replacedAt: statSync(join(this.#folder, folder)).mtime }))
      .reverse();
    const byTime = replaced.sort((a, b) => b.replacedAt.getTime() - a.replacedAt.getTime());
    return separateExpired(byTime, new Date());
  }

  async hasCatalog(): Promise<boolean> {
    const [catalog, link] = [join(this.#folder, catalogName), this.#link].map((path) =>
      lstatSync(path, { throwIfNoEntry: false }),
    );
    return catalog !== undefined && (link === undefined || catalog.mtimeMs >= link.mtimeMs);
  }

  async writeCatalog({ manifest }: RootVersion): Promise<void> {
    await writeCatalog(this.#folder, manifest);
  }

  /** Starts the ten minutes after which the version that is about to be replaced may be removed. */
  #retire(version: string): void {
    const now = new Date();
    try {
      utimesSync(join(this.#folder, version), now, now);
    } catch (error) {
      // The folder belongs to another user, so this user may not remove it either.
      if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
    }
  }

  #findTarget(): string | undefined {
    try {
      return readlinkSync(this.#link);
    } catch {
      return undefined;
    }
  }
}
