import { Hono, type MiddlewareHandler } from "hono";
import { EmulatorOptionError } from "../options.ts";
import type { EmulatedService } from "./emulated-service.ts";
import { addApiClientEndpoints } from "./endpoints/api-clients.ts";
import { addAssetEndpoints, addCampaignEndpoints } from "./endpoints/campaigns.ts";
import { addDeviceEndpoints } from "./endpoints/devices.ts";
import { addHistoryEndpoints, addHistoryExportEndpoints } from "./endpoints/history.ts";
import { addMusicEndpoints, addPlaylistEndpoints } from "./endpoints/music.ts";
import {
  addStatusComponentEndpoints,
  addStatusNoticeEndpoints,
  addStatusPageEndpoint,
} from "./endpoints/status.ts";
import type { ExportStatus } from "./exports/export-jobs.ts";
import { applyEndpointFaults, spoilResponses } from "./faults/endpoint-faults.ts";
import type { FaultSetting } from "./faults/fault-switchboard.ts";
import { RefusalError, respondToErrors } from "./refusal-error.ts";
import { findBearerToken } from "./requests/client-access.ts";
import { identifyClient, rateLimit } from "./requests/rate-limit.ts";
import type { ServiceEnv } from "./service-env.ts";

/** The main API, mounted at its base path. */
export function createMainApi(service: EmulatedService): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  respondToErrors(app);
  app.use(service.log.middleware("main"));
  app.use(rateLimit(service.settings.ratePerSecond, identifyClient(service)));
  app.use(applyEndpointFaults(service));
  app.use(spoilResponses(service));
  addApiClientEndpoints(app, service);

  const ext = new Hono<ServiceEnv>();
  ext.use(bearerAuth(service));
  addDeviceEndpoints(ext, service);
  addMusicEndpoints(ext, service);
  addPlaylistEndpoints(ext, service);
  addCampaignEndpoints(ext, service);
  addAssetEndpoints(ext, service);
  addHistoryEndpoints(ext, service);
  addHistoryExportEndpoints(ext, service);
  app.route("/ext", ext);
  return app;
}

/** Admits only requests with a valid token. */
function bearerAuth({ access, faults }: EmulatedService): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    const token = findBearerToken(c.req.header("authorization"));
    if (token !== undefined && faults.strike("token-refused", c.get("target"))) access.revokeToken(token);
    if (access.findClientId(token) === undefined) {
      c.header("WWW-Authenticate", "Bearer");
      throw new RefusalError(401, "invalid_token", "The access token is missing, wrong or expired.");
    }
    await next();
  };
}

/** Requests per second, shared by all clients. The service documents ten. */
const ratePerSecond = 10;

/** The public status API, mounted at its root. It takes no credentials. */
export function createStatusApi(service: EmulatedService): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  respondToErrors(app);
  app.use(service.log.middleware("status"));
  app.use(rateLimit(ratePerSecond, () => "everyone"));
  app.use(applyEndpointFaults(service));
  app.use(spoilResponses(service));
  addStatusPageEndpoint(app, service);
  addStatusComponentEndpoints(app, service);
  addStatusNoticeEndpoints(app, service);
  return app;
}

export interface JobFacts {
  jobId: string;
  kind: string;
  groupId: number;
  status: ExportStatus;
  /** Snapshot instant on the emulator's clock, ISO 8601. */
  at: string;
}

export interface OverrideFacts {
  /** Never returned by the service. */
  overrideId: number;
  zoneId: number;
  playlistId: number;
}

/** Controls the emulator from another process, at `/_emulator`; neither rate-limited nor recorded. */
export function createControlApi(service: EmulatedService): Hono<ServiceEnv> {
  const { log, clock, faults } = service;
  const app = new Hono<ServiceEnv>();
  respondToErrors(app);

  app.get("/requests", (c) => c.json(log.requests));
  app.get("/jobs", (c) => c.json(listJobFacts(service)));
  app.get("/overrides", (c) => c.json(listOverrideFacts(service)));
  app.get("/clock", (c) => c.json({ now: clock.now.toISOString() }));
  app.put("/clock", async (c) => {
    const body: { now?: unknown } = await c.req.json();
    const now = new Date(typeof body.now === "string" ? body.now : Number.NaN);
    if (Number.isNaN(now.getTime()))
      throw new RefusalError(400, "invalid_body", "now must be an ISO instant.");
    clock.now = now;
    return c.json({ now: now.toISOString() });
  });
  app.get("/faults", (c) => c.json(faults.settings));
  app.put("/faults", async (c) => {
    const settings: FaultSetting[] = await c.req.json();
    if (!Array.isArray(settings))
      throw new RefusalError(400, "invalid_body", "The body must be a JSON array of faults.");
    try {
      faults.set(settings);
    } catch (error) {
      if (error instanceof EmulatorOptionError) throw new RefusalError(400, "invalid_body", error.message);
      throw error;
    }
    return c.json(faults.settings);
  });
  return app;
}

export function listJobFacts({ jobs }: EmulatedService): JobFacts[] {
  return jobs.all().map((job) => ({
    jobId: job.jobId,
    kind: job.content.kind,
    groupId: job.content.groupId,
    status: jobs.statusOf(job),
    at: job.content.at.toISOString(),
  }));
}

export function listOverrideFacts({ overrides, clock }: EmulatedService): OverrideFacts[] {
  return overrides
    .activeAt(clock.now.getTime())
    .map(({ overrideId, zoneId, playlist }) => ({ overrideId, zoneId, playlistId: playlist.playlistId }));
}
