import type { ContentCatalogue } from "../changes/content-catalogue.ts";
import type { Players, PlaylistOverrides } from "../changes/players.ts";
import type { ContentKind } from "../world/content/content-kind.ts";
import type { HistoryOrder, HistoryPages } from "../world/history/history-page.ts";
import type { World } from "../world/world.ts";
import type { DownloadLinks, ExportJobs } from "./exports/export-jobs.ts";
import type { FaultSwitchboard } from "./faults/fault-switchboard.ts";
import type { ClientAccess } from "./requests/client-access.ts";
import type { RequestLog } from "./requests/request-log.ts";

/** All that the endpoints share. An endpoint keeps nothing to itself. */
export interface EmulatedService {
  world: World;
  clock: EmulatorClock;
  access: ClientAccess;
  faults: FaultSwitchboard;
  jobs: ExportJobs;
  links: DownloadLinks;
  /** What commands changed, kept beside the world. */
  players: Players;
  overrides: PlaylistOverrides;
  catalogues: Readonly<Record<ContentKind, ContentCatalogue>>;
  pages: HistoryPages;
  log: RequestLog;
  settings: ServiceSettings;
  /** Known once the servers listen. */
  origins: { main: string; download: string; mirror: string };
  /** Aborted when the emulator closes: whatever waits must end. */
  closing: AbortSignal;
}

/** The instant that the world shows. It stands still until it is set. */
interface EmulatorClock {
  now: Date;
}

interface ServiceSettings {
  ratePerSecond: number;
  /** Most records that a history page holds, however many are asked for. */
  pageLimit: number;
  order: HistoryOrder;
  /** For how long a listing may be cached. */
  listingMaxAgeSeconds: number;
  /** Undefined: as fast as it goes. */
  downloadBytesPerSecond: number | undefined;
}
