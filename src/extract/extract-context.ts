import type { VenueClient } from "../api/client.ts";
import type { DataFolder } from "../config/data-folder.ts";
import type { DataState } from "../state/data/data-state.ts";
import type { Clock } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import type { PageLimit } from "./page-limit.ts";
import type { RequestGate } from "./request-gate.ts";
import type { ExtractProgress } from "./sync-progress.ts";

export interface ExtractContext {
  client: VenueClient;
  /** Base URL. Jobs exist only in the service that created them. */
  service: string;
  groupIds: readonly number[];
  /** The collection of this run, possibly continued from an earlier one. */
  collectionId: number;
  folder: DataFolder;
  state: DataState;
  clock: Clock;
  logger: Logger;
  progress: ExtractProgress;
  /** Admits every request to the main API. */
  gate: RequestGate;
  /** Downloads spend no requests; a few at a time are fastest. */
  downloadGate: RequestGate;
  /** The rate agreed with the operator. */
  ratePerSecond: number;
  /** Aborts everything immediately. */
  signal: AbortSignal;
  /** Once aborted, nothing new begins and waits end; its reason is thrown instead. */
  stopping: AbortSignal;
  /** Shared by all walks, so that each learns from the others' refusals. */
  pageLimit: PageLimit;
  /** Export jobs in progress. */
  openExports: { count: number };
  /** Longest wait of a sync for one export job, in real milliseconds. */
  exportPatienceMs: number;
}
