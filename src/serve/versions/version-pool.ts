import { Sema } from "async-sema";
import { LRUCache } from "lru-cache";
import { UnknownVersionError } from "../../mart/errors.ts";
import type { OpenedVersion } from "../../report/published/open-published.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import { awaitUnlessAborted } from "../../util/abort-signals.ts";
import type { VersionSource } from "./version-source.ts";

/** Maximum number of concurrent readers of a version. Other requests wait for a free one. */
const readersPerVersion = 12;
/** Maximum number of versions open at the same time: the current one, and others that pages still show. */
const maxVersions = 3;

/** A version in use by one reader, until released. */
export interface VersionLease {
  mart: PublishedMart;
  /** The version, the same object for all its readers. */
  opened: OpenedVersion;
  current: string;
  /** The version that was requested, if it was removed. */
  removed?: string;
  /** Must be called once. */
  release(): void;
}

type Reader = OpenedVersion["marts"][number];

interface PooledVersion {
  opened: OpenedVersion;
  /** Semaphore whose tokens are the readers. */
  readers: Sema;
}

interface OpenVersion {
  /** Stamp of the source when the version was opened. */
  stamp: string;
  pooled: Promise<PooledVersion>;
}

/** Open versions of one or more pools. An evicted version is closed when its last reader has finished. */
type VersionCache = ReturnType<typeof createVersionCache>;

export function createVersionCache(max: number) {
  const versions = new LRUCache<string, OpenVersion>({
    max,
    dispose: ({ pooled }) => void closeWhenFree(pooled),
  });
  return Object.assign(versions, {
    /** Closes all versions, which ends running statements. */
    async close(): Promise<void> {
      for (const { pooled } of versions.values())
        await pooled.then(({ opened }) => opened.close()).catch(() => undefined);
    },
  });
}

/** Pool of the versions that pages show, each opened once. */
export class VersionPool {
  readonly #source: VersionSource;
  readonly #versions: VersionCache;
  readonly #prefix: string;

  /**
   * @param versions cache that other pools may share
   * @param prefix for this pool's keys in that cache
   */
  constructor(source: VersionSource, versions: VersionCache = createVersionCache(maxVersions), prefix = "") {
    this.#source = source;
    this.#versions = versions;
    this.#prefix = prefix;
  }

  /** @throws before the first version is published */
  async findCurrent(): Promise<string> {
    return await this.#source.findCurrent();
  }

  async isKept(version: string): Promise<boolean> {
    return await this.#source.isKept(version);
  }

  /**
   * Returns a version to read from: the requested one if it still exists, else the current one.
   * @param signal interrupts statements, and ends the wait for a free reader
   * @throws when there is nothing to show
   */
  async take(asOf: string | undefined, signal: AbortSignal): Promise<VersionLease> {
    const current = await this.findCurrent();
    const keptVersion = asOf === undefined ? undefined : await this.#findKept(asOf);
    const { opened, readers } = keptVersion ?? (await this.#open(current));
    const reader = await takeReader(readers, signal);
    const mart = reader(signal);
    return {
      mart,
      opened,
      current: keptVersion ? current : opened.version,
      ...(asOf !== undefined && !keptVersion && { removed: asOf }),
      release: () => {
        mart.close();
        readers.release(reader);
      },
    };
  }

  /** Closes all versions, which ends running statements. */
  async close(): Promise<void> {
    await this.#versions.close();
  }

  async #findKept(name: string): Promise<PooledVersion | undefined> {
    try {
      const version = await this.#open(name);
      if (await this.#source.isKept(name)) return version;
      this.#versions.delete(this.#prefix + name);
    } catch (error) {
      if (!(error instanceof UnknownVersionError)) throw error;
    }
    return undefined;
  }

  async #open(name: string): Promise<PooledVersion> {
    const stamp = await this.#source.getStamp(name);
    const key = this.#prefix + name;
    const known = this.#versions.get(key);
    if (known?.stamp === stamp) return await known.pooled;
    const version = { stamp, pooled: this.#openNew(name) };
    this.#versions.set(key, version);
    // A version that failed to open is removed, so that the next reader tries again.
    version.pooled.catch(() => {
      if (this.#versions.peek(key) === version) this.#versions.delete(key);
    });
    return await version.pooled;
  }

  async #openNew(name: string): Promise<PooledVersion> {
    const opened = await this.#source.open(name, readersPerVersion);
    const unusedReaders = [...opened.marts];
    const readers = new Sema(unusedReaders.length, { initFn: () => unusedReaders.pop() });
    return { opened, readers };
  }
}

/** @throws the signal's reason when it is aborted while all readers are in use */
async function takeReader(readers: Sema, signal: AbortSignal): Promise<Reader> {
  signal.throwIfAborted();
  const acquiring: Promise<Reader> = readers.acquire();
  try {
    return await awaitUnlessAborted(acquiring, signal);
  } catch (error) {
    void acquiring.then((reader) => readers.release(reader));
    throw error;
  }
}

async function closeWhenFree(pooled: Promise<PooledVersion>): Promise<void> {
  // A version that failed to open does not need to be closed.
  const version = await pooled.catch(() => undefined);
  await version?.readers.drain();
  version?.opened.close();
}
