import type { VenueClient } from "../api/client.ts";
import type { DataFolder } from "../config/data-folder.ts";
import type { DataState } from "../state/data-state.ts";
import type { Clock } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import type { ExtractProgress } from "./extract-progress.ts";

/** What collecting works with. */
export interface ExtractContext {
  client: VenueClient;
  /** Base URL: jobs are known to the service that made them only. */
  service: string;
  /** What this run, or the one that it goes on with, set out to collect. */
  collectionId: number;
  folder: DataFolder;
  state: DataState;
  clock: Clock;
  logger: Logger;
  progress: ExtractProgress;
  signal: AbortSignal;
}
