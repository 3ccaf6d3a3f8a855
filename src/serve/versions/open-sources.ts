import type { Settings } from "../../config/settings.ts";
import type { Logger } from "../../util/logger.ts";
import type { VersionSources } from "./version-source.ts";

/** Opens the source selected by the settings. Only that source's code is loaded. */
export async function openSources(settings: Settings, logger: Logger): Promise<VersionSources> {
  if (settings.get("VENUE_ENGINE") === "trino") {
    const { createShownSource } = await import("./shown-source.ts");
    return { source: createShownSource(settings, logger), close: () => undefined };
  }
  return await (await import("./published-source.ts")).openPublishedSources(settings);
}
