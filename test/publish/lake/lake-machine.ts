import { expect } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { fetchLake } from "../../../src/lake/fetch-lake.ts";
import { computeMachineNumber } from "../../../src/lake/machine.ts";
import { openLake } from "../../../src/lake/read-lake.ts";
import { type PublishLakeSummary, publishLake } from "../../../src/publish/lake/publish-lake.ts";
import { publishStoredLake } from "../../../src/publish/lake/publish-stored-lake.ts";
import { openStorage } from "../../../src/storage/open-storage.ts";
import { isS3Url } from "../../../src/storage/s3-url.ts";
import { silentLogger as logger } from "../../../src/util/logger.ts";
import { type CoreRow, insertCoreRows } from "../../support/core-rows.ts";
import { openNewWarehouse } from "../../support/new-warehouse.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

/** Columns with ids that a warehouse assigns. */
const ownIds = ["load_id", "first_load_id", "last_load_id", "snapshot_id", "rule_id"];

/** A collecting machine: a warehouse, and the lake that it publishes into. */
export class LakeMachine {
  readonly name: string;
  /** Folder or `s3://` URL. */
  readonly lake: string;
  readonly warehouse: DuckDb;

  private constructor(name: string, lake: string, warehouse: DuckDb) {
    this.name = name;
    this.lake = lake;
    this.warehouse = warehouse;
  }

  static async open(name: string, lake: string): Promise<LakeMachine> {
    return LakeMachine.of(name, lake, await openNewWarehouse());
  }

  static of(name: string, lake: string, warehouse: DuckDb): LakeMachine {
    return new LakeMachine(name, lake, warehouse);
  }

  /** The same warehouse under another name. */
  as(name: string): LakeMachine {
    return LakeMachine.of(name, this.lake, this.warehouse);
  }

  /** Another warehouse under the same name. */
  from(warehouse: DuckDb): LakeMachine {
    return LakeMachine.of(this.name, this.lake, warehouse);
  }

  async add(table: string, ...rows: readonly CoreRow[]): Promise<void> {
    await insertCoreRows(this.warehouse, table, rows);
  }

  async publish(
    options: { acceptLoss?: boolean; onProgress?: (path: string) => void } = {},
  ): Promise<PublishLakeSummary> {
    const common = {
      machine: this.name,
      now: new Date("2026-11-21T09:00:00Z"),
      softwareVersion: "1.2.3",
      logger,
      ...options,
    };
    if (!isS3Url(this.lake)) return await publishLake(this.warehouse, { lake: this.lake, ...common });
    const [storage, tempFolder] = [await openStorage(this.lake), createTempFolder()];
    return await publishStoredLake(this.warehouse, { storage, tempFolder, ...common });
  }

  /** Expects this machine's rows in the lake to equal its warehouse, in every table. */
  async expectSame(reader: DuckDb): Promise<void> {
    const tables = await reader.all<{ table: string }>(
      "select view_name as \"table\" from duckdb_views() where database_name = 'lake' and not internal",
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { table } of tables) {
      const list = await reader.all<{ name: string; type: string }>(
        `select column_name as name, column_type as type from (describe lake.${table}) where column_name <> 'machine'`,
      );
      const values = list.map(({ name, type }) => {
        const value = ownIds.includes(name)
          ? `${name} + ${computeMachineNumber(this.name)}::bigint * 4294967296`
          : name;
        return `cast(${value} as ${type}) as ${name}`;
      });
      const names = list.map(({ name }) => name).join(", ");
      const order = `order by ${list.map((_, index) => index + 1).join(", ")}`;
      expect(
        [
          table,
          await reader.all(`select ${names} from lake.${table} where machine = ? ${order}`, [this.name]),
        ],
        table,
      ).toEqual([table, await this.warehouse.all(`select ${values.join(", ")} from core.${table} ${order}`)]);
    }
  }
}

/** @param lake folder or `s3://` URL */
export async function readLake<Result>(
  lake: string,
  body: (reader: DuckDb) => Promise<Result>,
): Promise<Result> {
  const folder = isS3Url(lake) ? createTempFolder() : lake;
  if (folder !== lake)
    await fetchLake(await openStorage(lake), folder, { limitBytes: 1e9, onProgress: () => {} });
  const reader = await DuckDb.open();
  try {
    await openLake(reader, folder);
    return await body(reader);
  } finally {
    reader.close();
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
    first_load_id: 1,
    last_load_id: 2,
  };
}
