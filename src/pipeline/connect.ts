import { join } from "node:path";
import { createVenueClient, type VenueClient } from "../api/client.ts";
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
    stateFile: join(prepareHome(settings.get("VENUE_HOME")), "client.db"),
    logger,
  });
}
