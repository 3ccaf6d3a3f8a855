import type { Hono } from "hono";
import { kinds } from "../../../util/kind.ts";
import { Random } from "../../world/random.ts";
import type { EmulatedService } from "../emulated-service.ts";
import type { ExportJob } from "../exports/export-jobs.ts";
import type { FaultSetting, FaultSwitchboard, FaultTarget } from "../faults/fault-switchboard.ts";
import { defaultFaultValue } from "../faults/fault-table.ts";
import { RefusalError } from "../refusal-error.ts";
import {
  readCommandBody,
  requireBodyInteger,
  requireQueryInteger,
  requireReadableGroup,
  requireReadableZone,
} from "../requests/request-inputs.ts";
import { buildPageEnvelope, type PageInputs, readPageInputs } from "../responses/page-envelope.ts";
import { listingHeaders } from "../responses/send-body.ts";
import type { ServiceEnv } from "../service-env.ts";

/** Pages of a zone's playback history: `data/{kind}/history`. */
export function addHistoryEndpoints(ext: Hono<ServiceEnv>, service: EmulatedService): void {
  const { clock, pages, settings } = service;
  const historyFaults = new HistoryFaults(service.faults);

  for (const kind of kinds) {
    ext.get(`/data/${kind}/history`, async (c) => {
      const zoneId = requireQueryInteger(c, "zone_id");
      const requested = readPageInputs(c, settings.pageLimit);
      const zone = requireReadableZone(c, service, zoneId);
      const faults = historyFaults.of(c.get("target"), `${kind} ${zoneId}`, requested);
      const { limit } = faults;
      const hiddenCount = faults.hiddenCount;
      const query = { kind, zone, atMs: clock.now.getTime(), order: settings.order, hiddenCount };
      const { totalCount, records } = await pages.read(query, requested.offset - faults.stepBack, limit);
      const envelope = buildPageEnvelope(Math.max(0, totalCount + faults.totalError), {
        ...requested,
        limit,
      });
      const data = faults.spoil(records).join(",");
      const json = `${JSON.stringify(envelope).slice(0, -1)},"data":[${data}]}`;
      return c.body(json, 200, { "Content-Type": "application/json", ...listingHeaders(service) });
    });
  }
}

/** Exports of a group's history: `data/{kind}/history/export` and `data/history/exports/{job_id}`. */
export function addHistoryExportEndpoints(ext: Hono<ServiceEnv>, service: EmulatedService): void {
  const { clock, faults, jobs, links, origins } = service;

  for (const kind of kinds) {
    ext.post(`/data/${kind}/history/export`, async (c) => {
      const body = await readCommandBody(c, ["group_id"]);
      const groupId = requireReadableGroup(c, service, requireBodyInteger(body, "group_id"));
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
      throw new RefusalError(404, "unknown_job", `Export ${c.req.param("job_id")} does not exist.`);
    }
    await jobs.settle(job);
    const status = jobs.statusOf(job);
    const response = { job_id: job.jobId, status };
    c.header("Cache-Control", "no-store");
    if (status === "processing") return c.json(response);
    if (status === "failed") return c.json({ ...response, error: "The export could not be written." });
    const { url, expiresAt } = links.create(
      origins.download,
      job.jobId,
      faults.strike("lying-expires-at", c.get("target"))?.value,
    );
    const expiresText = expiresAt.toISOString().replace(/\.\d+Z$/, "+00:00");
    return c.json({ ...response, download_url: url, expires_at: expiresText });
  });
}

function drawFate({ faults }: EmulatedService, target: FaultTarget): ExportJob["fate"] {
  if (faults.strike("job-fails", target)) return "fails";
  return faults.strike("job-stuck", target) ? "is stuck" : "completes";
}

interface PageFaults {
  /** Maximum number of records on the page. */
  limit: number;
  /** Number of the zone's records that are still hidden. */
  hiddenCount: number;
  /** Number of records by which the page starts before its offset. */
  stepBack: number;
  /** Added to `total_count`. */
  totalError: number;
  spoil(records: string[]): string[];
}

/** Number of pages that reveal hidden records. */
const pagesWithInsertions = 3;

/** Faults of history pages. Tracks how many of each zone's hidden records have been revealed. */
class HistoryFaults {
  readonly #faults: FaultSwitchboard;
  /** Number of pages that revealed records, by setting, kind and zone. Replaced settings are forgotten. */
  readonly #insertions = new WeakMap<FaultSetting, Map<string, number>>();

  constructor(faults: FaultSwitchboard) {
    this.#faults = faults;
  }

  /** @param subject kind and zone */
  of(target: FaultTarget, subject: string, { limit, offset }: PageInputs): PageFaults {
    const clamp = this.#faults.strike("clamped-limit", target)?.value ?? limit;
    const isRepeating = offset > 0 && this.#faults.strike("repeated-record", target) !== undefined;
    const isReversed = this.#faults.strike("reordered-page", target) !== undefined;
    const badShare = this.#faults.strike("bad-records", target)?.value ?? 0;
    const isEmpty = this.#faults.strike("empty-page", target) !== undefined;
    return {
      limit: Math.min(limit, clamp),
      hiddenCount: this.#hiddenCount(target, subject, offset),
      stepBack: isRepeating ? 1 : 0,
      totalError: this.#faults.strike("wrong-total", target)?.value ?? 0,
      spoil(records) {
        if (isEmpty) return [];
        const delivered = badShare > 0 ? spoilRecords(records, badShare) : records;
        return isReversed ? delivered.toReversed() : delivered;
      },
    };
  }

  #hiddenCount(target: FaultTarget, subject: string, offset: number): number {
    const setting = this.#faults.find("inserted-record", target);
    if (!setting) return 0;
    const insertions = this.#insertions.get(setting) ?? new Map<string, number>();
    this.#insertions.set(setting, insertions);
    const before = insertions.get(subject) ?? 0;
    const count = offset > 0 ? Math.min(pagesWithInsertions, before + 1) : before;
    insertions.set(subject, count);
    const perPage = setting.value ?? defaultFaultValue("inserted-record") ?? 0;
    return (pagesWithInsertions - count) * perPage;
  }
}

/** Ways to corrupt a record of a history page. The page remains valid JSON. */
const spoils: readonly ((record: string) => string)[] = [
  (record) => record.replace(/"duration_secs":\d+/, '"duration_secs":"long"'),
  (record) => record.replace(/"zone_id":\d+,/, ""),
  (record) => record.replace(/,?"play_start":"[^"]*"/, ""),
  (record) => record.replace(/"(song|asset)_id":\d+,/, ""),
  (record) => record.replace(/("play_start":"[\d-]+T[\d:]+)[+-][\d:]+"/, '$1"'),
  () => "null",
  () => '"upstream connect error"',
];

/** Corrupts this share of records, always the same ones in the same way. */
function spoilRecords(records: readonly string[], share: number): string[] {
  return records.map((record) => {
    const random = new Random("bad records", record);
    return random.chance(share) ? random.pick(spoils)(record) : record;
  });
}
