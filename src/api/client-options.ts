import type { Clock } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import type { RetryOptions } from "../util/retry-delays.ts";
import type { Timeouts } from "./transport/timeouts.ts";

/** What the clients of both APIs can be told. */
export interface ClientOptions {
  /**
   * `client.db`: the access token, the request budget and the answers that may be kept, shared by all processes that
   * name the same file. It and its folder are created, for their owner alone.
   */
  stateFile: string;
  /** Accept an http URL of another machine: whatever is sent there can be read on the network. @default false */
  allowHttp?: boolean;
  /** Told about repetitions. @default silent */
  logger?: Logger;
  clock?: Clock;
  retry?: RetryOptions;
  timeouts?: Timeouts;
  /** @default venue-analytics/VERSION */
  userAgent?: string;
}
