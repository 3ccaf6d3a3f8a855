import type { Settings } from "../../config/settings.ts";
import type { Logger } from "../../util/logger.ts";
import type { VersionSource } from "./version-source.ts";

/** The one that the settings name. Its code, and what that needs, is loaded only then. */
export async function chooseSource(settings: Settings, logger: Logger): Promise<VersionSource> {
  if (settings.get("VENUE_ENGINE") === "trino")
    return (await import("./shown-source.ts")).shownSource(settings, logger);
  return (await import("./published-source.ts")).publishedSource(settings);
}
