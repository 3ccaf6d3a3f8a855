import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { incrementVersion, listVersions } from "../../mart/published-versions.ts";
import { withFolderErrors } from "../errors.ts";
import { finishKilledPublish, removeUnfinished } from "../finish-killed-publish.ts";

/**
 * Returns the name of the version to build next, e.g. `v000008`. Call it before each build, because it first
 * completes or discards a killed publish, whose changes the build would otherwise mix with its own.
 * @throws {VenueError} `PUBLISH_FOLDER_UNUSABLE` if the folder cannot be read or written
 */
export async function prepareNextVersion(publishedFolder: string, warehouse: DuckDb): Promise<string> {
  return await withFolderErrors(publishedFolder, async () => {
    removeUnfinished(publishedFolder);
    await finishKilledPublish(publishedFolder, warehouse);
    const known = await warehouse.all<{ version: string }>(
      "select version from core.version where published_at is not null",
    );
    return incrementVersion([...listVersions(publishedFolder), ...known.map(({ version }) => version)]);
  });
}
