import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import type { Engine } from "../engines/engine.ts";
import { sqlTimestamp } from "../engines/sql-text.ts";
import { runScript } from "../engines/statements.ts";
import { findManifest } from "../mart/manifest.ts";
import { findCurrentVersion, listVersions, versionNumber } from "../mart/published-versions.ts";
import { readSql } from "../util/files/package-files.ts";
import { hasMartTable } from "./find-losses.ts";
import { listIntactFiles, readFiles, type WrittenVersion } from "./version-files.ts";

/** Table of the mart from which published totals are recorded. */
const playDays = "fact_play_zone_day";

/** Completes a killed publish: records the version as published if readers see it, and discards it otherwise. */
export async function finishKilledPublish(publishedFolder: string, warehouse: DuckDb): Promise<void> {
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

/**
 * Runs `body` with the published play days; reads them from the version's files if the mart's table is lost.
 */
async function withPlayDays(
  warehouse: DuckDb,
  published: WrittenVersion,
  body: () => Promise<void>,
): Promise<void> {
  if (await hasMartTable(warehouse, playDays)) return await body();
  const files = await listIntactFiles(published, playDays);
  await warehouse.run(
    `create table mart.${playDays} (kind varchar, date date, plays bigint, play_seconds bigint)`,
  );
  if (files.length > 0)
    await warehouse.run(`insert into mart.${playDays} by name
      select kind, date, plays, play_seconds from ${readFiles(files)}`);
  await body();
  await warehouse.run(`drop table mart.${playDays}`);
}

/** Returns the folder for an incomplete version. */
export function unfinishedFolder(publishedFolder: string, version: string): string {
  return join(publishedFolder, `.unfinished-${version}`);
}

/** Removes leftovers of killed publishes. Only the holder of the run lock may call this. */
export function removeUnfinished(publishedFolder: string): void {
  if (!existsSync(publishedFolder)) return;
  for (const name of readdirSync(publishedFolder)) {
    if (name.startsWith(".unfinished-") || /^current(\.\d+)?\.new$/.test(name)) {
      rmSync(join(publishedFolder, name), { recursive: true, force: true });
    }
  }
}

export async function recordPublished(warehouse: DuckDb, version: string, publishedAt: Date): Promise<void> {
  await warehouse.transaction(() => writePublished(warehouse, version, publishedAt));
}

/**
 * Records the published totals, from which the next version determines its restatements and unchanged
 * months.
 */
export async function writePublished(engine: Engine, version: string, publishedAt: Date): Promise<void> {
  await runScript(engine, readSql("publish/record_published.sql"));
  await engine.run("update core.version set published_at = cast(? as timestamp(6)) where version = ?", [
    sqlTimestamp(publishedAt),
    version,
  ]);
}
