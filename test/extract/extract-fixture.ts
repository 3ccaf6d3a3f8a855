import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createVenueClient } from "../../src/api/client.ts";
import { DataFolder } from "../../src/config/data-folder.ts";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/emulator.ts";
import type { ExtractContext } from "../../src/extract/extract-context.ts";
import type { ExtractProgress } from "../../src/extract/extract-progress.ts";
import { PageLimit } from "../../src/extract/page-limit.ts";
import { RequestGate } from "../../src/extract/request-gate.ts";
import { type DataState, openDataState } from "../../src/state/data/data-state.ts";
import { createClock } from "../../src/util/clock.ts";
import { silentLogger } from "../../src/util/logger.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const silentProgress: ExtractProgress = {
  addBytes: () => {},
  addLines: () => {},
  expect: () => {},
  countEarlier: () => {},
  expectRequests: () => {},
  leave: () => {},
  finish: () => {},
};

/** An emulated service, and what collects from it in this process. */
export interface ExtractFixture {
  emulator: Emulator;
  folder: DataFolder;
  state: DataState;
  /** For a new collection, at the emulator's present instant; aborting `stop` ends it like a kill would. */
  begin(stop?: AbortController): ExtractContext;
}

/** Quick: many requests granted, exports done at once. */
export async function startFixture(options: EmulatorOptions = {}): Promise<ExtractFixture> {
  const ratePerSecond = options.ratePerSecond ?? 2000;
  const emulator = await startEmulator({
    exportSeconds: 0,
    listingMaxAgeSeconds: 0,
    ...options,
    ratePerSecond,
  });
  onTestFinished(() => emulator.close());
  const home = createTempFolder();
  const folder = new DataFolder(join(home, "data")).prepare();
  const state = openDataState(folder.stateFile);
  onTestFinished(() => state.close());
  const client = createVenueClient({
    baseUrl: emulator.baseUrl,
    credentials: { clientId: emulator.clientId, clientSecret: emulator.clientSecret },
    ratePerSecond,
    stateFile: join(home, "client.db"),
    retry: { firstDelayMs: 1 },
  });
  onTestFinished(() => client.close());
  let collections = 0;
  const begin = (stop = new AbortController()): ExtractContext => {
    const scope = { service: emulator.baseUrl, scope: `test ${++collections}` };
    const collectionId = state.collections.open(scope, emulator.now());
    const now = emulator.now();
    return createContext(
      { client, service: emulator.baseUrl, folder, state, collectionId, now, ratePerSecond },
      stop,
    );
  };
  return { emulator, folder, state, begin };
}

/** What collecting works with, besides what is given. */
export function createContext(
  given: Pick<ExtractContext, "client" | "service" | "folder" | "state" | "collectionId"> & {
    now: Date;
    ratePerSecond?: number;
  },
  stop: AbortController,
): ExtractContext {
  const { now, ratePerSecond = 2000, ...rest } = given;
  return {
    ...rest,
    clock: createClock(now),
    logger: silentLogger,
    progress: silentProgress,
    gate: new RequestGate(8, stop.signal),
    downloadGate: new RequestGate(8, stop.signal),
    signal: stop.signal,
    stopping: stop.signal,
    ratePerSecond,
    openExports: { count: 0 },
    pageLimit: new PageLimit(),
    exportPatienceMs: 60_000,
  };
}
