import type { z } from "zod";
import type { ListInput } from "./endpoints/inputs.ts";
import type { RequestRoot, RequestTarget } from "./errors/api-error.ts";
import type { UploadForm } from "./transport/upload-file.ts";

/** One request to the service, and what its answer should look like. */
export interface ServiceRequest<Answer> {
  method: "GET" | "POST" | "DELETE";
  /** Relative to the base URL, e.g. `ext/devices/status`; parts that vary are encoded. */
  path: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON, a form as it is. */
  body?: object | UploadForm;
  answer: z.ZodType<Answer>;
  /** The request changes nothing, so it may be sent again when its answer is lost. @default GET only */
  isRepeatable?: boolean;
  /** Attempts in all, if fewer than the client's. */
  attempts?: number;
  /** No answer from a cache will do. */
  isFresh?: boolean | undefined;
  onProduced?: ListInput["onProduced"];
  /** The query holds a secret: no message may show it. */
  isQuerySecret?: boolean;
  /** Once it is sent, its answer is waited for: an abort ends only what comes before. */
  mustBeHeard?: boolean;
  /** An answer that is no JSON is taken as a text. */
  mayBeText?: boolean;
  /** What an answer without content (204) stands for. @default it is no answer */
  noContent?: unknown;
  signal?: AbortSignal | undefined;
}

/** What of a request does not depend on its answer. */
export type SentRequest = Omit<ServiceRequest<unknown>, "answer">;

/** One request for an array of records. */
export interface ListRequest<Item> extends Pick<ListInput, "onMisfit" | "onProduced"> {
  /** As in `ServiceRequest`. */
  path: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  item: z.ZodType<Item>;
  /** No answer from a cache will do. */
  isFresh?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** Whether it may be sent again when its answer is lost. */
export function isRepeatable({ method, isRepeatable }: SentRequest): boolean {
  return isRepeatable ?? method === "GET";
}

/** Its path and query, relative to the base URL. */
export function pathOf({ path, query = {} }: SentRequest): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size > 0 ? `${path}?${parameters}` : path;
}

/** What errors and messages may show of it. */
export function targetOf(request: SentRequest, root: RequestRoot): RequestTarget {
  return { method: request.method, path: request.isQuerySecret ? request.path : pathOf(request), root };
}
