import { realpathSync } from "node:fs";
import { join } from "node:path";
import { buildMart } from "../../src/build/build-mart.ts";
import { DuckDb } from "../../src/engines/duckdb.ts";
import { type PublishOptions, type PublishSummary, publishMart } from "../../src/publish/publish-mart.ts";
import { nextVersion } from "../../src/publish/versions/next-version.ts";
import { silentLogger } from "../../src/util/logger.ts";
import { buildOptions } from "../build/build-options.ts";
import { type CoreRow, insertCoreRows } from "../support/core-rows.ts";
import { openNewWarehouse } from "../support/new-warehouse.ts";
import { createTempFolder } from "../support/temp-folder.ts";

type Layout = Pick<PublishOptions, "rowsPerFile">;

/** A warehouse and the folder that it publishes into. */
export class PublishedWarehouse {
  readonly warehouse: DuckDb;
  readonly folder: string;

  private constructor(warehouse: DuckDb, folder: string) {
    this.warehouse = warehouse;
    this.folder = folder;
  }

  static async open(): Promise<PublishedWarehouse> {
    const folder = createTempFolder();
    return new PublishedWarehouse(await openNewWarehouse(), join(folder, "published"));
  }

  /** The same folder, published into from another warehouse. */
  publishingFrom(warehouse: DuckDb): PublishedWarehouse {
    return new PublishedWarehouse(warehouse, this.folder);
  }

  /** Adds plays, and marks their days as a load would. */
  async addPlays(plays: readonly CoreRow[]): Promise<void> {
    await insertCoreRows(this.warehouse, "play", plays);
    const days = plays.map((play) => ({
      kind: play.kind ?? "",
      date: String(play.played_at).slice(0, "YYYY-MM-DD".length),
    }));
    await insertCoreRows(this.warehouse, "dirty_day", days);
  }

  async build(isFull = false): Promise<string> {
    const version = await nextVersion(this.folder, this.warehouse);
    await buildMart(this.warehouse, { ...buildOptions, version, isFull });
    return version;
  }

  async buildAndPublish(isFull = false, layout: Layout = {}): Promise<PublishSummary> {
    return await this.publish(await this.build(isFull), layout);
  }

  async publish(version: string, options: Layout & { acceptLoss?: boolean } = {}): Promise<PublishSummary> {
    const now = new Date("2026-11-21T09:00:00Z");
    return await publishMart(this.warehouse, {
      publishedFolder: this.folder,
      version,
      now,
      ...options,
      logger: silentLogger,
    });
  }

  /** Rows of the published files, read as anyone would; `{}` stands for the folder of the current version. */
  async read<Row>(sql: string): Promise<Row[]> {
    const reader = await DuckDb.open();
    try {
      return await reader.all<Row>(sql.replaceAll("{}", realpathSync(join(this.folder, "current"))));
    } finally {
      reader.close();
    }
  }
}

/** One play of a song. */
export function song(playedAt: string, zoneId = 1): CoreRow {
  return {
    kind: "music",
    zone_id: zoneId,
    item_id: 5,
    played_at: playedAt,
    duration_secs: 100,
    artist_id: 9,
  };
}
