import { z } from "zod";
import { toHttpUrl } from "../../util/http-values.ts";
import { maybeText, maybeWholeNumber, text, wholeNumber } from "./lenient.ts";

/** The id is used as a path segment, which can't be empty, `.` or `..`, or contain an unpaired surrogate. */
const jobId = text.refine((id) => !/^\.{0,2}$|\p{Surrogate}/u.test(id), "is not a usable id");

export const createdExportJob = z.looseObject({
  job_id: jobId,
  /** Set to `processing` if absent from the response. */
  status: text.nullish().transform((word) => word ?? "processing"),
});

/** An export accepted by the service. */
export type CreatedExportJob = z.output<typeof createdExportJob>;

export const exportJob = z
  .looseObject({
    job_id: text.nullish(),
    /** `processing`, `completed` or `failed`; synonyms of the last two are normalised. */
    status: text.nullish(),
    /** Present when completed; may be relative to the base URL. Its signature gives access to the file. */
    download_url: z
      .string()
      .trim()
      .refine((url) => url === "" || isHttp(url), "is not an http or https URL")
      .transform((url) => (url === "" ? undefined : url))
      .nullish(),
    /** Expiry of the link: ISO 8601 with its offset. Present when completed. */
    expires_at: text.nullish(),
    /** Present when failed. */
    error: z.unknown().transform(extractErrorMessage).optional(),
  })
  .transform((job, context) => {
    const status = deriveStatus(job);
    if (status === undefined) context.addIssue({ code: "custom", path: ["status"], message: "is missing" });
    return { ...job, status: status ?? "" };
  });

export type ExportJob = z.output<typeof exportJob>;

const meanings = new Map([
  ...["complete", "done", "finished", "ready", "succeeded", "success"].map(
    (word) => [word, "completed"] as const,
  ),
  ...["canceled", "cancelled", "error", "failure"].map((word) => [word, "failed"] as const),
]);

/**
 * Derives the status. A reported failure takes precedence. A link means completed, unless the status is
 * processing. Without a status or a link, an error means failed.
 */
function deriveStatus(job: {
  status?: string | null | undefined;
  download_url?: string | null | undefined;
  error?: string | undefined;
}): string | undefined {
  const word = job.status?.trim().toLowerCase();
  const status = meanings.get(word ?? "") ?? word;
  if (status === "failed") return status;
  if (job.download_url && word !== "processing") return "completed";
  return status || (job.error ? "failed" : undefined);
}

/** `job.error` may be a string or an object with a message; other objects are returned as JSON. */
function extractErrorMessage(error: unknown): string | undefined {
  if (error === null || error === undefined || error === false) return undefined;
  if (typeof error !== "object") return String(error);
  const { message } = error as { message?: unknown };
  return typeof message === "string" ? message : JSON.stringify(error);
}

/** Checks against both schemes, because `https:file` is relative only to a base of the same scheme. */
function isHttp(url: string): boolean {
  return ["https://host/", "http://host/"].every((base) => toHttpUrl(url, base));
}

const common = {
  zone_id: wholeNumber,
  zone_name: maybeText,
  location_id: maybeWholeNumber,
  location_name: maybeText,
  /** Seconds. */
  duration_secs: wholeNumber,
  /** ISO 8601 with its UTC offset. */
  play_start: text,
};

const musicRecord = z.looseObject({
  ...common,
  song_id: wholeNumber,
  song_name: maybeText,
  artist_id: maybeWholeNumber,
  artist_name: maybeText,
});

const assetRecord = z.looseObject({
  ...common,
  asset_id: wholeNumber,
  asset_name: maybeText,
});

export const historyRecords = { music: musicRecord, signage: assetRecord, messaging: assetRecord };

/** One play in the history of its kind. */
export type HistoryRecord<Kind extends keyof typeof historyRecords> = z.output<(typeof historyRecords)[Kind]>;
