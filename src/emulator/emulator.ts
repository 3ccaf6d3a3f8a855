import { setMaxListeners } from "node:events";
import { Hono } from "hono";
import type { Listener } from "../util/open-listener.ts";
import { ContentCatalogue } from "./changes/content-catalogue.ts";
import { Players, PlaylistOverrides } from "./changes/players.ts";
import { checkNumber, EmulatorOptionError } from "./options.ts";
import {
  createControlApi,
  createMainApi,
  createStatusApi,
  type JobFacts,
  listJobFacts,
  listOverrideFacts,
  type OverrideFacts,
} from "./server/apis.ts";
import type { EmulatedService } from "./server/emulated-service.ts";
import { createDownloadOrigin } from "./server/exports/download-origin.ts";
import { DownloadLinks, ExportJobs } from "./server/exports/export-jobs.ts";
import { type FaultSetting, FaultSwitchboard } from "./server/faults/fault-switchboard.ts";
import { listenFor } from "./server/listener.ts";
import { respondToErrors } from "./server/refusal-error.ts";
import { ClientAccess } from "./server/requests/client-access.ts";
import { RequestLog } from "./server/requests/request-log.ts";
import type { RequestRecord } from "./server/requests/request-record.ts";
import type { ServiceEnv } from "./server/service-env.ts";
import { type HistoryOrder, HistoryPages, historyOrders } from "./world/history/history-page.ts";
import { World } from "./world/world.ts";
import type { WorldOptions } from "./world/world-plan.ts";

export interface EmulatorOptions extends WorldOptions {
  /** Port of the main and status API; 0 selects a free one. Downloads always use free ports. @default 0 */
  port?: number | undefined;
  /** @default "127.0.0.1" */
  host?: string | undefined;
  /** Initial instant of the emulator's clock. @default the end of the world's last day, in every zone */
  now?: Date | undefined;
  /** Main API requests granted per second. @default 1 */
  ratePerSecond?: number | undefined;
  /** Minimum duration of an export, in real seconds. @default 2 */
  exportSeconds?: number | undefined;
  /** Lifetime of a download link, in real seconds. @default 3600 */
  linkSeconds?: number | undefined;
  /** Lifetime of a token, in real seconds. @default 86_400 */
  tokenSeconds?: number | undefined;
  /** Time for which clients may cache listings and history pages, in seconds. @default 5 */
  listingMaxAgeSeconds?: number | undefined;
  /** Maximum number of records per history page. @default 500 */
  pageLimit?: number | undefined;
  /** Order of history pages. @default "newest" */
  order?: HistoryOrder | undefined;
  /** @default unlimited */
  downloadBytesPerSecond?: number | undefined;
  /** Groups that the client may read. @default all */
  readableGroupIds?: readonly number[] | undefined;
  /** Faults active from the start. @default none */
  faults?: readonly FaultSetting[] | undefined;
  /**
   * Serves `/_emulator`, through which anyone who can reach the port controls the emulator.
   * @default false
   */
  servesControl?: boolean | undefined;
}

export interface Emulator {
  /** Versioned root of the main API. */
  readonly baseUrl: string;
  /** Root of the status API. */
  readonly statusUrl: string;
  readonly downloadOrigin: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Can be exchanged for the secret once. */
  readonly oneTimeCode: string;
  readonly world: World;
  /** Every request so far except those to `/_emulator/`, in order of arrival. */
  readonly requests: readonly RequestRecord[];
  /** Current export jobs, in order of creation. */
  readonly jobs: readonly JobFacts[];
  /** Currently active playlist overrides, with their ids. */
  readonly overrides: readonly OverrideFacts[];
  now(): Date;
  setNow(now: Date): void;
  /** Replaces all faults; an empty list disables them. */
  setFaults(faults: readonly FaultSetting[]): void;
  /** Ends pending requests immediately. */
  close(): Promise<void>;
}

const basePath = "/v5";
const statusPath = "/status";
const client = { clientId: "venue-demo", clientSecret: "emulated-secret-3f9c", oneTimeCode: "once-7d21" };

/**
 * Starts a real HTTP server that behaves as the service's documentation describes.
 * @throws {EmulatorOptionError} if an option is invalid or the port is unavailable
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const world = new World(options);
  const closing = new AbortController();
  // Every job and every slow response adds a listener, which is not a leak.
  setMaxListeners(0, closing.signal);
  const service = createService(world, options, closing.signal);
  const host = options.host ?? "127.0.0.1";
  const port = checkNumber("port", options.port ?? 0, { min: 0, max: 65_535, isWhole: true });

  const listeners: Listener[] = [];
  const listen = async (app: Hono<ServiceEnv>, listenPort: number) => {
    const listener = await listenFor(app, host, listenPort);
    listeners.push(listener);
    return listener.origin;
  };
  service.origins.main = await listen(createMainOrigin(service, options), port);
  service.origins.download = await listen(createDownloadOrigin(service, false), 0);
  service.origins.mirror = await listen(createDownloadOrigin(service, true), 0);

  let closed: Promise<unknown> | undefined;
  return {
    baseUrl: `${service.origins.main}${basePath}`,
    statusUrl: `${service.origins.main}${statusPath}`,
    downloadOrigin: service.origins.download,
    ...client,
    world,
    requests: service.log.requests,
    get jobs() {
      return listJobFacts(service);
    },
    get overrides() {
      return listOverrideFacts(service);
    },
    now: () => new Date(service.clock.now),
    setNow(now) {
      service.clock.now = checkInstant(now);
    },
    setFaults: (faults) => service.faults.set(faults),
    async close() {
      closing.abort();
      closed ??= Promise.all(listeners.map((listener) => listener.close()));
      await closed;
    },
  };
}

function createMainOrigin(
  service: EmulatedService,
  { servesControl = false }: EmulatorOptions,
): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  respondToErrors(app);
  app.route(basePath, createMainApi(service)).route(statusPath, createStatusApi(service));
  return servesControl ? app.route("/_emulator", createControlApi(service)) : app;
}

function createService(world: World, options: EmulatorOptions, closing: AbortSignal): EmulatedService {
  const seconds = (option: keyof EmulatorOptions, value: number) =>
    checkNumber(option, value, { min: 0, max: 1e9 });
  const { downloadBytesPerSecond, order = "newest" } = options;
  if (!historyOrders.includes(order)) {
    throw new EmulatorOptionError(
      `The emulator's order is ${order}, but must be one of ${historyOrders.join(", ")}.`,
    );
  }
  const access = { ...client, groupIds: options.readableGroupIds ?? world.groupIds };
  const faults = new FaultSwitchboard(world.plan.seed);
  faults.set(options.faults ?? []);
  return {
    world,
    clock: { now: checkInstant(options.now ?? world.endsAt) },
    access: new ClientAccess(access, seconds("tokenSeconds", options.tokenSeconds ?? 86_400)),
    faults,
    jobs: new ExportJobs(world, seconds("exportSeconds", options.exportSeconds ?? 2), closing),
    links: new DownloadLinks(seconds("linkSeconds", options.linkSeconds ?? 3600)),
    players: new Players(world.plan),
    overrides: new PlaylistOverrides(),
    catalogues: {
      signage: new ContentCatalogue(world.plan, "signage"),
      messaging: new ContentCatalogue(world.plan, "messaging"),
    },
    pages: new HistoryPages(world.plan),
    log: new RequestLog(),
    settings: {
      ratePerSecond: checkNumber("ratePerSecond", options.ratePerSecond ?? 1, { min: 0.01, max: 100_000 }),
      pageLimit: checkNumber("pageLimit", options.pageLimit ?? 500, { min: 1, max: 1e9, isWhole: true }),
      order,
      listingMaxAgeSeconds: seconds("listingMaxAgeSeconds", options.listingMaxAgeSeconds ?? 5),
      downloadBytesPerSecond:
        downloadBytesPerSecond &&
        checkNumber("downloadBytesPerSecond", downloadBytesPerSecond, { min: 1, max: 1e12 }),
    },
    origins: { main: "", download: "", mirror: "" },
    closing,
  };
}

function checkInstant(now: Date): Date {
  if (!Number.isNaN(now.getTime())) return new Date(now);
  throw new EmulatorOptionError("The emulator's now must be a valid date.");
}
