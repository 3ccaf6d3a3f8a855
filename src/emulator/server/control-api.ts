import { Hono } from "hono";
import { EmulatorOptionError } from "../emulator-option-error.ts";
import type { EmulatedService } from "./emulated-service.ts";
import { answerErrors } from "./error-answers.ts";
import type { ExportStatus } from "./exports/export-jobs.ts";
import type { FaultSetting } from "./faults/fault-switchboard.ts";
import { RefusalError } from "./refusal-error.ts";
import type { ServiceEnv } from "./service-env.ts";

/** What is known of an export job. */
export interface JobFacts {
  jobId: string;
  kind: string;
  groupId: number;
  status: ExportStatus;
  /** The instant of the emulator's clock that it shows, ISO 8601. */
  at: string;
}

/** What is known of a playlist override that is active. */
export interface OverrideFacts {
  /** No answer of the service names it. */
  overrideId: number;
  zoneId: number;
  playlistId: number;
}

/** Steers the emulator from another process; neither limited nor recorded. Mounted at `/_emulator`, for those who ask for it. */
export function createControlApi(service: EmulatedService): Hono<ServiceEnv> {
  const { log, clock, faults } = service;
  const app = new Hono<ServiceEnv>();
  answerErrors(app);

  app.get("/requests", (c) => c.json(log.requests));
  app.get("/jobs", (c) => c.json(jobFacts(service)));
  app.get("/overrides", (c) => c.json(overrideFacts(service)));
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
    if (!Array.isArray(settings)) throw new RefusalError(400, "invalid_body", "Faults are a JSON array.");
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

export function jobFacts({ jobs }: EmulatedService): JobFacts[] {
  return jobs.all().map((job) => ({
    jobId: job.jobId,
    kind: job.content.kind,
    groupId: job.content.groupId,
    status: jobs.statusOf(job),
    at: job.content.at.toISOString(),
  }));
}

export function overrideFacts({ overrides, clock }: EmulatedService): OverrideFacts[] {
  return overrides
    .activeAt(clock.now.getTime())
    .map(({ overrideId, zoneId, playlist }) => ({ overrideId, zoneId, playlistId: playlist.playlistId }));
}
