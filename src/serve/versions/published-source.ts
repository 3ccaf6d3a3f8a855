import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DataFolder } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { NothingPublishedError } from "../../mart/errors.ts";
import { manifestName } from "../../mart/manifest.ts";
import { findCurrentVersion } from "../../mart/published-versions.ts";
import { openForReaders, openForVersions } from "../../report/published/open-published.ts";
import { findMessages, findUnfinished } from "../../report/published/run-state.ts";
import type { ShareFilter } from "../../state/data/shares.ts";
import type { VersionSource, VersionSources } from "./version-source.ts";

/** Opens sources of the versions published on this machine, which share one memory limit. They write nothing and take no lock. */
export async function openPublishedSources(settings: Settings): Promise<VersionSources> {
  const { published, temp } = new DataFolder(settings.get("VENUE_DATA_DIR"));
  const threads = settings.find("VENUE_THREADS");
  const database = await openForVersions(published, {
    memoryLimit: settings.get("VENUE_MEMORY_LIMIT"),
    tempDir: temp,
    ...(threads === undefined ? {} : { threads }),
  });
  return {
    source: createSource(settings, database),
    ofShare: (share) => createSource(settings, database, share),
    close: () => database.close(),
  };
}

/** @param share limits versions to its rows, and leaves out runs and messages */
function createSource(settings: Settings, database: DuckDb, share?: ShareFilter): VersionSource {
  const { published, stateFile } = new DataFolder(settings.get("VENUE_DATA_DIR"));
  return {
    async findCurrent() {
      const current = findCurrentVersion(published);
      if (current === undefined) throw new NothingPublishedError(published);
      return current;
    },
    isKept: async (version) => existsSync(join(published, version)),
    async getStamp(version) {
      const manifest = statSync(join(published, version, manifestName), { throwIfNoEntry: false });
      return manifest ? `${manifest.dev} ${manifest.ino} ${manifest.mtimeMs}` : "";
    },
    async open(asOf, readers) {
      const opened = await openForReaders(published, { asOf, readers, share, within: database });
      if (share !== undefined) return opened;
      const marts = opened.marts.map((martFor): (typeof opened.marts)[number] => (signal) => ({
        ...martFor(signal),
        findUnfinished: () => findUnfinished(stateFile),
        listUndelivered: async (now) => (await findMessages(stateFile, now)).undelivered,
      }));
      return { ...opened, marts };
    },
  };
}
