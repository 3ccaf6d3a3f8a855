import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { findManifest } from "../../mart/manifest.ts";
import { findCurrentVersion, listVersions, versionNumber } from "../../mart/published-versions.ts";
import { hasMartTable } from "../has-mart-table.ts";
import { listSoundFiles, readFiles, type WrittenVersion } from "../version-files.ts";
import { writePublished } from "./record-published.ts";

/** What is written down of a published version is read from this table of the mart. */
const playDays = "fact_play_zone_day";

/**
 * Settles what a publish that was killed left half done. Killed after readers got the version: what was left is to write that
 * down. Killed before: it never was.
 */
export async function settleKilledPublish(publishedFolder: string, warehouse: DuckDb): Promise<void> {
  const pending = await warehouse.find<{ version: string; builtAt: string }>(
    'select version, built_at as "builtAt" from core.version where published_at is null',
  );
  if (!pending) return;
  const { version, builtAt } = pending;
  const current = findCurrentVersion(publishedFolder);
  const folder = join(publishedFolder, version);
  const manifest = current === version ? findManifest(folder) : undefined;
  if (manifest && Date.parse(manifest.built_at) === Date.parse(`${builtAt.replace(" ", "T")}Z`)) {
    await warehouse.transaction(() =>
      withPlayDays(warehouse, { folder, manifest }, () =>
        writePublished(warehouse, version, new Date(manifest.built_at)),
      ),
    );
  } else if (
    listVersions(publishedFolder).includes(version) &&
    (current === undefined || versionNumber(version) > versionNumber(current))
  ) {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where the mart is lost, the version's own files stand in for it meanwhile. */
async function withPlayDays(
  warehouse: DuckDb,
  published: WrittenVersion,
  body: () => Promise<void>,
): Promise<void> {
  if (await hasMartTable(warehouse, playDays)) return await body();
  const files = await listSoundFiles(published, playDays);
  await warehouse.run(
    `create table mart.${playDays} (kind varchar, date date, plays bigint, play_seconds bigint)`,
  );
  if (files.length > 0)
    await warehouse.run(`insert into mart.${playDays} by name
      select kind, date, plays, play_seconds from ${readFiles(files)}`);
  await body();
  await warehouse.run(`drop table mart.${playDays}`);
}
