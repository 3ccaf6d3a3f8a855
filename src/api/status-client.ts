import { openClientState } from "../state/client/client-state.ts";
import { KeptAnswers } from "../state/client/kept-answers.ts";
import { paceOf } from "../state/client/pace.ts";
import { RequestBudget } from "../state/client/request-budget.ts";
import { createClock } from "../util/clock.ts";
import { silentLogger } from "../util/logger.ts";
import { softwareVersion } from "../util/package-root.ts";
import type { VenueClientOptions } from "./client.ts";
import { StatusApi } from "./endpoints/status-api.ts";
import { Service } from "./service.ts";
import { AnswerStore } from "./transport/answer-store.ts";
import { defaultRetry } from "./transport/retry-delays.ts";
import { Secrets } from "./transport/secrets.ts";
import { ServiceAddress } from "./transport/service-address.ts";
import { defaultTimeouts } from "./transport/timeouts.ts";
import { Transport } from "./transport/transport.ts";

export interface StatusClientOptions
  extends Pick<VenueClientOptions, "stateFile" | "logger" | "clock" | "retry" | "timeouts" | "userAgent"> {
  /** Root of the status API: its paths are under `{status}/api/v1/`. */
  statusUrl: string | URL;
  /** Requests per second. @default 10, which the service documents */
  ratePerSecond?: number;
}

/** The status API, one typed method per endpoint. */
export interface StatusClient extends Pick<StatusApi, "page" | "componentsPage" | "noticesPage" | "notice"> {
  /** Requests that this client has sent. */
  readonly requestsSent: number;
  /** Ends all connections; what is under way fails. */
  close(): Promise<void>;
}

/**
 * A client of the status API. It has no credentials, and keeps to its rate together with all other processes that use
 * the same state file.
 * @throws {SqliteUnusableError} and its like when the state file can't be used
 */
export function createStatusClient({
  statusUrl,
  ratePerSecond = 10,
  stateFile,
  logger = silentLogger,
  clock = createClock(),
  userAgent = `venue-analytics/${softwareVersion()}`,
  ...options
}: StatusClientOptions): StatusClient {
  const address = new ServiceAddress(statusUrl);
  const api = `status at ${address}`;
  const state = openClientState(stateFile);
  const closing = new AbortController();
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const retry = { ...defaultRetry, ...options.retry };
  let requestsSent = 0;
  const secrets = new Secrets();
  const store = new AnswerStore(new KeptAnswers(state, api), secrets);
  const transport = new Transport({
    budget: new RequestBudget(state, api, paceOf(ratePerSecond)),
    retry,
    timeouts,
    clock,
    logger,
    onSent: () => {
      requestsSent += 1;
    },
    store,
  });
  const service = new Service(transport.anonymous, {
    address,
    root: "status",
    secrets,
    timeouts,
    retry,
    userAgent,
    clock,
    logger,
    store,
    closing: closing.signal,
  });
  const statusApi = new StatusApi(service);
  return {
    page: (input) => statusApi.page(input),
    componentsPage: (input) => statusApi.componentsPage(input),
    noticesPage: (input) => statusApi.noticesPage(input),
    notice: (input) => statusApi.notice(input),
    get requestsSent() {
      return requestsSent;
    },
    async close() {
      closing.abort(new Error("the client was closed"));
      await transport.close();
      state.close();
    },
  };
}
