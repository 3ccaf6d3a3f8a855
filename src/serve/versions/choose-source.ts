import type { Settings } from "../../config/settings.ts";
import type { Logger } from "../../util/logger.ts";
import type { VersionSource } from "./version-source.ts";

/** Returns the source that the settings name. Only the code of that source is loaded. */
export async function chooseSource(settings: Settings, logger: Logger): Promise<VersionSource> {
  if (settings.get("VENUE_ENGINE") === "trino")
    return (await import("./shown-source.ts")).createShownSource(settings, logger);
  return (await import("./published-source.ts")).createPublishedSource(settings);
}
