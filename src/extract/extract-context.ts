import type { VenueClient } from "../api/client.ts";
import type { DataFolder } from "../config/data-folder.ts";
import type { DataState } from "../state/data/data-state.ts";
import type { Clock } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import type { PageLimit } from "./page-limit.ts";
import type { RequestGate } from "./request-gate.ts";
import type { ExtractProgress } from "./sync-progress.ts";

/** What collecting works with. */
export interface ExtractContext {
  client: VenueClient;
  /** Base URL: jobs are known to the service that made them only. */
  service: string;
  /** Those that are collected. */
  groupIds: readonly number[];
  /** What this run, or the one that it goes on with, set out to collect. */
  collectionId: number;
  folder: DataFolder;
  state: DataState;
  clock: Clock;
  logger: Logger;
  progress: ExtractProgress;
  /** Every request to the main API passes it. */
  gate: RequestGate;
  /** Downloads spend no requests; a few at a time is quickest. */
  downloadGate: RequestGate;
  /** As agreed with the operator. */
  ratePerSecond: number;
  /** Ends everything at once. */
  signal: AbortSignal;
  /** Nothing new is begun, and nothing waited for, once it is aborted; its reason is thrown instead. */
  stopping: AbortSignal;
  /** Shared by all walks, because refusals teach all. */
  pageLimit: PageLimit;
  /** Export jobs that are waited for. */
  openExports: { count: number };
  /** How long a sync waits for one export job, in real milliseconds. */
  exportPatienceMs: number;
}
