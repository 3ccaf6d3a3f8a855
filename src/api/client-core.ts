import { openClientState } from "../state/client/client-state.ts";
import { computePace } from "../state/client/pace.ts";
import { RequestBudget } from "../state/client/request-budget.ts";
import { ResponseCache } from "../state/client/response-cache.ts";
import type { Sqlite } from "../state/sqlite.ts";
import { type Clock, createClock } from "../util/clock.ts";
import { softwareVersion } from "../util/files/package-files.ts";
import { type Logger, silentLogger } from "../util/logger.ts";
import { defaultRetry, type RetryOptions } from "../util/retry-delays.ts";
import { clientOptionError } from "./errors.ts";
import type { ServiceOptions } from "./service.ts";
import { Refusals } from "./transport/budget.ts";
import { Connections } from "./transport/connections.ts";
import { HttpCache } from "./transport/http-cache.ts";
import { Secrets } from "./transport/secrets.ts";
import type { ServiceAddress } from "./transport/service-address.ts";
import { defaultTimeouts, type Timeouts } from "./transport/timeouts.ts";

interface ClientCoreOptions extends ClientOptions {
  address: ServiceAddress;
  root: ServiceOptions["root"];
  /** Key of this client's budget, cached responses and token in the state file. */
  api: string;
  ratePerSecond: number;
}

/** Parts that the clients of both APIs share. */
interface ClientCore {
  state: Sqlite;
  serviceOptions: ServiceOptions;
  readonly requestsSent: number;
  /** Closes all connections, including those of `others`; requests in progress fail. */
  close(...others: { close(): Promise<unknown> }[]): Promise<void>;
}

/**
 * @throws {VenueError} `SQLITE_…` if the state file can't be used
 * @throws {VenueError} `CLIENT_OPTION_UNUSABLE` if the rate is invalid, or secrets would be sent unencrypted
 */
export function openClientCore({
  address,
  root,
  api,
  ratePerSecond,
  allowHttp = false,
  stateFile,
  logger = silentLogger,
  clock = createClock(),
  userAgent = `venue-analytics/${softwareVersion()}`,
  onDate = () => {},
  ...options
}: ClientCoreOptions): ClientCore {
  if (!(ratePerSecond > 0 && Number.isFinite(ratePerSecond))) {
    throw clientOptionError(`ratePerSecond is ${ratePerSecond}; it must be a finite number greater than 0.`);
  }
  if (address.isUnencrypted && !allowHttp) {
    throw clientOptionError(
      `${address} is not encrypted: all data sent there can be read on the network. Use an https URL, or set ` +
        "allowHttp if you trust the network.",
    );
  }
  const state = openClientState(stateFile);
  const closing = new AbortController();
  const secrets = new Secrets();
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const retry = { ...defaultRetry, ...options.retry };
  const connections = new Connections(timeouts.connectMs);
  let requestsSent = 0;
  return {
    state,
    serviceOptions: {
      address,
      root,
      budget: new RequestBudget(state, api, computePace(ratePerSecond)),
      refusals: new Refusals(retry),
      cache: new HttpCache(new ResponseCache(state, api), address, secrets, clock),
      connections,
      secrets,
      timeouts,
      retry,
      userAgent,
      clock,
      logger,
      onSent: () => {
        requestsSent += 1;
      },
      onDate,
      closing: closing.signal,
    },
    get requestsSent() {
      return requestsSent;
    },
    async close(...others) {
      closing.abort(new Error("the client was closed"));
      await Promise.all([connections, ...others].map((part) => part.close()));
      state.close();
    },
  };
}

/** Options of the clients of both APIs. */
export interface ClientOptions {
  /**
   * Path of `client.db`, which contains the access token, the request budget and cached responses. All
   * processes that use the same file share them. The file and its folder are created with access for their
   * owner only.
   */
  stateFile: string;
  /**
   * Allows an http URL on another machine. Others on the network can then read all transferred data.
   * @default false
   */
  allowHttp?: boolean;
  /** Logs retries. @default silent */
  logger?: Logger;
  clock?: Clock;
  /** Called with the service's time in each response that reports it, in ms since the epoch. */
  onDate?: (servedAtMs: number) => void;
  retry?: RetryOptions;
  timeouts?: Timeouts;
  /** @default venue-analytics/VERSION */
  userAgent?: string;
}
