import type { ContentCatalogue } from "../changes/content-catalogue.ts";
import type { Players, PlaylistOverrides } from "../changes/players.ts";
import type { ContentKind } from "../world/content/content-kind.ts";
import type { HistoryOrder, HistoryPages } from "../world/history/history-page.ts";
import type { World } from "../world/world.ts";
import type { DownloadLinks, ExportJobs } from "./exports/export-jobs.ts";
import type { FaultSwitchboard } from "./faults/fault-switchboard.ts";
import type { ClientAccess } from "./requests/client-access.ts";
import type { RequestLog } from "./requests/request-log.ts";

/** State shared by all endpoints, which keep none of their own. */
export interface EmulatedService {
  world: World;
  clock: EmulatorClock;
  access: ClientAccess;
  faults: FaultSwitchboard;
  jobs: ExportJobs;
  links: DownloadLinks;
  /** Changes made by commands, kept separate from the world. */
  players: Players;
  overrides: PlaylistOverrides;
  catalogues: Readonly<Record<ContentKind, ContentCatalogue>>;
  pages: HistoryPages;
  log: RequestLog;
  settings: ServiceSettings;
  /** Set once the servers listen. */
  origins: { main: string; download: string; mirror: string };
  /** Aborted when the emulator closes, to end anything that waits. */
  closing: AbortSignal;
}

/** The world's current instant, which changes only when set. */
interface EmulatorClock {
  now: Date;
}

interface ServiceSettings {
  ratePerSecond: number;
  /** Maximum number of records per history page, whatever limit a request has. */
  pageLimit: number;
  order: HistoryOrder;
  /** Time for which listings may be cached. */
  listingMaxAgeSeconds: number;
  /** Unlimited if undefined. */
  downloadBytesPerSecond: number | undefined;
}
