import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createVenueClient } from "../../src/api/client.ts";
import { DataFolder } from "../../src/config/data-folder.ts";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/emulator.ts";
import { groupIds } from "../../src/emulator/world/premises/zone.ts";
import type { ExtractContext } from "../../src/extract/extract-context.ts";
import { PageLimit } from "../../src/extract/page-limit.ts";
import { RequestGate } from "../../src/extract/request-gate.ts";
import type { ExtractProgress } from "../../src/extract/sync-progress.ts";
import { type DataState, openDataState } from "../../src/state/data/data-state.ts";
import { createClock } from "../../src/util/clock.ts";
import { silentLogger } from "../../src/util/logger.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** Requests per second. */
const quickRate = 2000;

const silentProgress: ExtractProgress = {
  addBytes: () => {},
  addLines: () => {},
  expect: () => {},
  countEarlier: () => {},
  expectRequests: () => {},
  leave: () => {},
  finish: () => {},
};

/** Objects to collect from a service in this process. */
export interface Collecting {
  folder: DataFolder;
  state: DataState;
  /** A new collection, at the service's current time; aborting `stop` ends it like a kill. */
  begin(stop?: AbortController): ExtractContext;
}

/** An emulated service, and what collects from it in this process. */
export interface ExtractFixture extends Collecting {
  emulator: Emulator;
}

/** Fast: a high rate limit, and immediate exports. */
export async function startFixture(options: EmulatorOptions = {}): Promise<ExtractFixture> {
  const ratePerSecond = options.ratePerSecond ?? quickRate;
  const emulator = await startEmulator({
    exportSeconds: 0,
    listingMaxAgeSeconds: 0,
    ...options,
    ratePerSecond,
  });
  onTestFinished(() => emulator.close());
  return { emulator, ...openCollecting(emulator, { now: () => emulator.now(), ratePerSecond }) };
}

/** @param now called once per collection, which stays at that instant */
export function openCollecting(
  { baseUrl: service, clientId, clientSecret }: Pick<Emulator, "baseUrl" | "clientId" | "clientSecret">,
  { now, ratePerSecond = quickRate }: { now: () => Date; ratePerSecond?: number },
): Collecting {
  const home = createTempFolder();
  const folder = new DataFolder(join(home, "data")).prepare();
  const state = openDataState(folder.stateFile);
  onTestFinished(() => state.close());
  // Shared by the client and the collection, as in a sync.
  const clock = createClock();
  const client = createVenueClient({
    baseUrl: service,
    clock,
    credentials: { clientId, clientSecret },
    ratePerSecond,
    stateFile: join(home, "client.db"),
    retry: { firstDelayMs: 1 },
  });
  onTestFinished(() => client.close());
  let collections = 0;
  const begin = (stop = new AbortController()): ExtractContext => {
    const at = now();
    clock.now = () => at;
    const collectionId = state.collections.open({ service, scope: `test ${++collections}` }, at);
    return createContext({ client, service, folder, state, collectionId, ratePerSecond, clock }, stop);
  };
  return { folder, state, begin };
}

/** The remaining objects of a collection. */
function createContext(
  given: Pick<
    ExtractContext,
    "client" | "service" | "folder" | "state" | "collectionId" | "ratePerSecond" | "clock"
  >,
  stop: AbortController,
): ExtractContext {
  return {
    ...given,
    groupIds: [1, ...groupIds],
    logger: silentLogger,
    progress: silentProgress,
    gate: new RequestGate(8, stop.signal),
    downloadGate: new RequestGate(8, stop.signal),
    signal: stop.signal,
    stopping: stop.signal,
    openExports: { count: 0 },
    pageLimit: new PageLimit(),
    exportPatienceMs: 60_000,
  };
}
