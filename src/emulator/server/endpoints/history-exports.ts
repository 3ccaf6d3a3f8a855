import type { Hono } from "hono";
import { kinds } from "../../../util/kind.ts";
import type { EmulatedService } from "../emulated-service.ts";
import type { ExportJob } from "../exports/export-jobs.ts";
import type { FaultTarget } from "../faults/fault-switchboard.ts";
import { RefusalError } from "../refusal-error.ts";
import { readableGroup } from "../requests/readable.ts";
import { commandBody, requiredBodyInteger } from "../requests/request-inputs.ts";
import type { ServiceEnv } from "../service-env.ts";

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
