import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { World } from "../../world/world.ts";
import { type ExportContent, ExportFile } from "./export-file.ts";

export interface ExportJob {
  jobId: string;
  content: ExportContent;
  file: ExportFile;
  fate: "completes" | "fails" | "is stuck";
  /** Creation time, on the clock of `performance.now()`. */
  createdAtMs: number;
  isMeasured: boolean;
}

export type ExportStatus = "processing" | "completed" | "failed";

/** Keeps export jobs in memory, so they are lost when the emulator restarts. */
export class ExportJobs {
  readonly #world: World;
  readonly #exportSeconds: number;
  readonly #closing: AbortSignal;
  readonly #jobs = new Map<string, ExportJob>();

  /** @param exportSeconds minimum duration of a job, in real seconds */
  constructor(world: World, exportSeconds: number, closing: AbortSignal) {
    this.#world = world;
    this.#exportSeconds = exportSeconds;
    this.#closing = closing;
  }

  /** @param isOdd gives the job an id that breaks URLs in which it is not escaped */
  create(content: ExportContent, fate: ExportJob["fate"], isOdd = false): ExportJob {
    const job: ExportJob = {
      jobId: isOdd ? `2026/export ${this.#jobs.size}?näme=% 東京#../${randomUUID()}` : randomUUID(),
      content,
      file: new ExportFile(this.#world, content),
      fate,
      createdAtMs: performance.now(),
      isMeasured: false,
    };
    this.#jobs.set(job.jobId, job);
    job.file.measure(this.#closing).then(
      () => {
        job.isMeasured = true;
      },
      (error: unknown) => {
        if (!this.#closing.aborted) throw error;
      },
    );
    return job;
  }

  find(jobId: string): ExportJob | undefined {
    return this.#jobs.get(jobId);
  }

  all(): ExportJob[] {
    return [...this.#jobs.values()];
  }

  statusOf(job: ExportJob): ExportStatus {
    const isDue = performance.now() - job.createdAtMs >= this.#exportSeconds * 1000;
    if (!isDue || job.fate === "is stuck") return "processing";
    if (job.fate === "fails") return "failed";
    return job.isMeasured ? "completed" : "processing";
  }

  /**
   * Waits briefly while a job's file is being measured, so that small exports are ready at the first poll.
   */
  async settle(job: ExportJob): Promise<void> {
    const isDue = performance.now() - job.createdAtMs >= this.#exportSeconds * 1000;
    for (let waits = 0; isDue && !job.isMeasured && waits < 50; waits += 1) {
      await sleep(5, undefined, { signal: this.#closing });
    }
  }
}

interface DownloadLink {
  url: string;
  /** On the real clock. */
  expiresAt: Date;
}

/** Creates presigned links. Anyone who has one may download, until it expires on the real clock. */
export class DownloadLinks {
  readonly #key = randomBytes(32);
  readonly #linkSeconds: number;

  constructor(linkSeconds: number) {
    this.#linkSeconds = linkSeconds;
  }

  /** @param trueSeconds actual lifetime, if it differs from the one in `expires_at` */
  create(downloadOrigin: string, jobId: string, trueSeconds = this.#linkSeconds): DownloadLink {
    const expiresSeconds = Math.floor(Date.now() / 1000 + this.#linkSeconds);
    const expires = Math.floor(Date.now() / 1000 + trueSeconds);
    const url = new URL(`/exports/${encodeURIComponent(jobId)}`, downloadOrigin);
    url.searchParams.set("expires", String(expires));
    url.searchParams.set("signature", this.#sign(jobId, String(expires)));
    return { url: url.href, expiresAt: new Date(expiresSeconds * 1000) };
  }

  isValid(jobId: string, expires: string, signature: string): boolean {
    const [expected, given] = [Buffer.from(this.#sign(jobId, expires)), Buffer.from(signature)];
    const isOurs = expected.length === given.length && timingSafeEqual(expected, given);
    return isOurs && Date.now() < Number(expires) * 1000;
  }

  #sign(jobId: string, expires: string): string {
    return createHmac("sha256", this.#key).update(`${jobId}\n${expires}`).digest("hex");
  }
}
