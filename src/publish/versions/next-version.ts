import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { findManifest } from "../../mart/manifest.ts";
import {
  findCurrentVersion,
  listVersions,
  versionAfter,
  versionNumber,
} from "../../mart/published-versions.ts";
import { translatingFolderErrors } from "../publish-folder-error.ts";
import { recordPublished } from "./record-published.ts";
import { removeUnfinished } from "./sweep-versions.ts";

/**
 * The name of the version to build next, e.g. `v000008`. To be asked before each build: it first settles what a
 * publish that was killed left half done, which the build would otherwise mix with its own changes.
 * @throws {PublishFolderError} when the folder can't be read or written
 */
export async function nextVersion(publishedFolder: string, warehouse: DuckDb): Promise<string> {
  return await translatingFolderErrors(publishedFolder, async () => {
    removeUnfinished(publishedFolder);
    await settleKilledPublish(publishedFolder, warehouse);
    const known = await warehouse.all<{ version: string }>(
      "select version from core.version where published_at is not null",
    );
    return versionAfter([...listVersions(publishedFolder), ...known.map(({ version }) => version)]);
  });
}

/** Killed after readers got the version: what was left is to write that down. Killed before: it never was. */
async function settleKilledPublish(publishedFolder: string, warehouse: DuckDb): Promise<void> {
  const pending = await warehouse.find<{ version: string; builtAt: string }>(
    'select version, built_at as "builtAt" from core.version where published_at is null',
  );
  if (!pending) return;
  const current = findCurrentVersion(publishedFolder);
  const manifest = current === pending.version ? findManifest(join(publishedFolder, current)) : undefined;
  if (manifest && Date.parse(manifest.built_at) === Date.parse(`${pending.builtAt.replace(" ", "T")}Z`)) {
    await recordPublished(warehouse, pending.version, new Date(manifest.built_at));
  } else if (
    listVersions(publishedFolder).includes(pending.version) &&
    (current === undefined || versionNumber(pending.version) > versionNumber(current))
  ) {
    rmSync(join(publishedFolder, pending.version), { recursive: true, force: true });
  }
}
