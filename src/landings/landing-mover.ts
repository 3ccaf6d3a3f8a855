import { createReadStream, createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import type { DataFolder } from "../config/data-folder.ts";
import { type Landing, type Landings, topicOfSource } from "../state/data/landings.ts";
import type { Storage } from "../storage/storage.ts";
import { sha256Of } from "../util/files/file-content.ts";
import { contentKey, descriptionKey, type LandingDescription, storeFormat } from "./store-layout.ts";

interface MoverOptions {
  storage: Storage;
  /** Name of this collector. */
  collector: string;
  folder: DataFolder;
  landings: Landings;
  /** Called for each landing once it is in the store. */
  onMoved(landing: Landing, uploadedBytes: number): void;
}

/** Number of concurrent uploads. Small uploads take longer to start than to send. */
const movesAtOnce = 4;

/**
 * Moves landings to a store as they arrive. Writes the content, then its description, then the record of the
 * move. An interrupted move is repeated.
 */
export class LandingMover {
  readonly #options: MoverOptions;
  readonly #failure = new AbortController();
  readonly #waiting: Landing[] = [];
  readonly #moving = new Set<Promise<void>>();

  constructor(options: MoverOptions) {
    this.#options = options;
  }

  /** Aborted with the error of a failed move. The remaining landings stay on this machine until the next run. */
  get failure(): AbortSignal {
    return this.#failure.signal;
  }

  add(landing: Landing): void {
    this.#waiting.push(landing);
    this.#startMoves();
  }

  /** Resolves when everything is in the store. @throws the error of a failed move */
  async finish(): Promise<void> {
    while (this.#moving.size > 0) {
      await Promise.all(this.#moving);
      // A landing that arrived just as the last move ended is still waiting.
      this.#startMoves();
    }
    this.failure.throwIfAborted();
  }

  #startMoves(): void {
    while (this.#moving.size < movesAtOnce && this.#waiting.length > 0 && !this.failure.aborted) {
      const moving = this.#moveInTurn().finally(() => this.#moving.delete(moving));
      this.#moving.add(moving);
    }
  }

  async #moveInTurn(): Promise<void> {
    try {
      for (let next = this.#waiting.shift(); next && !this.failure.aborted; next = this.#waiting.shift())
        await this.#move(next);
    } catch (error) {
      this.#failure.abort(error);
    }
  }

  async #move(landing: Landing): Promise<void> {
    const { storage, collector, folder, landings, onMoved } = this.#options;
    const path = folder.resolve(landing.path);
    const content = await this.#putContent(landing, path);
    const { landingId, source, isComplete, bytes, ...others } = landing;
    const description: LandingDescription = {
      format: storeFormat,
      landing_id: landingId,
      collector,
      topic: topicOfSource[source],
      source,
      ...("kind" in others && { kind: others.kind }),
      ...("groupId" in others && { group_id: others.groupId }),
      ...("zoneId" in others && { zone_id: others.zoneId }),
      is_complete: isComplete,
      requested_at: landing.requestedAt.toISOString(),
      bytes,
      content,
    };
    const key = descriptionKey(collector, landing);
    await storage.put(key, `${JSON.stringify(description, null, 1)}\n`);
    // Tracked until the loader receives them, because later landings build on them.
    if (source === "walk" || source === "notices") landings.mark("loaded", landingId);
    else landings.mark("removed", landingId);
    await rm(path, { force: true });
    onMoved(landing, content?.bytes ?? 0);
  }

  async #putContent({ landingId, bytes }: Landing, path: string): Promise<LandingDescription["content"]> {
    const { storage, collector } = this.#options;
    if (bytes === 0) return null;
    const packed = `${path}.gz.tmp`;
    try {
      const gzip = createGzip({ level: constants.Z_BEST_SPEED });
      await pipeline(createReadStream(path), gzip, createWriteStream(packed), { signal: this.failure });
      const sha256 = await sha256Of(packed);
      const key = contentKey(collector, landingId, sha256);
      await storage.putFile(key, packed, sha256);
      return { key, bytes: (await stat(packed)).size, sha256 };
    } finally {
      await rm(packed, { force: true });
    }
  }
}
