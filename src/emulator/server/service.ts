import type { HttpBindings } from "@hono/node-server";
import type { MiddlewareHandler } from "hono";
import type { ContentCatalogue } from "../changes/content-catalogue.ts";
import type { Players } from "../changes/players.ts";
import type { ServiceSettings } from "../options.ts";
import type { ContentKind } from "../world/content/campaign.ts";
import type { Playlist } from "../world/content/song.ts";
import type { HistoryPages } from "../world/history/history-page.ts";
import type { World } from "../world/world.ts";
import type { ClientAccess } from "./client-access.ts";
import type { DownloadLinks, ExportJobs } from "./exports/export-jobs.ts";
import type { FaultSwitchboard } from "./faults/fault-table.ts";
import { isAlreadySent } from "./refusal-error.ts";

/** All state of the endpoints. */
export interface Service {
  world: World;
  /** The world's current instant, which stays fixed until set. */
  clock: { now: Date };
  access: ClientAccess;
  faults: FaultSwitchboard;
  jobs: ExportJobs;
  links: DownloadLinks;
  /** Changes made by commands, kept separate from the world. */
  players: Players;
  /** Playlists that temporarily replace a zone's schedule and were not removed, in order of creation. */
  overrides: { overrideId: number; zoneId: number; playlist: Playlist; fromMs: number; untilMs: number }[];
  catalogues: Readonly<Record<ContentKind, ContentCatalogue>>;
  pages: HistoryPages;
  /** Every request so far, in order of arrival. */
  requests: RequestRecord[];
  settings: ServiceSettings;
  /** Set once the servers listen. */
  origins: { main: string; download: string; mirror: string };
  /** Aborted when the emulator closes, to end all waits. */
  closing: AbortSignal;
}

/** Values that Hono attaches to a request. */
export interface ServiceEnv {
  Bindings: HttpBindings;
  /** `endpoint` is the method and path. */
  Variables: { record: RequestRecord; endpoint: string };
}

export interface RequestRecord {
  origin: "main" | "status" | "download";
  /** Arrival time: epoch ms with fractions, on a clock that never runs backwards. */
  at: number;
  method: string;
  path: string;
  /** Without the question mark. */
  query: string;
  /** The `Range` header of a download. */
  range?: string;
  /** Null until a response is sent, and if the connection is reset instead. */
  status: number | null;
  /** For a download: bytes sent so far. */
  sentBytes?: number;
}

/** Number of requests kept in the log. */
const remembered = 100_000;

export function logRequests(
  { requests }: Service,
  origin: RequestRecord["origin"],
): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    const range = c.req.header("range");
    const record: RequestRecord = {
      origin,
      at: performance.timeOrigin + performance.now(),
      method: c.req.method,
      path: pathname,
      query: search.slice(1),
      ...(range !== undefined && { range }),
      status: null,
    };
    requests.push(record);
    if (requests.length > remembered * 1.1) requests.splice(0, remembered * 0.1);
    c.set("record", record);
    c.set("endpoint", `${c.req.method} ${pathname}`);
    await next();
    if (!isAlreadySent(c.res)) record.status = c.res.status;
  };
}
