import { type ClientOptions, openClientCore } from "./client-core.ts";
import { createMethods } from "./endpoints/call-endpoint.ts";
import { type StatusApi, statusEndpoints } from "./endpoints/endpoints.ts";
import { Service } from "./service.ts";
import { ServiceAddress } from "./transport/service-address.ts";

/** The documented limit. */
export const statusRatePerSecond = 10;

export interface StatusClientOptions extends ClientOptions {
  /** Root of the status API. Paths are below `{status}/api/v1/`. */
  statusUrl: string | URL;
  /** @default the documented limit, 10 */
  ratePerSecond?: number;
}

/** The status API, with one typed method per endpoint. */
export interface StatusClient extends StatusApi {
  /** Number of requests that this client has sent. */
  readonly requestsSent: number;
  /** Closes all connections; requests in progress fail. */
  close(): Promise<void>;
}

/**
 * Creates a client of the status API, without credentials. All processes that use the same state file share its
 * request budget.
 * @throws {VenueError} `CLIENT_OPTION_UNUSABLE` if the URL or the rate can't be used
 * @throws {VenueError} `SQLITE_UNUSABLE`, `SQLITE_DAMAGED` or `SQLITE_IN_USE` if the state file can't be used
 */
export function createStatusClient({
  statusUrl,
  ratePerSecond = statusRatePerSecond,
  ...options
}: StatusClientOptions): StatusClient {
  const address = new ServiceAddress(statusUrl);
  const api = `status at ${address}`;
  const core = openClientCore({ address, root: "status", api, ratePerSecond, ...options });
  return {
    ...createMethods(new Service(core.serviceOptions), statusEndpoints),
    get requestsSent() {
      return core.requestsSent;
    },
    close: () => core.close(),
  };
}
