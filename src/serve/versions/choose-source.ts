import type { Settings } from "../../config/settings.ts";
import type { Logger } from "../../util/logger.ts";
import type { VersionSource } from "./version-source.ts";

/** Returns the source selected by the settings. Only that source's code is loaded. */
export async function chooseSource(settings: Settings, logger: Logger): Promise<VersionSource> {
  if (settings.get("VENUE_ENGINE") === "trino")
    return (await import("./shown-source.ts")).createShownSource(settings, logger);
  return (await import("./published-source.ts")).createPublishedSource(settings);
}
