import { join } from "node:path";
import { expect } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { fromFile } from "../../../src/engines/duckdb/file-types.ts";
import { listLoadedTables } from "../../../src/mart/loaded-tables.ts";
import { type CoreVersionSummary, writeCoreVersion } from "../../../src/publish/core/write-core-version.ts";
import { type CoreRow, insertCoreRows } from "../../support/core-rows.ts";
import { openNewWarehouse } from "../../support/new-warehouse.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

interface PublishOptions {
  beforeReveal?: () => void;
}

/** A warehouse whose `core` is published into a folder. */
export class PublishedCore {
  readonly warehouse: DuckDb;
  readonly coreFolder: string;

  constructor(warehouse: DuckDb, coreFolder = join(createTempFolder(), "core")) {
    this.warehouse = warehouse;
    this.coreFolder = coreFolder;
  }

  static async open(): Promise<PublishedCore> {
    return new PublishedCore(await openNewWarehouse());
  }

  /** Adds plays, and marks their days as a load does. */
  async addPlays(plays: readonly CoreRow[]): Promise<void> {
    await insertCoreRows(this.warehouse, "play", plays);
    const days = new Set(plays.map((play) => `${play.kind} ${String(play.played_at).slice(0, 10)}`));
    await this.mark(...days);
  }

  /** @param days as `kind date` */
  async mark(...days: string[]): Promise<void> {
    const rows = days.map((day) => ({ kind: day.split(" ")[0] ?? "", date: day.split(" ")[1] ?? "" }));
    await insertCoreRows(this.warehouse, "dirty_day", rows);
  }

  async fill(table: string, ...rows: CoreRow[]): Promise<void> {
    await insertCoreRows(this.warehouse, table, rows);
  }

  async publish(options: PublishOptions = {}): Promise<CoreVersionSummary> {
    const now = new Date("2026-11-21T09:00:00Z");
    return await writeCoreVersion(this.warehouse, { coreFolder: this.coreFolder, now, ...options });
  }

  /** Publishes, and expects exactly the warehouse's rows in every table. */
  async publishSame(): Promise<CoreVersionSummary> {
    const published = await this.publish();
    const reader = await DuckDb.open();
    try {
      for (const [table, select] of Object.entries(selectsOf(published))) {
        const list = (await reader.describe(select)).map(({ name }) => name).join(", ");
        const found = await reader.all(`select ${list} from (${select}) order by all`);
        const wanted = await this.warehouse.all(`select ${list} from core.${table} order by all`);
        expect(found, table).toEqual(wanted);
      }
    } finally {
      reader.close();
    }
    return published;
  }
}

/** Selects each table's rows in a version, in the types that models see, by table. */
export function selectsOf({
  folder,
  manifest,
}: Pick<CoreVersionSummary, "folder" | "manifest">): Record<string, string> {
  expect(Object.keys(manifest.tables).sort()).toEqual(listLoadedTables());
  return Object.fromEntries(
    Object.entries(manifest.tables).map(([table, { columns }]) => [
      table,
      `select ${columns.map(({ name, type }) => `${fromFile(name, type)} as ${name}`).join(", ")}
      from read_parquet('${folder}/${table}/**/*.parquet', hive_partitioning = false)`,
    ]),
  );
}
