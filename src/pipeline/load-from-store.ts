import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import {
  type Acknowledgement,
  findAcknowledgement,
  putAcknowledgement,
} from "../landings/acknowledgement.ts";
import { claimLoader, listCollectors } from "../landings/store-claims.ts";
import type { LandingDescription, StoredLanding } from "../landings/store-layout.ts";
import {
  downloadLanding,
  listStoredLandings,
  readDescription,
  removeLandings,
  StoredLandingDamagedError,
} from "../landings/stored-landings.ts";
import { LandingUnreadableError } from "../load/errors.ts";
import { readHistoryKnowledge } from "../load/history/history-knowledge.ts";
import { loadLandings, takeNextLandings } from "../load/landings/load-landings.ts";
import { findLoaded, type LedgerEntry } from "../load/landings/loaded-landings.ts";
import { applyReference } from "../load/reference/apply-reference.ts";
import { removeLeftFolders, withTemporaryFolder } from "../load/temporary-folder.ts";
import type { HistoryKnowledge } from "../state/data/histories.ts";
import { type Landing, topicOfSource, toSource } from "../state/data/landings.ts";
import type { Collector } from "../state/data/stores.ts";
import { assertConditional } from "../storage/assert-conditional.ts";
import { openStorage } from "../storage/open-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { forEachAtOnce } from "../util/for-each-at-once.ts";
import type { VenueError } from "../util/venue-error.ts";
import { type Workspace, withWarehouse } from "../workspace/workspace.ts";
import type { StoreLoadResult } from "./sync-result.ts";

export interface StoreLoadOptions {
  /** Absolute path, or `s3://bucket/prefix`. */
  from: string;
  /** Minimum number of days for which a loaded landing stays in the store. */
  keepLandingDays: number;
  /** Makes this data folder the store's loader in place of another. */
  takeOver: boolean;
}

/** Small objects are read in parallel, because they take longer to request than to receive. */
const readsAtOnce = 8;

/**
 * Loads every landing of a store that this warehouse has not loaded, in the order of their requests. The result is the
 * same as if they had been collected here. Then acknowledges the landings, and removes old ones.
 * @throws {VenueError} `STORE_CLAIMED` if another data folder loads from the store
 */
export async function loadFromStore(
  workspace: Workspace,
  { from, keepLandingDays, takeOver }: StoreLoadOptions,
): Promise<StoreLoadResult> {
  const { state, folder, signal, progress } = workspace;
  const storage = await openStorage(from, { signal });
  await assertConditional(storage);
  const user = { id: state.stores.identify(), root: folder.root, takeOver };
  await claimLoader(storage, user);
  await removeLeftFolders(folder.temp);
  progress.show(`Reading ${storage.location}`);
  const stored = await listStoredLandings(storage);
  const result: StoreLoadResult = {
    ...{ loads: [], listings: 0, failures: [] },
    collectors: await recordCollectors(workspace, storage, stored),
    referenceProblems: [],
  };
  await withWarehouse(workspace, async (warehouse) => {
    const { problems } = await applyReference(warehouse, folder.reference);
    result.referenceProblems = problems;
    const before = await readAcknowledgement(storage, warehouse, result.collectors, stored);
    const loaded = await findLoaded(warehouse, listIds(stored));
    const known = new Set(listIds(loaded));
    const damaged = await loadLandingsOf(
      { ...workspace, storage, warehouse },
      stored.filter(({ landingId }) => !known.has(landingId)),
      result,
    );
    // If nothing changed, the knowledge is not read again, because that takes a pass over all plays.
    const isKnown = result.loads.length === 0 && !state.histories.isEmpty;
    const knowledge = isKnown ? undefined : await readHistoryKnowledge(warehouse);
    if (knowledge) state.histories.replace(knowledge);
    // Another loader may have taken over in the meantime.
    await claimLoader(storage, { ...user, takeOver: false });
    const old = await acknowledge(storage, warehouse, {
      before,
      damaged,
      stored,
      knowledge,
      keepLandingDays,
    });
    if (damaged.length + old.length > 0) await removeLandings(storage, [...damaged, ...old]);
  });
  progress.clear();
  return result;
}

interface StoreLoader extends Workspace {
  storage: Storage;
  warehouse: DuckDb;
}

/** A stored landing in the form that a load accepts once its lines are downloaded. */
interface Waiting {
  landing: Landing;
  stored: StoredLanding;
  description: LandingDescription;
}

interface DamagedLanding extends StoredLanding {
  /** Later landings may build on it. */
  isBuiltOn: boolean;
}

/** @returns the damaged landings */
async function loadLandingsOf(
  loader: StoreLoader,
  stored: readonly StoredLanding[],
  result: StoreLoadResult,
): Promise<DamagedLanding[]> {
  const { storage, warehouse, folder, signal, progress } = loader;
  const damaged: DamagedLanding[] = [];
  const giveUp = (one: StoredLanding, source: Landing["source"] | undefined, error: VenueError) => {
    damaged.push({ ...one, isBuiltOn: source === undefined || isBuiltOn({ source }) });
    const topic = source === undefined ? "history" : topicOfSource[source];
    result.failures.push({ topic, source: storage.addressOf(one.key), error });
  };
  await withTemporaryFolder(folder.temp, "load", async (temporary) => {
    const found = new Map<string, Waiting>();
    await forEachAtOnce(stored, readsAtOnce, async (one) => {
      const description = await readDescription(storage, one).catch((error: unknown) => {
        if (!(error instanceof StoredLandingDamagedError)) throw error;
        giveUp(one, undefined, error);
      });
      if (!description) return;
      const path = folder.relativePath(join(temporary, `${one.landingId}.jsonl`));
      found.set(one.landingId, { landing: toLanding(description, path), stored: one, description });
    });
    const waiting = [...found.values()].map(({ landing }) => landing).sort(compareRequests);
    const total = waiting.length;
    while (waiting.length > 0) {
      progress.show(`Loading landings of the store: ${total - waiting.length} of ${total}`);
      const batch: Landing[] = [];
      await forEachAtOnce(takeNextLandings(waiting), readsAtOnce, async (landing) => {
        const { description, stored: one } = found.get(landing.landingId) as Waiting;
        try {
          await downloadLanding(storage, description, folder.resolve(landing.path), signal);
          batch.push(landing);
        } catch (error) {
          if (!(error instanceof StoredLandingDamagedError)) throw error;
          giveUp(one, landing.source, error);
        }
      });
      batch.sort(compareRequests);
      const outcomes = batch.length > 0 ? await loadLandings(batch, warehouse, loader) : [];
      for (const [index, landing] of batch.entries()) {
        const outcome = outcomes[index];
        const { stored: one } = found.get(landing.landingId) as Waiting;
        if (outcome instanceof LandingUnreadableError)
          giveUp(one, landing.source, describeUnreadable(storage.addressOf(one.key), outcome));
        else if (outcome && "loadId" in outcome) result.loads.push(outcome);
        else result.listings += 1;
        await rm(folder.resolve(landing.path), { force: true });
      }
    }
  });
  return damaged;
}

function describeUnreadable(address: string, { cause, message }: LandingUnreadableError): VenueError {
  const reason = cause instanceof Error ? cause.message : message;
  return new StoredLandingDamagedError(address, `can't be read (${reason})`);
}

function toLanding(description: LandingDescription, path: string): Landing {
  const { landing_id: landingId, requested_at: requestedAt, bytes, is_complete: isComplete } = description;
  return {
    ...toSource(description),
    ...{ landingId, requestedAt: new Date(requestedAt), path, bytes, isComplete },
  };
}

/** Landings of the same instant are ordered by their id, so that the order does not depend on the store's. */
function compareRequests(left: Landing, right: Landing): number {
  return (
    left.requestedAt.getTime() - right.requestedAt.getTime() || (left.landingId < right.landingId ? -1 : 1)
  );
}

/** The landings acknowledged to a collector before this load. */
interface AcknowledgementState extends Acknowledgement {
  /** This warehouse lacks some of them, because it is new or was restored from a backup. */
  isLost: boolean;
}

async function readAcknowledgement(
  storage: Storage,
  warehouse: DuckDb,
  collectors: readonly Collector[],
  stored: readonly StoredLanding[],
): Promise<Map<string, AcknowledgementState>> {
  const acknowledged = new Map<string, AcknowledgementState>();
  const names = [...collectors.map(({ name }) => name), ...stored.map(({ collector }) => collector)];
  for (const name of new Set(names)) {
    const before = await findAcknowledgement(storage, name);
    const known = await findLoaded(warehouse, before.landings);
    acknowledged.set(name, { ...before, isLost: known.length < new Set(before.landings).size });
  }
  return acknowledged;
}

interface LoadedStore {
  before: ReadonlyMap<string, AcknowledgementState>;
  damaged: readonly DamagedLanding[];
  stored: readonly StoredLanding[];
  /** Absent if no history was loaded. */
  knowledge: HistoryKnowledge | undefined;
  keepLandingDays: number;
}

const dayMs = 24 * 3_600_000;

/** Days for which superseded landings stay acknowledged. Collectors are expected to run at least this often. */
const acknowledgedDays = 3;

/**
 * Records for each collector which landings are loaded, with a new epoch if any are lost.
 * @returns the landings that need not stay in the store
 */
async function acknowledge(
  storage: Storage,
  warehouse: DuckDb,
  { before, damaged, stored, knowledge, keepLandingDays }: LoadedStore,
): Promise<StoredLanding[]> {
  const isOld = ({ loadedMs }: LedgerEntry, days: number) => Date.now() - loadedMs >= days * dayMs;
  const old: StoredLanding[] = [];
  for (const [collector, { isLost, ...last }] of before) {
    const own = stored.filter((one) => one.collector === collector);
    const loaded = await findLoaded(warehouse, [...new Set([...listIds(own), ...last.landings])]);
    const isNew =
      isLost || last.epoch === "none" || damaged.some((one) => one.isBuiltOn && one.collector === collector);
    const next: Acknowledgement = {
      ...last,
      epoch: isNew ? randomUUID() : last.epoch,
      landings: listIds(
        loaded.filter((entry) => isBuiltOn(entry) && !(entry.isSuperseded && isOld(entry, acknowledgedDays))),
      ).sort(),
      ...(knowledge && selectKnowledge(knowledge, loaded)),
    };
    if (!isDeepStrictEqual(next, last)) await putAcknowledgement(storage, collector, next);
    const done = new Set(listIds(loaded.filter((entry) => isDone(entry) && isOld(entry, keepLandingDays))));
    old.push(...own.filter(({ landingId }) => done.has(landingId)));
  }
  return old;
}

/** Returns true if later landings of the source contain only new records. */
function isBuiltOn({ source }: Pick<LedgerEntry, "source">): boolean {
  return source === "walk" || source === "notices";
}

/** Returns false for a history until a later complete one of its source is loaded, because recovery may need it. */
function isDone({ source, isSuperseded }: LedgerEntry): boolean {
  return isSuperseded || (source !== "export" && source !== "walk");
}

/** Returns the part of the knowledge about groups and zones of these landings. */
function selectKnowledge(
  { sizes, zones }: HistoryKnowledge,
  loaded: readonly LedgerEntry[],
): HistoryKnowledge {
  const groups = new Set(loaded.map(({ groupId }) => groupId));
  const own = zones.filter(({ groupId }) => groups.has(groupId));
  const ids = new Set([...own, ...loaded].map(({ zoneId }) => zoneId));
  return { sizes: sizes.filter(({ zoneId }) => ids.has(zoneId)), zones: own };
}

/** Records the store's collectors for `venue status`. */
async function recordCollectors(
  { state }: Workspace,
  storage: Storage,
  stored: readonly StoredLanding[],
): Promise<readonly Collector[]> {
  const before = new Map(state.stores.listCollectors().map((one) => [one.name, one.lastLandingAt]));
  // Sorted by collector and time, so the last one of each collector is used.
  const lastOf = new Map(stored.map(({ collector, requestedAt }) => [collector, requestedAt]));
  const collectors = [...(await listCollectors(storage))].map(([name, { host, unfinished }]): Collector => {
    const times = [before.get(name), lastOf.get(name)].flatMap((time) => time ?? []);
    const lastLandingAt = times.sort((left, right) => left.getTime() - right.getTime()).at(-1);
    return { name, host, lastLandingAt, unfinished };
  });
  state.stores.replaceCollectors(collectors);
  return state.stores.listCollectors();
}

function listIds(landings: readonly { landingId: string }[]): string[] {
  return landings.map(({ landingId }) => landingId);
}
