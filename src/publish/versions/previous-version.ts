import { join } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { sqlTimestamp } from "../../engines/sql-text.ts";
import { findManifest, type Manifest } from "../../mart/manifest.ts";
import { findCurrentVersion } from "../../mart/published-versions.ts";
import { type Topic, topics, topicTables } from "../../mart/topic.ts";

/** The previous version, whose files of unchanged months are reused. */
export interface PreviousVersion {
  folder: string;
  manifest: Manifest;
  /** Local dates (`YYYY-MM-DD`) that changed since this version, keyed by topic. */
  changedDates: Readonly<Record<Topic, readonly string[]>>;
}

/**
 * Finds the published version if this warehouse published it last, because only then are the changed days
 * known. Returns `undefined` if the folder was emptied, swapped or rolled back; then everything is written.
 */
export async function findPreviousVersion(
  warehouse: DuckDb,
  publishedFolder: string,
): Promise<PreviousVersion | undefined> {
  const current = findCurrentVersion(publishedFolder);
  const { newest } = await warehouse.get<{ newest: string | null }>(
    "select max(version) as newest from core.version where published_at is not null",
  );
  if (current === undefined || current !== newest) return undefined;
  const folder = join(publishedFolder, current);
  const manifest = findManifest(folder);
  if (manifest?.version !== current || !(await hasPublished(warehouse, manifest))) return undefined;
  const changedDates: Record<Topic, string[]> = { plays: [], campaigns: [], devices: [] };
  for (const topic of topics) {
    const changed = await warehouse.all<{ date: string }>(
      `select distinct date from ${topicTables[topic].unpublished} order by date`,
    );
    changedDates[topic] = changed.map(({ date }) => date);
  }
  return { folder, manifest, changedDates };
}

/**
 * Returns true if this warehouse published the version. Compares name and instant, because another warehouse
 * continues the version numbers that it finds in the folder.
 */
export async function hasPublished(
  warehouse: DuckDb,
  { version, built_at: builtAt }: Manifest,
): Promise<boolean> {
  const known = await warehouse.find(
    `select version from core.version
    where version = ? and built_at = cast(? as timestamp) and published_at is not null`,
    [version, sqlTimestamp(new Date(builtAt))],
  );
  return known !== undefined;
}
