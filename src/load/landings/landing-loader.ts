import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { Landing } from "../../state/data/landings.ts";
import { VenueError } from "../../util/venue-error.ts";
import { type Workspace, withWarehouse } from "../../workspace/workspace.ts";
import type { LoadResult } from "../history/load-history.ts";
import { LandingUnreadableError } from "../landing-unreadable-error.ts";
import { type LandingOutcome, loadLandings } from "./load-landings.ts";
import { isListing, takeNextLandings, type Walk } from "./next-landings.ts";

/** What was loaded, and what could not be. */
export interface Loaded {
  loads: LoadResult[];
  /** Landings of listings that were loaded. */
  listings: number;
  failures: { source: string; error: VenueError }[];
}

/** So many listings wait for each other: they cost little where they are loaded together. */
const gatheredListings = 250;

/**
 * Loads landings in the order in which they come: histories as soon as they are there, with them what else waits, small
 * walks and listings several at a time. The warehouse is open only while there are any to load.
 */
export class LandingLoader {
  readonly #workspace: Workspace;
  readonly #loaded: Loaded;
  readonly #failure = new AbortController();
  readonly #waiting: Landing[] = [];
  readonly #lostWalks: Walk[] = [];
  #pumping: Promise<void> | undefined;

  constructor(workspace: Workspace, loaded: Loaded) {
    this.#workspace = workspace;
    this.#loaded = loaded;
  }

  /** Aborted, with the error as its reason, when a load fails: nothing more is worth collecting then. */
  get failure(): AbortSignal {
    return this.#failure.signal;
  }

  add(landing: Landing): void {
    this.#waiting.push(landing);
    if (!isListing(landing) || this.#waiting.length >= gatheredListings) this.#pumping ??= this.#pump();
  }

  /** Resolves when all is loaded. @throws what a load threw */
  async settle(): Promise<void> {
    await (this.#pumping ?? this.#pump());
    // Only now: a walk that was under way may have built upon what is lost.
    const { state, settings } = this.#workspace;
    const service = settings.get("VENUE_BASE_URL").href;
    for (const walk of this.#lostWalks) state.walks.forgetZone(service, walk);
    this.failure.throwIfAborted();
  }

  async #pump(): Promise<void> {
    try {
      while (this.#waiting.length > 0 && !this.failure.aborted) {
        await withWarehouse(this.#workspace, (warehouse) => this.#loadWaiting(warehouse));
      }
    } catch (error) {
      this.#failure.abort(error);
    }
    this.#pumping = undefined;
  }

  async #loadWaiting(warehouse: DuckDb): Promise<void> {
    while (this.#waiting.length > 0) {
      const next = takeNextLandings(this.#waiting);
      const outcomes = await loadLandings(next, warehouse, this.#workspace);
      for (const [index, landing] of next.entries()) this.#note(landing, outcomes[index]);
    }
  }

  #note(landing: Landing, outcome: LandingOutcome | undefined): void {
    if (outcome instanceof LandingUnreadableError) this.#giveUp(landing, outcome);
    else if (outcome && "loadId" in outcome) this.#loaded.loads.push(outcome);
    else this.#loaded.listings += 1;
  }

  #giveUp(landing: Landing, cause: LandingUnreadableError): void {
    const { state } = this.#workspace;
    // Before it counts as lost: killed in between, it is tried once more.
    if (landing.source === "notices") state.knownNotices.forget();
    state.landings.markBroken(landing.landingId);
    if (landing.source === "walk") this.#lostWalks.push(landing);
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
