import { randomUUID } from "node:crypto";
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

/** Keeps export jobs in memory. They are lost when the emulator restarts. */
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
  create(content: ExportContent, fate: ExportJob["fate"], isOdd: boolean): ExportJob {
    const jobId = isOdd ? `2026/export ${this.#jobs.size}?näme=% 東京#../${randomUUID()}` : randomUUID();
    const file = new ExportFile(this.#world, content);
    const job = { jobId, content, file, fate, createdAtMs: performance.now(), isMeasured: false };
    this.#jobs.set(jobId, job);
    void file.measure(this.#closing).then((isMeasured) => {
      job.isMeasured = isMeasured;
    });
    return job;
  }

  find(jobId: string): ExportJob | undefined {
    return this.#jobs.get(jobId);
  }

  all(): ExportJob[] {
    return [...this.#jobs.values()];
  }

  statusOf(job: ExportJob): ExportStatus {
    if (!this.#isDue(job) || job.fate === "is stuck") return "processing";
    if (job.fate === "fails") return "failed";
    return job.isMeasured ? "completed" : "processing";
  }

  /** Waits briefly while a job's file is prepared, so that small exports are ready at the first poll. */
  async finish(job: ExportJob): Promise<void> {
    for (let waits = 0; this.#isDue(job) && !job.isMeasured && waits < 50; waits += 1) {
      await sleep(5, undefined, { signal: this.#closing });
    }
  }

  #isDue({ createdAtMs }: ExportJob): boolean {
    return performance.now() - createdAtMs >= this.#exportSeconds * 1000;
  }
}

/** Creates presigned links. Anyone with a link may download the file until the link expires on the real clock. */
export class DownloadLinks {
  readonly #linkSeconds: number;
  readonly #links = new Map<string, { jobId: string; expires: number }>();

  constructor(linkSeconds: number) {
    this.#linkSeconds = linkSeconds;
  }

  /** @param trueSeconds actual lifetime, if it differs from the one in `expires_at` */
  create(origin: string, jobId: string, trueSeconds = this.#linkSeconds): { url: string; expiresAt: Date } {
    const nowSeconds = Date.now() / 1000;
    const expires = Math.floor(nowSeconds + trueSeconds);
    const signature = randomUUID();
    this.#links.set(signature, { jobId, expires });
    return {
      url: `${origin}/exports/${encodeURIComponent(jobId)}?expires=${expires}&signature=${signature}`,
      expiresAt: new Date(Math.floor(nowSeconds + this.#linkSeconds) * 1000),
    };
  }

  isValid(jobId: string, signature: string): boolean {
    const link = this.#links.get(signature);
    return link?.jobId === jobId && Date.now() < link.expires * 1000;
  }
}
