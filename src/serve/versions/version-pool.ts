import { VersionUnknownError } from "../../mart/errors.ts";
import { KnownRows } from "../../report/published/known-rows.ts";
import type { OpenedVersion } from "../../report/published/open-published.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import type { VersionSource } from "./version-source.ts";

/** Who reads a version at the same time; further ones wait for the first that is done. */
const readersOfVersion = 12;
/** Opened at the same time: the current one, and those that pages still show. */
const mostVersions = 3;

/** A version as one reader has it, until it is released. */
export interface TakenVersion {
  mart: PublishedMart;
  /** What pages of this version asked for before. */
  known: KnownRows;
  /** The version that is current now. */
  current: string;
  /** The version that was asked for, where it is no longer kept. */
  gone?: string;
  release(): void;
}

interface PooledVersion {
  opened: OpenedVersion;
  places: Places<OpenedVersion["marts"][number]>;
  known: KnownRows;
}

interface OpenVersion {
  /** Of the source, when it was opened. */
  stamp: string;
  pooled: Promise<PooledVersion>;
}

/** The versions that pages show, each opened once. */
export class VersionPool {
  readonly #source: VersionSource;
  /** Those used last come last. */
  readonly #versions = new Map<string, OpenVersion>();

  constructor(source: VersionSource) {
    this.#source = source;
  }

  /** The version that is current now. @throws when there is none yet */
  async findCurrent(): Promise<string> {
    return await this.#source.findCurrent();
  }

  /** Whether a version can be shown. */
  async isKept(version: string): Promise<boolean> {
    return await this.#source.isKept(version);
  }

  /**
   * A version to read from: the one that is named as long as it is kept, else the current one.
   * @param signal interrupts statements, and ends the wait for a free reader
   * @throws when nothing is there to be shown
   */
  async take(asOf: string | undefined, signal: AbortSignal): Promise<TakenVersion> {
    const current = await this.findCurrent();
    const named = asOf === undefined ? undefined : await this.#findKept(asOf);
    const version = named ?? (await this.#open(current));
    const place = await version.places.take(signal);
    const { version: name } = version.opened;
    const mart = place.item(signal);
    return {
      mart,
      known: version.known,
      current: named ? current : name,
      ...(asOf !== undefined && !named && { gone: asOf }),
      release: () => {
        mart.close();
        place.release();
      },
    };
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    const versions = [...this.#versions.values()];
    this.#versions.clear();
    for (const { pooled } of versions)
      await pooled.then(({ opened }) => opened.close()).catch(() => undefined);
  }

  async #findKept(name: string): Promise<PooledVersion | undefined> {
    try {
      const version = await this.#open(name);
      if (await this.#source.isKept(name)) return version;
      this.#versions.delete(name);
      void version.places.empty().then(() => version.opened.close());
      return undefined;
    } catch (error) {
      if (error instanceof VersionUnknownError) return undefined;
      throw error;
    }
  }

  async #open(name: string): Promise<PooledVersion> {
    const stamp = await this.#source.stampOf(name);
    const known = this.#versions.get(name);
    this.#versions.delete(name);
    if (known && known.stamp !== stamp) closeOnceFree(known);
    const version = known?.stamp === stamp ? known : { stamp, pooled: this.#openNew(name) };
    this.#versions.set(name, version);
    // What could not be opened is tried again by the next reader.
    version.pooled.catch(() => {
      if (this.#versions.get(name) === version) this.#versions.delete(name);
    });
    this.#closeOldest();
    return await version.pooled;
  }

  async #openNew(name: string): Promise<PooledVersion> {
    const opened = await this.#source.open(name, readersOfVersion);
    return { opened, places: new Places(opened.marts), known: new KnownRows() };
  }

  #closeOldest(): void {
    const [oldest] = this.#versions;
    if (this.#versions.size <= mostVersions || !oldest) return;
    const [name, version] = oldest;
    this.#versions.delete(name);
    closeOnceFree(version);
  }
}

function closeOnceFree({ pooled }: OpenVersion): void {
  const close = async ({ opened, places }: PooledVersion) => {
    await places.empty();
    opened.close();
  };
  // What could not be opened is not to be closed.
  void pooled.then(close).catch(() => undefined);
}

interface Place<Item> {
  item: Item;
  /** Gives it to whoever waits; only the first call counts. */
  release(): void;
}

/** Things of which each is used by one at a time. Who comes first is served first. */
export class Places<Item> {
  readonly #free: Item[];
  readonly #all: number;
  readonly #waiting: ((item: Item) => void)[] = [];
  #whenEmpty: (() => void) | undefined;

  constructor(items: readonly Item[]) {
    this.#free = [...items];
    this.#all = items.length;
  }

  /** @throws the signal's reason when it is aborted while all are in use */
  async take(signal: AbortSignal): Promise<Place<Item>> {
    const item = this.#free.pop() ?? (await this.#wait(signal));
    let isTaken = true;
    return {
      item,
      release: () => {
        if (isTaken) this.#giveBack(item);
        isTaken = false;
      },
    };
  }

  /** Resolves once nothing is in use any more. */
  async empty(): Promise<void> {
    if (this.#free.length === this.#all) return;
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
  }

  #wait(signal: AbortSignal): Promise<Item> {
    return new Promise((resolve, reject) => {
      const serve = (item: Item) => {
        signal.removeEventListener("abort", leave);
        resolve(item);
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(serve), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(serve);
    });
  }

  #giveBack(item: Item): void {
    const next = this.#waiting.shift();
    if (next) {
      next(item);
      return;
    }
    this.#free.push(item);
    if (this.#free.length === this.#all) this.#whenEmpty?.();
  }
}
