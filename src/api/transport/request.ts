import type { Dispatcher } from "undici";
import type { RequestTarget } from "../errors.ts";
import type { UploadForm } from "./upload-file.ts";

/** The time at which the service produced a response. */
export interface Production {
  /** Time on this machine's clock for data (see `VENUE_NOW`). */
  at: Date;
  /** True if the response came from a cache: ours, or one between us and the service. */
  isReused: boolean;
}

export interface ApiRequest {
  target: RequestTarget;
  method: "GET" | "POST" | "DELETE";
  /** Absolute path, with its query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | UploadForm | null;
  /** True if the request changes nothing, so that it may be sent again if its response is lost. */
  isRepeatable: boolean;
  /** True if the response must not come from a cache. */
  isFresh: boolean;
  /** Maximum number of attempts, if lower than the client's limit. */
  attempts: number | undefined;
  /** True if an abort no longer cancels the request after it is sent. */
  awaitResponseOnAbort: boolean;
  onProduced: ((production: Production) => void) | undefined;
  signal: AbortSignal;
}

/** One attempt to send a request. Either `response` or `error` is set, unless the turn was lost. */
export interface Sending {
  response?: Dispatcher.ResponseData;
  error?: Error;
  /** True if bytes of the request may have left this machine. */
  wasSent: boolean;
  /** True if connecting took so long that another request took the turn; nothing was sent. */
  hasLostTurn: boolean;
  /** Start of the connection attempt, on the monotonic clock. */
  startedMs: number;
  /** Time at which the first byte was sent, on the monotonic clock. */
  sentMs: number;
  /**
   * The same instant in epoch milliseconds, on the system clock (`sentAt`) and the data's clock (`sentNow`).
   */
  sentAt: number;
  sentNow: number;
}
