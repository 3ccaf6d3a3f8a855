import { readTextFile } from "../config/credentials.ts";
import type { Settings } from "../config/settings.ts";
import type { Logger } from "../util/logger.ts";
import { Nessie } from "./nessie/nessie.ts";
import { TrinoEngine } from "./trino/trino-engine.ts";
import type { TrinoOptions } from "./trino/trino-options.ts";

/** Maximum number of stages. Models that read many tables exceed Trino's default of 150. */
const maxStages = "600";

/** Connects to the configured Trino cluster. @param options table locations, progress and abort signal */
export function connectTrino(
  settings: Settings,
  logger: Logger,
  options: Pick<TrinoOptions, "catalog" | "schema" | "relations" | "onProgress" | "signal">,
): TrinoEngine {
  return new TrinoEngine({
    url: settings.get("VENUE_TRINO_URL").href,
    user: settings.get("VENUE_TRINO_USER"),
    password: settings.find("VENUE_TRINO_PASSWORD"),
    token: settings.find("VENUE_TRINO_TOKEN"),
    certificateAuthority: findAuthority(settings),
    session: { query_max_stage_count: maxStages },
    logger,
    ...options,
  });
}

export function connectNessie(settings: Settings, logger: Logger): Nessie {
  const token = settings.find("VENUE_NESSIE_TOKEN");
  return new Nessie({
    url: settings.get("VENUE_NESSIE_URL").href,
    authorization: token === undefined ? undefined : `Bearer ${token}`,
    certificateAuthority: findAuthority(settings),
    logger,
  });
}

function findAuthority(settings: Settings): string | undefined {
  const file = settings.find("VENUE_TRINO_CERTIFICATE_FILE");
  return file === undefined ? undefined : readTextFile("VENUE_TRINO_CERTIFICATE_FILE", file);
}
