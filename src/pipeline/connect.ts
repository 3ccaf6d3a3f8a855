import { join } from "node:path";
import { createVenueClient, type VenueClient } from "../api/client.ts";
import { createStatusClient, type StatusClient } from "../api/status-client.ts";
import { getCredentials } from "../config/credentials.ts";
import { prepareHome } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import type { Logger } from "../util/logger.ts";

/** The client of the service that the settings name. */
export function connect(settings: Settings, logger: Logger): VenueClient {
  const credentials = getCredentials(settings);
  return createVenueClient({
    baseUrl: settings.get("VENUE_BASE_URL"),
    credentials: { clientId: credentials.clientId, clientSecret: credentials.revealSecret() },
    ratePerSecond: settings.get("VENUE_RATE_PER_SECOND"),
    stateFile: clientFile(settings),
    logger,
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
export function connectStatus(settings: Settings, logger: Logger): StatusClient {
  return createStatusClient({
    statusUrl: settings.get("VENUE_STATUS_URL"),
    ratePerSecond: settings.get("VENUE_STATUS_RATE_PER_SECOND"),
    stateFile: clientFile(settings),
    logger,
  });
}

function clientFile(settings: Settings): string {
  return join(prepareHome(settings.get("VENUE_HOME")), "client.db");
}
