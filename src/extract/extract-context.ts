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
  /**
   * Base URL of the service. Identifies stored state, such as export jobs, which exist only in the service
   * that created them.
   */
  service: string;
  groupIds: readonly number[];
  /** Id of the collection, which an earlier run may have started. */
  collectionId: number;
  folder: DataFolder;
  state: DataState;
  clock: Clock;
  logger: Logger;
  progress: ExtractProgress;
  /** Queues all requests to the main API by priority. */
  gate: RequestGate;
  /**
   * Limits concurrent downloads, because downloading a few files at a time is fastest. Downloads are not API
   * requests.
   */
  downloadGate: RequestGate;
  /** Request rate agreed with the service's operator. */
  ratePerSecond: number;
  /** Aborts everything immediately. */
  signal: AbortSignal;
  /** Once aborted, no new work begins, and every wait throws the signal's reason. */
  stopping: AbortSignal;
  /** Shared by all walks, so that a size refused for some zones is not requested for the others. */
  pageLimit: PageLimit;
  /** Number of export jobs in progress. */
  openExports: { count: number };
  /** Maximum wait for one export job, in milliseconds of real time. */
  exportPatienceMs: number;
}
