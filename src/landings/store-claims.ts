import { hostname } from "node:os";
import { z } from "zod";
import { StorageConflictError } from "../storage/errors.ts";
import { parseObject } from "../storage/parse-object.ts";
import type { Storage } from "../storage/storage.ts";
import { VenueError } from "../util/venue-error.ts";
import { folders, storeFormat } from "./store-layout.ts";

const claim = z.looseObject({
  format: z.literal(storeFormat),
  /** Id of the data folder. */
  owner: z.string(),
  host: z.string(),
  data_folder: z.string(),
  /** ISO instant. */
  since: z.iso.datetime(),
});

type Claim = z.infer<typeof claim>;

/** A data folder that uses a store. */
export interface StoreUser {
  id: string;
  /** Path of the data folder. */
  root: string;
  /** True to take over another data folder's claim. */
  takeOver: boolean;
}

const loaderKey = "loader.json";

/**
 * Makes this data folder the store's loader. A store has only one loader, because each loader treats its loaded
 * landings as done.
 * @throws {VenueError} `STORE_CLAIMED` if another data folder is the loader
 */
export async function claimLoader(storage: Storage, user: StoreUser): Promise<void> {
  await claimObject(storage, loaderKey, user, "is the loader of this store");
}

/**
 * Reserves a collector's name for this data folder.
 * @throws {VenueError} `STORE_CLAIMED` if another data folder collects under this name
 */
export async function claimCollector(storage: Storage, collector: string, user: StoreUser): Promise<void> {
  await claimObject(storage, collectorKey(collector), user, `collects as ${collector}`);
}

async function claimObject(storage: Storage, key: string, user: StoreUser, role: string): Promise<void> {
  const found = await storage.find(key);
  const before = found && parseObject(claim, found.content.toString());
  if (before?.owner === user.id) return;
  if (before && !user.takeOver) throw claimedError(storage, before, role);
  const own: Claim = {
    format: storeFormat,
    owner: user.id,
    host: hostname(),
    data_folder: user.root,
    since: new Date().toISOString(),
  };
  try {
    await storage.put(
      key,
      `${JSON.stringify(own, null, 1)}\n`,
      found ? { ifMatch: found.version } : { ifNoneMatch: "*" },
    );
  } catch (error) {
    if (!(error instanceof StorageConflictError)) throw error;
    const winner = parseObject(claim, (await storage.find(key))?.content.toString() ?? "");
    if (winner?.owner !== user.id) throw winner ? claimedError(storage, winner, role) : error;
  }
}

function claimedError({ location }: Storage, { host, data_folder, since }: Claim, role: string): VenueError {
  return new VenueError(
    "STORE_CLAIMED",
    "usage",
    `${location}: ${data_folder} on ${host} ${role} since ${since}. If this machine replaces it, run this again with --take-over.`,
  );
}

const unfinishedWork = z.object({
  topic: z.string().optional(),
  subject: z.string(),
  value: z.string(),
  note: z.string(),
});

const collector = claim.extend({
  /** ISO instant at which the collector's last run ended; absent before that. */
  ended_at: z.iso.datetime().optional(),
  software_version: z.string().optional(),
  /** Unfinished work of the last run. */
  unfinished: z.array(unfinishedWork).default([]),
});

/** A collector and its last run. */
export type CollectorRecord = z.infer<typeof collector>;

/** Records the end of a collector's run. */
export async function recordCollector(
  storage: Storage,
  name: string,
  run: Pick<CollectorRecord, "ended_at" | "software_version" | "unfinished">,
): Promise<void> {
  const found = await storage.find(collectorKey(name));
  const before = parseObject(claim, found?.content.toString() ?? "");
  await storage.put(collectorKey(name), `${JSON.stringify({ ...before, ...run }, null, 1)}\n`);
}

/** Lists the store's collectors by name. Omits damaged records, which the collector's next run repairs. */
export async function listCollectors(storage: Storage): Promise<Map<string, CollectorRecord>> {
  const found = new Map<string, CollectorRecord>();
  for await (const { key } of storage.list(`${folders.collectors}/`)) {
    const [, name] = /^collectors\/([\w-]+)\.json$/.exec(key) ?? [];
    const object = name === undefined ? undefined : await storage.find(key);
    const record = object && parseObject(collector, object.content.toString());
    if (name !== undefined && record) found.set(name, record);
  }
  return found;
}

function collectorKey(name: string): string {
  return `${folders.collectors}/${name}.json`;
}
