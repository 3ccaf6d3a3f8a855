import { z } from "zod";
import { kinds } from "../../../util/kind.ts";
import type { FaultSwitchboard } from "../faults/fault-table.ts";
import { RefusalError } from "../refusal-error.ts";
import { type AddRoute, buildPageEnvelope, integer, integerText, pageInputs } from "../routes.ts";
import type { Service } from "../service.ts";

/** Pages of a zone's playback history: `data/{kind}/history`. */
export function addHistoryRoutes(add: AddRoute, service: Service): void {
  const { clock, faults, pages, settings, world } = service;

  for (const kind of kinds) {
    const inputs = { zone_id: integerText, ...pageInputs };
    add("GET", `/data/${kind}/history`, inputs, async ({ zone_id: zoneId, limit, offset }, c) => {
      const endpoint = c.get("endpoint");
      const clamped = faults.strike("clamped-limit", endpoint)?.value ?? limit;
      const size = Math.min(limit, settings.pageLimit, clamped);
      const isRepeating = offset > 0 && faults.strike("repeated-record", endpoint) !== undefined;
      const hiddenCount = countHidden(faults, endpoint, `${kind} ${zoneId}`, offset);
      const zone = world.getZone(zoneId);
      const query = { kind, zone, atMs: clock.now.getTime(), order: settings.order, hiddenCount };
      const { totalCount, records } = await pages.read(query, isRepeating ? offset - 1 : offset, size);
      const envelope = JSON.stringify(buildPageEnvelope(totalCount, size, offset));
      return `${envelope.slice(0, -1)},"data":[${records.join(",")}]}`;
    });
  }
}

/** Number of pages that reveal hidden records. */
const pagesWithInsertions = 3;

/**
 * Returns the number of a zone's newest records still hidden by the fault `inserted-record`. Each of the first
 * pages that do not begin at offset 0 reveals some.
 */
function countHidden(faults: FaultSwitchboard, endpoint: string, subject: string, offset: number): number {
  const perPage = faults.strike("inserted-record", endpoint)?.value ?? 0;
  const before = faults.revealingPages.get(subject) ?? 0;
  const pages = offset > 0 ? Math.min(pagesWithInsertions, before + 1) : before;
  faults.revealingPages.set(subject, pages);
  return (pagesWithInsertions - pages) * perPage;
}

/** Exports of a group's history: `data/{kind}/history/export` and `data/history/exports/{job_id}`. */
export function addHistoryExportRoutes(add: AddRoute, service: Service): void {
  const { clock, faults, jobs, links, origins } = service;

  for (const kind of kinds) {
    add("POST", `/data/${kind}/history/export`, { group_id: integer }, ({ group_id: groupId }, c) => {
      const strike = (name: "bad-lines" | "odd-job-id" | "job-fails" | "job-stuck") =>
        faults.strike(name, c.get("endpoint"));
      const badLineRate = strike("bad-lines")?.value ?? 0;
      const isOdd = strike("odd-job-id") !== undefined;
      const fate = strike("job-fails") ? "fails" : strike("job-stuck") ? "is stuck" : "completes";
      const job = jobs.create({ kind, groupId, at: clock.now, badLineRate }, fate, isOdd);
      return { job_id: job.jobId, status: "processing" };
    });
  }

  add(
    "GET",
    "/data/history/exports/:job_id",
    { job_id: z.string() },
    async ({ job_id: jobId }, c) => {
      const job = jobs.find(jobId);
      if (!job) throw new RefusalError(404, "unknown_job", `Export ${jobId} does not exist.`);
      await jobs.finish(job);
      const status = jobs.statusOf(job);
      const response = { job_id: jobId, status };
      if (status === "processing") return response;
      if (status === "failed") return { ...response, error: "The export could not be written." };
      const lifetime = faults.strike("lying-expires-at", c.get("endpoint"))?.value;
      const { url, expiresAt } = links.create(origins.download, jobId, lifetime);
      const expiresText = expiresAt.toISOString().replace(/\.\d+Z$/, "+00:00");
      return { ...response, download_url: url, expires_at: expiresText };
    },
    "no-store",
  );
}
