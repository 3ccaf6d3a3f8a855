import { existsSync } from "node:fs";
import { join } from "node:path";
import { clientName, createVenueClient, type VenueClient } from "../api/client.ts";
import { createStatusClient, type StatusClient } from "../api/status-client.ts";
import { ConfigError } from "../config/config-error.ts";
import { getCredentials } from "../config/credentials.ts";
import { prepareHome } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import { clientFileName, openClientState } from "../state/client/client-state.ts";
import { TokenStore } from "../state/client/token-store.ts";
import { createClock } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";

/** The client of the service that the settings name. @param clock whose waits end when they should */
export function connect(settings: Settings, logger: Logger, clock = createClock()): VenueClient {
  const credentials = getCredentials(settings);
  return createVenueClient({
    baseUrl: settings.get("VENUE_BASE_URL"),
    credentials: { clientId: credentials.clientId, clientSecret: credentials.revealSecret() },
    ratePerSecond: settings.get("VENUE_RATE_PER_SECOND"),
    stateFile: clientFile(settings),
    logger,
    clock,
  });
}

/** A client that can do one thing: fetch its secret. */
export function connectWithoutSecret(
  settings: Settings,
  logger: Logger,
): Pick<VenueClient, "apiClients" | "requestsSent" | "close"> {
  return createVenueClient({
    baseUrl: settings.get("VENUE_BASE_URL"),
    credentials: { clientId: settings.get("VENUE_CLIENT_ID") },
    ratePerSecond: settings.get("VENUE_RATE_PER_SECOND"),
    stateFile: clientFile(settings),
    logger,
  });
}

/** The client of the status API that the settings name; it needs no credentials. */
export function connectStatus(settings: Settings, logger: Logger, clock = createClock()): StatusClient {
  return createStatusClient({
    statusUrl: settings.get("VENUE_STATUS_URL"),
    ratePerSecond: settings.get("VENUE_STATUS_RATE_PER_SECOND"),
    stateFile: clientFile(settings),
    logger,
    clock,
  });
}

/** Whether the next request takes one more, for an access token. Changes nothing. */
export function needsToken(settings: Settings): boolean {
  const clientId = findClientId(settings);
  const path = join(settings.get("VENUE_HOME"), clientFileName);
  if (clientId === undefined || !existsSync(path)) return true;
  const state = openClientState(path);
  try {
    const token = new TokenStore(state, clientName(clientId, settings.get("VENUE_BASE_URL"))).find();
    return token === undefined || Date.now() >= token.renewAt;
  } finally {
    state.close();
  }
}

/** `undefined` where no credentials can be read: who sends a request is told of it. */
function findClientId(settings: Settings): string | undefined {
  try {
    return settings.find("VENUE_CLIENT_ID") ?? getCredentials(settings).clientId;
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

function clientFile(settings: Settings): string {
  return join(prepareHome(settings.get("VENUE_HOME")), clientFileName);
}
