import { setMaxListeners } from "node:events";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { type Listener, openListener } from "../util/open-listener.ts";
import { getErrorMessage } from "../util/venue-error.ts";
import { ContentCatalogue } from "./changes/content-catalogue.ts";
import { Players } from "./changes/players.ts";
import { EmulatorOptionError, type EmulatorOptions, emulatorOptions, parseOptions } from "./options.ts";
import { ClientAccess, rateLimit, requireToken } from "./server/client-access.ts";
import { addApiClientRoutes } from "./server/endpoints/api-clients.ts";
import { addContentRoutes } from "./server/endpoints/content.ts";
import { addDeviceRoutes } from "./server/endpoints/devices.ts";
import { addHistoryExportRoutes, addHistoryRoutes } from "./server/endpoints/history.ts";
import { activeOverrides, addMusicRoutes, addPlaylistRoutes } from "./server/endpoints/music.ts";
import { addStatusRoutes } from "./server/endpoints/status.ts";
import { createDownloadOrigin } from "./server/exports/download-origin.ts";
import { DownloadLinks, ExportJobs } from "./server/exports/export-jobs.ts";
import { applyFaults } from "./server/faults/fault-layer.ts";
import { type FaultSetting, FaultSwitchboard } from "./server/faults/fault-table.ts";
import { respondToErrors } from "./server/refusal-error.ts";
import { routesOf } from "./server/routes.ts";
import { logRequests, type RequestRecord, type Service, type ServiceEnv } from "./server/service.ts";
import { HistoryPages } from "./world/history/history-page.ts";
import { World } from "./world/world.ts";

export type { EmulatorOptions } from "./options.ts";

export type Emulator = Awaited<ReturnType<typeof startEmulator>>;

const basePath = "/v5";
const statusPath = "/status";
const host = "127.0.0.1";
const client = { clientId: "venue-demo", clientSecret: "emulated-secret-3f9c", oneTimeCode: "once-7d21" };
/** Documented rate of the status API, in requests per second. */
const statusRate = 10;

/**
 * Starts an HTTP server that behaves according to the service's documentation.
 * @throws {EmulatorOptionError} if an option is invalid or the port is unavailable
 */
export async function startEmulator(options: EmulatorOptions = {}) {
  const closing = new AbortController();
  // Prevents leak warnings, because every job and every slow response adds a listener.
  setMaxListeners(0, closing.signal);
  const service = createService(options, closing.signal);
  const { world, origins, clock, jobs } = service;
  const main = await listen(createMainOrigin(service), service.settings.port);
  const download = await listen(createDownloadOrigin(service), 0);
  const mirror = await listen(createDownloadOrigin(service), 0);
  Object.assign(origins, { main: main.origin, download: download.origin, mirror: mirror.origin });

  let closed: Promise<unknown> | undefined;
  return {
    /** Versioned root of the main API. */
    baseUrl: `${origins.main}${basePath}`,
    /** Root of the status API. */
    statusUrl: `${origins.main}${statusPath}`,
    downloadOrigin: origins.download,
    /** The one-time code can be exchanged for the secret only once. */
    ...client,
    world,
    /** Every request so far, in order of arrival. */
    requests: service.requests as readonly RequestRecord[],
    /** Current export jobs, in order of creation. `at` is the snapshot instant on the emulator's clock. */
    get jobs() {
      return jobs.all().map((job) => {
        const { kind, groupId, at } = job.content;
        return { jobId: job.jobId, kind, groupId, status: jobs.statusOf(job), at: at.toISOString() };
      });
    },
    /** Active playlist overrides with their ids. The service never returns these ids. */
    get overrides() {
      return activeOverrides(service);
    },
    now: () => new Date(clock.now),
    setNow(now: Date): void {
      clock.now = new Date(now);
    },
    /** Replaces all faults; an empty list disables them. */
    setFaults: (faults: readonly FaultSetting[]) => service.faults.set(faults),
    /** Ends pending requests immediately. */
    async close(): Promise<void> {
      closing.abort();
      closed ??= Promise.all([main, download, mirror].map((listener) => listener.close()));
      await closed;
    },
  };
}

/** @throws {EmulatorOptionError} when the address is unavailable */
async function listen(app: Hono<ServiceEnv>, port: number): Promise<Listener> {
  // By default, Hono would replace the global Request of a process that embeds the emulator.
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return await openListener(answer, { host, port }).catch((cause: unknown) => {
    const reason = getErrorMessage(cause);
    throw new EmulatorOptionError(
      `The emulator can't listen on port ${port} of ${host}: ${reason}. Choose another port, or 0 for a free one.`,
      { cause },
    );
  });
}

function createMainOrigin(service: Service): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  respondToErrors(app);

  const main = new Hono<ServiceEnv>();
  main.use(logRequests(service, "main"), rateLimit(service.settings.ratePerSecond), applyFaults(service));
  addApiClientRoutes(routesOf(main, service, "private"), service);
  const ext = new Hono<ServiceEnv>();
  ext.use(requireToken(service.access));
  const add = routesOf(ext, service, "private");
  addDeviceRoutes(add, service);
  addMusicRoutes(add, service);
  addPlaylistRoutes(add, service);
  addContentRoutes(add, service);
  addHistoryRoutes(add, service);
  addHistoryExportRoutes(add, service);
  main.route("/ext", ext);

  // The public status API takes no credentials.
  const status = new Hono<ServiceEnv>();
  status.use(logRequests(service, "status"), rateLimit(statusRate), applyFaults(service));
  addStatusRoutes(routesOf(status, service, "public"), service);
  return app.route(basePath, main).route(statusPath, status);
}

function createService(options: EmulatorOptions, closing: AbortSignal): Service {
  const settings = parseOptions(emulatorOptions, options);
  const world = new World(options);
  const { plan } = world;
  return {
    world,
    clock: { now: new Date(settings.now ?? world.endsAt) },
    access: new ClientAccess({ ...client, groupIds: settings.readableGroupIds ?? world.groupIds }),
    faults: new FaultSwitchboard(plan.seed, settings.faults),
    jobs: new ExportJobs(world, settings.exportSeconds, closing),
    links: new DownloadLinks(settings.linkSeconds),
    players: new Players(plan),
    overrides: [],
    catalogues: {
      signage: new ContentCatalogue(plan, "signage"),
      messaging: new ContentCatalogue(plan, "messaging"),
    },
    pages: new HistoryPages(plan),
    requests: [],
    settings,
    origins: { main: "", download: "", mirror: "" },
    closing,
  };
}
