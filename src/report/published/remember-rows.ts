import { LRUCache } from "lru-cache";
import type { SqlParameter } from "../../engines/engine.ts";
import type { SqlRow } from "../../engines/sql-text.ts";
import type { PublishedMart } from "./published-mart.ts";

export type RememberedRows = LRUCache<string, readonly SqlRow[]>;

/** Rows of all results together, and of one result. Larger results are read again. */
const [maxRows, maxRowsOfResult] = [20_000, 500];

export function createRememberedRows(): RememberedRows {
  return new LRUCache({
    maxSize: maxRows,
    maxEntrySize: maxRowsOfResult,
    sizeCalculation: (rows) => rows.length + 1,
  });
}

/** Returns each result from memory when it is asked for again: a version never changes, and all its reports have notes on the same tables. */
export function rememberRows(
  remembered: RememberedRows,
  read: (sql: string, parameters: readonly SqlParameter[]) => Promise<SqlRow[]>,
): PublishedMart["all"] {
  return async <Row>(sql: string, parameters: readonly SqlParameter[] = []) => {
    const key = [sql, ...parameters.map((value) => `${typeof value} ${value}`)].join("\0");
    const rows = remembered.get(key) ?? (await read(sql, parameters));
    remembered.set(key, rows);
    return rows.map((row) => ({ ...row })) as Row[];
  };
}
