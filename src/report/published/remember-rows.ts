import { LRUCache } from "lru-cache";
import type { SqlParameter } from "../../engines/engine.ts";
import type { SqlRow } from "../../engines/sql-text.ts";
import type { PublishedMart } from "./published-mart.ts";

export type RememberedRows = LRUCache<string, readonly SqlRow[]>;

export function createRememberedRows(): RememberedRows {
  return new LRUCache({
    max: 500,
    // Sizes are in rows. Larger results are not cached.
    maxSize: 20_000,
    maxEntrySize: 500,
    sizeCalculation: (rows) => rows.length + 1,
  });
}

/** Caches results, because a version never changes, and notes of different reports read the same tables. */
export function rememberRows(
  remembered: RememberedRows,
  read: (sql: string, parameters: readonly SqlParameter[]) => Promise<SqlRow[]>,
): PublishedMart["all"] {
  return async <Row>(sql: string, parameters: readonly SqlParameter[] = []) => {
    const key = [sql, ...parameters.map((value) => `${typeof value} ${value}`)].join("\0");
    let rows = remembered.get(key);
    if (rows === undefined) {
      rows = await read(sql, parameters);
      remembered.set(key, rows);
    }
    return rows.map((row) => ({ ...row })) as Row[];
  };
}
