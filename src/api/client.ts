import { TokenStore } from "../state/client/token-store.ts";
import { AccessTokens } from "./access-tokens.ts";
import { type ClientOptions, openClientCore } from "./client-core.ts";
import { Downloads } from "./download.ts";
import { ApiClients } from "./endpoints/api-clients.ts";
import { createMethods } from "./endpoints/call-endpoint.ts";
import {
  type CampaignsAndAssets,
  type Devices,
  type Exports,
  endpoints,
  type Music,
  type Playlists,
} from "./endpoints/endpoints.ts";
import { createHistory, type History } from "./endpoints/history.ts";
import { Service } from "./service.ts";
import { ServiceAddress } from "./transport/service-address.ts";

export interface VenueClientOptions extends ClientOptions {
  /** Versioned API root. Token and secret paths are directly under it, all others under `{base}/ext/`. */
  baseUrl: string | URL;
  credentials: {
    clientId: string;
    /**
     * The secret, or a function that returns it, called when an access token is needed. Not needed for fetching
     * the secret.
     */
    clientSecret?: string | (() => string | Promise<string>);
  };
  /** Requests per second, as agreed with the operator. @default 1 */
  ratePerSecond?: number;
}

/** The service's API, with one typed method per endpoint. */
export interface VenueClient {
  readonly apiClients: ApiClients;
  readonly devices: Devices;
  readonly music: Music;
  readonly playlists: Playlists;
  readonly signage: CampaignsAndAssets;
  readonly messaging: CampaignsAndAssets;
  readonly history: History;
  readonly exports: Exports;
  readonly downloads: Downloads;
  /** Number of requests that this client has sent to the service, including those for tokens but not downloads. */
  readonly requestsSent: number;
  /** Requests an access token unless a valid one is stored. Other methods do this when needed. */
  authenticate(signal?: AbortSignal): Promise<void>;
  /** Closes all connections; requests in progress fail. */
  close(): Promise<void>;
}

/** Returns the key of a client's budget, cached responses and token in the state file. */
export function buildClientKey(clientId: string, baseUrl: string | URL): string {
  return `${clientId} at ${new ServiceAddress(baseUrl)}`;
}

/**
 * Creates a client of the service. All processes that use the same state file share its request budget. The
 * client renews its access token, and retries failed requests where that is safe.
 * @throws {VenueError} `CLIENT_OPTION_UNUSABLE` if the URL or the rate can't be used
 * @throws {VenueError} `SQLITE_UNUSABLE`, `SQLITE_DAMAGED` or `SQLITE_IN_USE` if the state file can't be used
 */
export function createVenueClient({
  baseUrl,
  credentials,
  ratePerSecond = 1,
  ...options
}: VenueClientOptions): VenueClient {
  const address = new ServiceAddress(baseUrl);
  const { clientId } = credentials;
  const api = buildClientKey(clientId, baseUrl);
  const core = openClientCore({ address, root: "base", api, ratePerSecond, ...options });
  const { state, serviceOptions } = core;
  const { secrets, clock, logger } = serviceOptions;
  const apiClients = new ApiClients(new Service(serviceOptions), clientId, secrets);
  const tokens = new AccessTokens({
    store: new TokenStore(state, api),
    requestToken: (input) => apiClients.requestToken(input),
    clientId,
    getSecret: () => getSecret(credentials),
    secrets,
    clock,
    logger,
  });
  const service = new Service({ ...serviceOptions, tokens });
  const downloads = new Downloads(serviceOptions);
  return {
    apiClients,
    devices: createMethods(service, endpoints.devices),
    music: createMethods(service, endpoints.music),
    playlists: createMethods(service, endpoints.playlists),
    signage: createMethods(service, endpoints.signage),
    messaging: createMethods(service, endpoints.messaging),
    history: createHistory(service),
    exports: createExports(service),
    downloads,
    get requestsSent() {
      return core.requestsSent;
    },
    async authenticate(signal) {
      await tokens.get(signal);
    },
    close: () => core.close(downloads),
  };
}

/** Removes secrets from the error of a failed export, and resolves relative download links. */
function createExports(service: Service): Exports {
  const exports = createMethods(service, endpoints.exports);
  return {
    ...exports,
    async get(input) {
      const job = await exports.get(input);
      const { download_url, error } = job;
      return {
        ...job,
        ...(error ? { error: service.sanitizeText(error) } : {}),
        ...(download_url ? { download_url: service.resolve(download_url) } : {}),
      };
    },
  };
}

async function getSecret({ clientSecret }: VenueClientOptions["credentials"]): Promise<string> {
  const secret = typeof clientSecret === "function" ? await clientSecret() : clientSecret;
  if (secret === undefined) throw new TypeError("credentials.clientSecret is required for an access token");
  return secret;
}
