import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import {
  type CollectedTopic,
  type Landing,
  type LoadedLanding,
  topicOfSource,
} from "../../state/data/landings.ts";
import { VenueError } from "../../util/venue-error.ts";
import { type Workspace, withWarehouse } from "../../workspace/workspace.ts";
import { LandingUnreadableError } from "../errors.ts";
import type { LoadResult } from "../history/load-history.ts";
import {
  isListing,
  type LandingOutcome,
  loadLandings,
  takeNextLandings,
  type Walk,
} from "./load-landings.ts";

export interface LoadSummary {
  loads: LoadResult[];
  /** Number of listings that were loaded. */
  listings: number;
  failures: { topic: CollectedTopic; source: string; error: VenueError }[];
}

/**
 * Number of listings to collect before a load, because loading many at once costs little more than loading
 * one.
 */
const listingBatchSize = 250;

/**
 * Loads landings in order of arrival. A history starts a load of everything that is waiting; listings wait
 * for a full batch. Small walks and listings are loaded several at a time. The warehouse is open only while
 * there are landings to load.
 */
export class LandingLoader {
  readonly #workspace: Workspace;
  readonly #loaded: LoadSummary;
  readonly #failure = new AbortController();
  readonly #waiting: Landing[] = [];
  readonly #lostWalks: Walk[] = [];
  #pumping: Promise<void> | undefined;

  constructor(workspace: Workspace, loaded: LoadSummary) {
    this.#workspace = workspace;
    this.#loaded = loaded;
  }

  /** Aborted with the error of a failed load, after which no further landings are loaded. */
  get failure(): AbortSignal {
    return this.#failure.signal;
  }

  add(landing: Landing): void {
    this.#waiting.push(landing);
    if (!isListing(landing) || this.#waiting.length >= listingBatchSize) this.#pumping ??= this.#pump();
  }

  /** Resolves when everything is loaded. @throws the error of a failed load */
  async finish(): Promise<void> {
    await (this.#pumping ?? this.#pump());
    // Lost walks are deleted last, because a walk that was in progress may have continued from one of them.
    const { state, settings } = this.#workspace;
    const service = settings.get("VENUE_BASE_URL").href;
    for (const walk of this.#lostWalks) state.walks.deleteZone(service, walk);
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
    // Deletes the notices before marking the landing as unreadable, so that a crash in between causes a
    // retry.
    if (landing.source === "notices") state.knownNotices.delete();
    state.landings.mark("broken", landing.landingId);
    if (landing.source === "walk") this.#lostWalks.push(landing);
    const error = landingLostError(landing.path, cause);
    this.#loaded.failures.push({ topic: topicOfSource[landing.source], source: landing.path, error });
  }
}

/** A downloaded landing is missing or broken. */
function landingLostError(path: string, cause: LandingUnreadableError): VenueError {
  const reason = cause.cause instanceof Error ? cause.cause.message : cause.message;
  return new VenueError(
    "LANDING_LOST",
    "damage",
    `${path} was collected but can no longer be read (${reason}). The next sync will collect it again.`,
    {
      cause,
    },
  );
}

const dayMs = 24 * 3_600_000;

/**
 * Gzips loaded landings. Removes a landing that was loaded at least `keepDays` days ago and is superseded by a later
 * complete load of the same source.
 */
export async function archiveLandings(workspace: Workspace, keepDays: number): Promise<void> {
  for (const landing of workspace.state.landings.listLoaded()) {
    const isOld = Date.now() - landing.loadedAt.getTime() >= keepDays * dayMs;
    // A walk that found no new plays leaves an empty file, which is not worth keeping.
    if ((landing.isSuperseded && isOld) || landing.bytes === 0) await remove(landing, workspace);
    else if (!landing.path.endsWith(".gz")) await compress(landing, workspace);
  }
  workspace.state.landings.prune();
}

/**
 * Removes orphaned files: unfinished `.tmp` files, originals of gzipped files, and files that a crash left
 * unrecorded. Keeps the files of unfinished exports and walks, because these will be resumed.
 */
export async function deleteOldLandings({ folder, state }: Workspace): Promise<void> {
  const names = await readdir(folder.landing);
  const packed = state.landings.listLoaded().filter(({ path }) => path.endsWith(".gz"));
  const packedIds = new Set(packed.map((landing) => landing.landingId));
  const orphans = names.filter((name) => {
    const landingId = /([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl/.exec(name)?.[1];
    if (landingId === undefined) return false;
    const isWanted =
      state.exportJobs.isOpen(landingId) ||
      state.walks.isOpen(landingId) ||
      state.landings.isKnown(landingId);
    const isPackedTwin = name.endsWith(".jsonl") && packedIds.has(landingId);
    return name.endsWith(".tmp") || isPackedTwin || !isWanted;
  });
  await Promise.all(orphans.map((name) => rm(join(folder.landing, name), { force: true })));
}

async function remove(landing: LoadedLanding, { folder, state }: Workspace): Promise<void> {
  await rm(folder.resolve(landing.path), { force: true });
  state.landings.mark("removed", landing.landingId);
}

async function compress(landing: LoadedLanding, { folder, state, signal }: Workspace): Promise<void> {
  const path = folder.resolve(landing.path);
  if (existsSync(path)) {
    const gzip = createGzip({ level: constants.Z_BEST_SPEED });
    await pipeline(createReadStream(path), gzip, createWriteStream(`${path}.gz.tmp`, { flush: true }), {
      signal,
    });
    await rename(`${path}.gz.tmp`, `${path}.gz`);
  }
  state.landings.setPath(landing.landingId, `${landing.path}.gz`);
  await rm(path, { force: true });
}
