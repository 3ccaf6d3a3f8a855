import type { Settings } from "../../config/settings.ts";
import { UnknownVersionError } from "../../mart/errors.ts";
import { findShownNow, openShown } from "../../report/published/with-shown.ts";
import type { Logger } from "../../util/logger.ts";
import type { VersionSource } from "./version-source.ts";

/** Creates a source of the versions that a cluster has published. A cluster keeps all of them. */
export function createShownSource(settings: Settings, logger: Logger): VersionSource {
  const known = new Set<string>();
  const open = async (asOf: string) => {
    const opened = await openShown(settings, { asOf, logger });
    known.add(asOf);
    return opened;
  };
  return {
    findCurrent: () => findShownNow(settings, logger),
    async isKept(version) {
      if (known.has(version)) return true;
      try {
        (await open(version)).close();
        return true;
      } catch (error) {
        if (error instanceof UnknownVersionError) return false;
        throw error;
      }
    },
    getStamp: async (version) => version,
    async open(asOf, readers) {
      const { version, martFor, close } = await open(asOf);
      return { version, marts: Array.from({ length: readers }, () => martFor), close };
    },
  };
}
