import type { Dispatcher } from "undici";
import type { RequestTarget } from "../errors.ts";
import type { UploadForm } from "./upload-file.ts";

/** One request to the service. */
export interface ApiRequest {
  target: RequestTarget;
  method: "GET" | "POST" | "DELETE";
  /** Absolute, with its query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | UploadForm | null;
  /** The request changes nothing, so it may be sent again when its response is lost. */
  isRepeatable: boolean;
  /** The response must not come from a cache. */
  isFresh: boolean;
  /** Maximum number of attempts, if lower than the client's. */
  attempts: number | undefined;
  /** Once the request is sent, an abort no longer ends it. */
  awaitResponseOnAbort: boolean;
  signal: AbortSignal;
}

/** One sending of a request. Either `response` or `error` is set, unless the turn was lost. */
export interface Sending {
  response?: Dispatcher.ResponseData;
  error?: Error;
  /** Bytes of the request may have left this machine. */
  wasSent: boolean;
  /** Connecting took so long that the turn went to others; nothing was sent. */
  hasLostTurn: boolean;
  /** When connecting began, on the monotonic clock. */
  startedMs: number;
  /** When the first byte left, on the monotonic clock. */
  sentMs: number;
  /** The same as milliseconds since 1970, and as the data's "now". */
  sentAt: number;
  sentNow: number;
}
