import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { type PublishOptions, type PublishSummary, publishMart } from "../../src/publish/publish-mart.ts";
import { prepareNextVersion } from "../../src/publish/versions/next-version.ts";
import { silentLogger } from "../../src/util/logger.ts";
import { buildOptions } from "../build/build-options.ts";
import { type CoreRow, insertCoreRows } from "../support/core-rows.ts";
import { openNewWarehouse, openWarehouseOf } from "../support/new-warehouse.ts";
import { createTempFolder, tempPrefix } from "../support/temp-folder.ts";

const copyOptions = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };

type Layout = Pick<PublishOptions, "rowsPerFile">;

export class PublishedWarehouse {
  readonly warehouse: DuckDb;
  readonly folder: string;
  #last: PublishSummary | undefined;

  private constructor(warehouse: DuckDb, folder: string, last?: PublishSummary) {
    this.warehouse = warehouse;
    this.folder = folder;
    this.#last = last && { ...last, folder: join(folder, last.version) };
  }

  static async open(): Promise<PublishedWarehouse> {
    const folder = createTempFolder();
    return new PublishedWarehouse(await openNewWarehouse({ folder }), join(folder, "published"));
  }

  /** Runs `fill` once per test file; each call returns a separate copy of warehouse and folder. */
  static prepareCopies(
    fill: (published: PublishedWarehouse) => Promise<unknown>,
  ): () => Promise<PublishedWarehouse> {
    let kept: string | undefined;
    afterAll(() => {
      if (kept) rmSync(kept, { recursive: true, force: true });
    });
    const fillFirst = async () => {
      const first = await PublishedWarehouse.open();
      await fill(first);
      first.warehouse.close();
      kept = mkdtempSync(join(tmpdir(), tempPrefix));
      const publishedFolder = join(kept, "published");
      if (existsSync(first.folder)) cpSync(first.folder, publishedFolder, copyOptions);
      const database = readFileSync(join(first.folder, "..", "warehouse.duckdb"));
      return { database, publishedFolder, last: first.#last };
    };
    let filled: ReturnType<typeof fillFirst> | undefined;
    return async () => {
      filled ??= fillFirst();
      const { database, publishedFolder, last } = await filled;
      const folder = createTempFolder();
      if (last) cpSync(publishedFolder, join(folder, "published"), copyOptions);
      return new PublishedWarehouse(
        await openWarehouseOf(database, { folder }),
        join(folder, "published"),
        last,
      );
    };
  }

  get last(): PublishSummary {
    if (!this.#last) throw new Error("nothing was published");
    return this.#last;
  }

  /** The same folder, published into from another warehouse. */
  publishingFrom(warehouse: DuckDb): PublishedWarehouse {
    return new PublishedWarehouse(warehouse, this.folder);
  }

  /** Adds plays, and marks their days as a load does. */
  async addPlays(plays: readonly CoreRow[]): Promise<void> {
    await insertCoreRows(this.warehouse, "play", plays);
    const days = plays.map((play) => String(play.played_at).slice(0, "YYYY-MM-DD".length));
    await this.markDirty(days, plays[0]?.kind ?? "");
  }

  /** Adds a complete export without lines, which completes the history of days that had ended by then. */
  async addExport(requestedAt: string): Promise<void> {
    const whole = { source: "export", kind: "music", group_id: 1, is_complete: true };
    await insertCoreRows(this.warehouse, "load", [{ ...whole, load_id: 1, requested_at: requestedAt }]);
  }

  async markDirty(dates: readonly string[], kind: CoreRow[string] = "music"): Promise<void> {
    await insertCoreRows(
      this.warehouse,
      "dirty_day",
      [...new Set(dates)].map((date) => ({ kind, date })),
    );
  }

  async build(isFull = false): Promise<string> {
    const version = await prepareNextVersion(this.folder, this.warehouse);
    await buildMart(this.warehouse, { ...buildOptions, version, isFull });
    return version;
  }

  async buildAndPublish(isFull = false, layout: Layout = {}): Promise<PublishSummary> {
    return await this.publish(await this.build(isFull), layout);
  }

  async publish(version: string, options: Layout & { acceptLoss?: boolean } = {}): Promise<PublishSummary> {
    const now = new Date("2026-11-21T09:00:00Z");
    this.#last = await publishMart(this.warehouse, {
      publishedFolder: this.folder,
      version,
      now,
      ...options,
      logger: silentLogger,
    });
    return this.#last;
  }

  /** Rows of the published files, read with plain DuckDB; `{}` is the folder of the current version. */
  async read<Row>(sql: string): Promise<Row[]> {
    const reader = await DuckDb.open();
    try {
      return await reader.all<Row>(sql.replaceAll("{}", realpathSync(join(this.folder, "current"))));
    } finally {
      reader.close();
    }
  }
}

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
