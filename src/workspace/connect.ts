import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildClientKey, createVenueClient, type VenueClient } from "../api/client.ts";
import { createStatusClient, type StatusClient } from "../api/status-client.ts";
import { getCredentials } from "../config/credentials.ts";
import { bindCredentialsFile } from "../config/credentials-file.ts";
import { prepareHome } from "../config/data-folder.ts";
import { ConfigError, type Settings } from "../config/settings.ts";
import { clientFileName, openClientState } from "../state/client/client-state.ts";
import { TokenStore } from "../state/client/token-store.ts";
import { createClock } from "../util/clock.ts";
import { isUnencrypted } from "../util/http-values.ts";
import type { Logger } from "../util/logger.ts";
import { getErrorMessage } from "../util/venue-error.ts";

/**
 * Opens the client of the service.
 * @param clock may end waits early
 * @param onDate called with the service's time in each response that reports it, in ms since the epoch
 */
export function connect(
  settings: Settings,
  logger: Logger,
  clock = createClock(),
  onDate: (servedAtMs: number) => void = () => {},
): VenueClient {
  const credentials = getCredentials(settings);
  const baseUrl = getServiceUrl(settings, "VENUE_BASE_URL", logger);
  if (credentials.unboundFile !== undefined) bindCredentials(credentials.unboundFile, baseUrl, logger);
  return createVenueClient({
    baseUrl,
    allowHttp: acceptsHttp(settings),
    credentials: { clientId: credentials.clientId, clientSecret: credentials.revealSecret() },
    ratePerSecond: settings.get("VENUE_RATE_PER_SECOND"),
    stateFile: getClientFile(settings),
    logger,
    clock,
    onDate,
  });
}

/** Opens a client that can only fetch the secret. */
export function connectWithoutSecret(
  settings: Settings,
  logger: Logger,
): Pick<VenueClient, "apiClients" | "requestsSent" | "close"> {
  return createVenueClient({
    baseUrl: getServiceUrl(settings, "VENUE_BASE_URL", logger),
    allowHttp: acceptsHttp(settings),
    credentials: { clientId: settings.get("VENUE_CLIENT_ID") },
    ratePerSecond: settings.get("VENUE_RATE_PER_SECOND"),
    stateFile: getClientFile(settings),
    logger,
  });
}

/** Opens the client of the status API, which needs no credentials. */
export function connectStatus(settings: Settings, logger: Logger, clock = createClock()): StatusClient {
  return createStatusClient({
    statusUrl: getServiceUrl(settings, "VENUE_STATUS_URL", logger),
    allowHttp: acceptsHttp(settings),
    stateFile: getClientFile(settings),
    logger,
    clock,
  });
}

/** Binds a secret stored by version 0.2.0 to the current base URL, so that it is sent only there. */
function bindCredentials(file: string, baseUrl: URL, logger: Logger): void {
  try {
    bindCredentialsFile(file, baseUrl);
    logger.info(`The secret in ${file} is now bound to ${baseUrl.href}; it is sent to no other base URL.`);
  } catch (error) {
    logger.warn(
      `${file} can't be changed (${getErrorMessage(error)}), so its secret is sent to any base URL. Add to it: ` +
        `"base_url": ${JSON.stringify(baseUrl.href)}`,
    );
  }
}

/** Settings for which a warning was already logged, because a command may connect several times. */
const warned = new WeakSet<Settings>();

/**
 * Returns the root URL of an API.
 * @throws {ConfigError} for http to another machine, unless `VENUE_ALLOW_HTTP` is 1
 */
function getServiceUrl(settings: Settings, name: "VENUE_BASE_URL" | "VENUE_STATUS_URL", logger: Logger): URL {
  const url = settings.get(name);
  if (!isUnencrypted(url)) return url;
  if (!acceptsHttp(settings)) {
    throw new ConfigError(
      name,
      `${name} is ${url.href}, which is not encrypted: all data sent there can be read on the network. ` +
        "Use https, or set VENUE_ALLOW_HTTP=1 if you trust the network.",
    );
  }
  if (!warned.has(settings)) {
    const urls = [settings.find("VENUE_BASE_URL"), settings.find("VENUE_STATUS_URL")]
      .filter((one) => one !== undefined && isUnencrypted(one))
      .join(" and ");
    logger.warn(`All data sent to ${urls} can be read on the network (VENUE_ALLOW_HTTP=1). Use https.`);
    warned.add(settings);
  }
  return url;
}

function acceptsHttp(settings: Settings): boolean {
  return settings.get("VENUE_ALLOW_HTTP") === "1";
}

/** Returns true if the next request must first request an access token. Has no side effects. */
export function needsToken(settings: Settings): boolean {
  const clientId = findClientId(settings);
  const path = join(settings.get("VENUE_HOME"), clientFileName);
  if (clientId === undefined || !existsSync(path)) return true;
  const state = openClientState(path);
  try {
    const token = new TokenStore(state, buildClientKey(clientId, settings.get("VENUE_BASE_URL"))).find();
    return token === undefined || Date.now() >= token.renewAt;
  } finally {
    state.close();
  }
}

/** Returns `undefined` if no credentials can be read; the first request then reports the error. */
function findClientId(settings: Settings): string | undefined {
  try {
    return settings.find("VENUE_CLIENT_ID") ?? getCredentials(settings).clientId;
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

function getClientFile(settings: Settings): string {
  return join(prepareHome(settings.get("VENUE_HOME")), clientFileName);
}
