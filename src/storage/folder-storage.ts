import { createHash, randomUUID } from "node:crypto";
import { type Dirent, existsSync, linkSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { renameDurably, syncToDisk, writeDurably } from "../util/files/durable-files.ts";
import { makeFolder } from "../util/files/folders.ts";
import { FileChangedError, StorageConflictError, storageUnusableError } from "./errors.ts";
import { withFileLock } from "./file-lock.ts";
import type {
  ByteRange,
  Condition,
  FoundObject,
  ObjectContent,
  ObjectInfo,
  Storage,
  UnfinishedUpload,
} from "./storage.ts";

/** Number of bytes copied at a time. */
const copiedBytes = 1024 ** 2;
/** Temporary key of a file that is being written. It contains the final name. */
const temporaryForm = /^(.*\/)?\.unfinished-[0-9a-f-]{36}-([^/]+)$/;

/**
 * Stores objects as files in a folder. An object's version is the SHA-256 of its content. Files whose names begin
 * with a dot are not objects. File system errors are thrown unchanged.
 */
export class FolderStorage implements Storage {
  readonly location: string;
  readonly #signal: AbortSignal | undefined;

  /** @param location path of the folder, which is created by the first write */
  constructor(location: string, signal?: AbortSignal) {
    this.location = location;
    this.#signal = signal;
  }

  addressOf(key: string): string {
    return join(this.location, key);
  }

  async put(key: string, content: string | Uint8Array, condition?: Condition): Promise<string> {
    const target = this.addressOf(key);
    const version = hashOf(content);
    const temporary = prepareTemporary(target);
    try {
      writeDurably(temporary, content);
      if (condition === undefined) renameDurably(temporary, target);
      else if (this.#versionOf(key) === version) return version;
      else if ("ifNoneMatch" in condition) linkDurably(temporary, target);
      else {
        await withFileLock(target, () => {
          if (this.#versionOf(key) !== condition.ifMatch) throw new StorageConflictError(target);
          renameDurably(temporary, target);
        });
      }
      return version;
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  async putFile(key: string, file: string, sha256: string): Promise<void> {
    const target = this.addressOf(key);
    const temporary = prepareTemporary(target);
    try {
      if ((await copyFile(file, temporary, this.#signal)) !== sha256) throw new FileChangedError(file);
      renameDurably(temporary, target);
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  async copy(from: string, to: string, { sha256 }: ObjectContent): Promise<boolean> {
    const [source, target] = [this.addressOf(from), this.addressOf(to)];
    if (!existsSync(source)) return false;
    try {
      makeFolder(dirname(target));
      linkDurably(source, target);
    } catch {
      // The file system does not support hard links, or the file has too many.
      try {
        await this.putFile(to, source, sha256);
      } catch (error) {
        if (error instanceof FileChangedError) return false;
        throw error;
      }
    }
    return true;
  }

  async find(key: string): Promise<FoundObject | undefined> {
    const file = await open(this.addressOf(key)).catch(ignoreMissing);
    if (!file) return undefined;
    try {
      const [content, { mtime }] = [await file.readFile(), await file.stat()];
      return { content, version: hashOf(content), modifiedAt: mtime };
    } finally {
      await file.close();
    }
  }

  async findRange(key: string, { start, bytes }: ByteRange): Promise<Buffer | undefined> {
    this.#signal?.throwIfAborted();
    const file = await open(this.addressOf(key)).catch(ignoreMissing);
    if (!file) return undefined;
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, start);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  async findInfo(key: string): Promise<ObjectInfo | undefined> {
    const found = statSync(this.addressOf(key), { throwIfNoEntry: false });
    return found?.isFile() ? { key, bytes: found.size, modifiedAt: found.mtime } : undefined;
  }

  async *list(prefix: string): AsyncGenerator<ObjectInfo> {
    const keys = this.#listFiles(prefix).filter((key) => key.startsWith(prefix) && !isHidden(key));
    for (const key of keys.sort()) {
      const info = await this.findInfo(key);
      if (info) yield info;
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) rmSync(this.addressOf(key), { force: true });
  }

  async deleteFolder(folder: string): Promise<void> {
    rmSync(this.addressOf(folder), { recursive: true, force: true });
  }

  async *listUploads(prefix = ""): AsyncGenerator<UnfinishedUpload> {
    for (const key of this.#listFiles(prefix)) {
      const [, folder, name] = temporaryForm.exec(key) ?? [];
      if (!name) continue;
      const found = statSync(this.addressOf(key), { throwIfNoEntry: false });
      if (found) yield { key: `${folder ?? ""}${name}`, id: key, startedAt: found.mtime };
    }
  }

  async abortUpload({ id }: UnfinishedUpload): Promise<void> {
    rmSync(this.addressOf(id), { force: true });
  }

  #versionOf(key: string): string | undefined {
    try {
      return hashOf(readFileSync(this.addressOf(key)));
    } catch (error) {
      return ignoreMissing(error);
    }
  }

  /** Lists the files, including hidden ones, of all folders that can contain keys with the prefix. */
  #listFiles(prefix: string, folder = ""): string[] {
    // Does not use `recursive`, which fails if another process removes a subfolder at the same time.
    return this.#listEntries(folder).flatMap((entry) => {
      const key = folder + entry.name;
      const canContain = `${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`);
      if (entry.isDirectory()) return canContain ? this.#listFiles(prefix, `${key}/`) : [];
      return entry.isFile() ? [key] : [];
    });
  }

  #listEntries(folder: string): Dirent[] {
    try {
      return readdirSync(join(this.location, folder), { withFileTypes: true });
    } catch (error) {
      return ignoreMissing(error) ?? [];
    }
  }
}

function isHidden(key: string): boolean {
  return key.split("/").some((part) => part.startsWith("."));
}

/** Returns a temporary name next to the target. Creates the folder if needed. */
function prepareTemporary(target: string): string {
  makeFolder(dirname(target));
  return join(dirname(target), `.unfinished-${randomUUID()}-${basename(target)}`);
}

/**
 * Copies a file with its permissions, durably, without blocking other work.
 * @returns the SHA-256 of the copy, in hexadecimal
 */
async function copyFile(from: string, to: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(copiedBytes);
  const source = await open(from);
  try {
    const target = await open(to, "wx", (await source.stat()).mode);
    try {
      for (;;) {
        signal?.throwIfAborted();
        const { bytesRead } = await source.read(buffer, 0, buffer.length);
        if (bytesRead === 0) break;
        hash.update(buffer.subarray(0, bytesRead));
        // Writes everything or fails, unlike `write`.
        await target.writeFile(buffer.subarray(0, bytesRead));
      }
      await target.sync();
      return hash.digest("hex");
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Hard-links a file to a name, unless the name is taken. Unlike a rename, this never replaces a file. */
function linkDurably(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new StorageConflictError(name);
    if (code === "EPERM" || code === "ENOTSUP" || code === "ENOSYS") {
      throw storageUnusableError(
        `write ${name}`,
        "its file system has no hard links, which keep writers from overwriting each other. Use another file system.",
      );
    }
    throw error;
  }
  syncToDisk(dirname(name));
}

function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
