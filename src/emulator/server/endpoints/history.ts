import type { Hono } from "hono";
import { kinds } from "../../../util/kind.ts";
import { pageEnvelope, pageInputs } from "../answers/page-envelope.ts";
import { listingHeaders } from "../answers/send-body.ts";
import type { EmulatedService } from "../emulated-service.ts";
import type { ExportJob } from "../exports/export-jobs.ts";
import type { FaultTarget } from "../faults/fault-switchboard.ts";
import { HistoryFaults } from "../faults/history-faults.ts";
import { RefusalError } from "../refusal-error.ts";
import {
  commandBody,
  readableGroup,
  readableZone,
  requiredBodyInteger,
  requiredQueryInteger,
} from "../requests/request-inputs.ts";
import type { ServiceEnv } from "../service-env.ts";

/** Pages of a zone's playback history: `data/{kind}/history`. */
export function addHistoryEndpoints(ext: Hono<ServiceEnv>, service: EmulatedService): void {
  const { clock, pages, settings } = service;
  const historyFaults = new HistoryFaults(service.faults);

  for (const kind of kinds) {
    ext.get(`/data/${kind}/history`, async (c) => {
      const zoneId = requiredQueryInteger(c, "zone_id");
      const asked = pageInputs(c, settings.pageLimit);
      const zone = readableZone(c, service, zoneId);
      const faults = historyFaults.of(c.get("target"), `${kind} ${zoneId}`, asked);
      const { limit } = faults;
      const hiddenCount = faults.hiddenCount;
      const query = { kind, zone, atMs: clock.now.getTime(), order: settings.order, hiddenCount };
      const { totalCount, records } = await pages.read(query, asked.offset - faults.stepBack, limit);
      const envelope = pageEnvelope(Math.max(0, totalCount + faults.totalError), { ...asked, limit });
      const data = faults.spoil(records).join(",");
      const json = `${JSON.stringify(envelope).slice(0, -1)},"data":[${data}]}`;
      return c.body(json, 200, { "Content-Type": "application/json", ...listingHeaders(service) });
    });
  }
}

/** Exports of a group's playback history: `data/{kind}/history/export` and `data/history/exports/{job_id}`. */
export function addHistoryExportEndpoints(ext: Hono<ServiceEnv>, service: EmulatedService): void {
  const { clock, faults, jobs, links, origins } = service;

  for (const kind of kinds) {
    ext.post(`/data/${kind}/history/export`, async (c) => {
      const body = await commandBody(c, ["group_id"]);
      const groupId = readableGroup(c, service, requiredBodyInteger(body, "group_id"));
      const target = c.get("target");
      const badLineRate = faults.strike("bad-lines", target)?.value ?? 0;
      const isOdd = faults.strike("odd-job-id", target) !== undefined;
      const job = jobs.create(
        { kind, groupId, at: clock.now, badLineRate },
        drawFate(service, target),
        isOdd,
      );
      return c.json({ job_id: job.jobId, status: "processing" });
    });
  }

  ext.get("/data/history/exports/:job_id", async (c) => {
    const job = jobs.find(c.req.param("job_id"));
    const isForgotten = faults.strike("job-unknown", c.get("target")) !== undefined;
    if (!job || isForgotten) {
      throw new RefusalError(404, "unknown_job", `There is no export ${c.req.param("job_id")}.`);
    }
    await jobs.settle(job);
    const status = jobs.statusOf(job);
    const answer = { job_id: job.jobId, status };
    c.header("Cache-Control", "no-store");
    if (status === "processing") return c.json(answer);
    if (status === "failed") return c.json({ ...answer, error: "The export could not be written." });
    const { url, expiresAt } = links.create(
      origins.download,
      job.jobId,
      faults.strike("lying-expires-at", c.get("target"))?.value,
    );
    const expiresText = expiresAt.toISOString().replace(/\.\d+Z$/, "+00:00");
    return c.json({ ...answer, download_url: url, expires_at: expiresText });
  });
}

function drawFate({ faults }: EmulatedService, target: FaultTarget): ExportJob["fate"] {
  if (faults.strike("job-fails", target)) return "fails";
  return faults.strike("job-stuck", target) ? "is stuck" : "completes";
}
