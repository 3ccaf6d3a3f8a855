import { openClientState } from "../state/client/client-state.ts";
import { KeptAnswers } from "../state/client/kept-answers.ts";
import { paceOf } from "../state/client/pace.ts";
import { RequestBudget } from "../state/client/request-budget.ts";
import { TokenStore } from "../state/client/token-store.ts";
import { type Clock, createClock } from "../util/clock.ts";
import { type Logger, silentLogger } from "../util/logger.ts";
import { softwareVersion } from "../util/package-root.ts";
import { AccessTokens } from "./access-tokens.ts";
import { Downloads } from "./download.ts";
import { ApiClients } from "./endpoints/api-clients.ts";
import { CampaignsAndAssets } from "./endpoints/campaigns-and-assets.ts";
import { Devices } from "./endpoints/devices.ts";
import { Exports } from "./endpoints/exports.ts";
import { History } from "./endpoints/history.ts";
import { Music } from "./endpoints/music.ts";
import { Playlists } from "./endpoints/playlists.ts";
import { Service } from "./service.ts";
import { AnswerStore } from "./transport/answer-store.ts";
import { defaultRetry, type RetryOptions } from "./transport/retry-delays.ts";
import { Secrets } from "./transport/secrets.ts";
import { ServiceAddress } from "./transport/service-address.ts";
import { defaultTimeouts, type Timeouts } from "./transport/timeouts.ts";
import { Transport } from "./transport/transport.ts";

export interface VenueClientOptions {
  /** Versioned API root: main paths are under `{base}/ext/`, token and secret directly under it. */
  baseUrl: string | URL;
  credentials: {
    clientId: string;
    /** Asked for when an access token is needed; not needed to retrieve the secret. */
    clientSecret?: string | (() => string | Promise<string>);
  };
  /** Requests per second, as agreed with the operator. @default 1 */
  ratePerSecond?: number;
  /**
   * `client.db`: the access token, the request budget and the answers that may be kept, shared by all processes that
   * name the same file. It and its folder are created, for their owner alone.
   */
  stateFile: string;
  /** Told about repetitions. @default silent */
  logger?: Logger;
  clock?: Clock;
  retry?: RetryOptions;
  timeouts?: Timeouts;
  /** @default venue-analytics/VERSION */
  userAgent?: string;
}

/** The service, one typed method per endpoint. */
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
  /** Requests that this client has sent to the service, those for tokens included, downloads not. */
  readonly requestsSent: number;
  /** Ends all connections; what is under way fails. */
  close(): Promise<void>;
}

/**
 * A client of the service. It keeps to the agreed rate together with all other processes that use the same state
 * file, gets and renews its access token, and repeats what failed where that is safe.
 * @throws {SqliteUnusableError} and its like when the state file can't be used
 */
export function createVenueClient({
  baseUrl,
  credentials,
  ratePerSecond = 1,
  stateFile,
  logger = silentLogger,
  clock = createClock(),
  userAgent = `venue-analytics/${softwareVersion()}`,
  ...options
}: VenueClientOptions): VenueClient {
  const address = new ServiceAddress(baseUrl);
  const { clientId } = credentials;
  const api = `${clientId} at ${address}`;
  const state = openClientState(stateFile);
  const closing = new AbortController();
  const secrets = new Secrets();
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const retry = { ...defaultRetry, ...options.retry };
  let requestsSent = 0;
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
  const common = {
    address,
    root: "base" as const,
    secrets,
    timeouts,
    retry,
    userAgent,
    clock,
    logger,
    store,
    closing: closing.signal,
  };
  const apiClients = new ApiClients(new Service(transport.open, common), clientId, secrets);
  const tokens = new AccessTokens({
    store: new TokenStore(state, api),
    apiClients,
    clientId,
    getSecret: () => getSecret(credentials),
    secrets,
    clock,
    logger,
  });
  const service = new Service(transport.authorized(address, tokens), common);
  const downloads = new Downloads({ timeouts, userAgent, closing: closing.signal });
  return {
    apiClients,
    devices: new Devices(service),
    music: new Music(service),
    playlists: new Playlists(service),
    signage: new CampaignsAndAssets(service, "signage"),
    messaging: new CampaignsAndAssets(service, "messaging"),
    history: new History(service),
    exports: new Exports(service),
    downloads,
    get requestsSent() {
      return requestsSent;
    },
    async close() {
      closing.abort(new Error("the client was closed"));
      await Promise.all([transport.close(), downloads.close()]);
      state.close();
    },
  };
}

async function getSecret({ clientSecret }: VenueClientOptions["credentials"]): Promise<string> {
  const secret = typeof clientSecret === "function" ? await clientSecret() : clientSecret;
  if (secret === undefined) throw new TypeError("credentials.clientSecret is needed for an access token");
  return secret;
}
