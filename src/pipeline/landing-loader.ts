import { LandingUnreadableError } from "../load/landing-unreadable-error.ts";
import type { LoadResult } from "../load/load-history.ts";
import type { Landing } from "../state/landings.ts";
import { VenueError } from "../util/venue-error.ts";
import { loadLanding } from "./load-landing.ts";
import { type Workspace, withWarehouse } from "./workspace.ts";

/** What was loaded, and what could not be. */
export interface Loaded {
  loads: LoadResult[];
  /** Landings of listings that were loaded. */
  listings: number;
  failures: { source: string; error: VenueError }[];
}

/** Loads landings one after the other, in the order in which they come. The warehouse is open meanwhile alone. */
export class LandingLoader {
  readonly #workspace: Workspace;
  readonly #loaded: Loaded;
  readonly #failure = new AbortController();
  #queue: Promise<void> = Promise.resolve();

  constructor(workspace: Workspace, loaded: Loaded) {
    this.#workspace = workspace;
    this.#loaded = loaded;
  }

  /** Aborted, with the error as its reason, when a load fails: nothing more is worth collecting then. */
  get failure(): AbortSignal {
    return this.#failure.signal;
  }

  add(landing: Landing): void {
    this.#queue = this.#queue.then(async () => {
      if (this.failure.aborted) return;
      try {
        await this.#load(landing);
      } catch (error) {
        if (error instanceof LandingUnreadableError) this.#giveUp(landing, error);
        else this.#failure.abort(error);
      }
    });
  }

  /** Resolves when all is loaded. @throws what a load threw */
  async settle(): Promise<void> {
    await this.#queue;
    this.failure.throwIfAborted();
  }

  async #load(landing: Landing): Promise<void> {
    const result = await withWarehouse(this.#workspace, (warehouse) =>
      loadLanding(landing, warehouse, this.#workspace),
    );
    if (result) this.#loaded.loads.push(result);
    else this.#loaded.listings += 1;
  }

  #giveUp(landing: Landing, cause: LandingUnreadableError): void {
    this.#workspace.state.landings.markBroken(landing.landingId);
    const error = new LandingLostError(landing.path, cause);
    this.#loaded.failures.push({ source: landing.path, error });
  }
}

/** A landing of ours is gone or broken. */
class LandingLostError extends VenueError {
  override readonly name = "LandingLostError";
  readonly code = "LANDING_LOST";
  readonly category = "damage";

  constructor(path: string, cause: LandingUnreadableError) {
    const reason = cause.cause instanceof Error ? cause.cause.message : cause.message;
    super(`${path} was downloaded, but can't be read any more (${reason}). The next sync collects it anew.`, {
      cause,
    });
  }
}
