import { z } from "zod";
import { text } from "./lenient.ts";

/** A path's segment can't be one of these, however it is written. */
const jobId = text.refine((id) => id !== "" && id !== "." && id !== "..", "is no usable id");

export const createdExportJob = z.looseObject({ job_id: jobId, status: text });

/** An export that the service has accepted. */
export type CreatedExportJob = z.output<typeof createdExportJob>;

export const exportJob = z
  .looseObject({
    job_id: text.nullish(),
    /** `processing`, `completed` or `failed`. */
    status: text.transform((word) => word.toLowerCase()),
    /** Present when completed. Carries a signature: it opens the file to whoever knows it. */
    download_url: z
      .string()
      .refine((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), "is no http(s) URL")
      .nullish(),
    /** Until when the link is valid: ISO 8601 with its offset. Present when completed. */
    expires_at: text.nullish(),
    /** Present when failed. */
    error: text.nullish(),
  })
  .refine(({ status, download_url }) => status !== "completed" || download_url, {
    path: ["download_url"],
    message: "is missing though the export is completed",
  });

export type ExportJob = z.output<typeof exportJob>;
