import { createHash } from "node:crypto";
import type { SqlColumn, SqlParameter, SqlStream } from "../../engines/engine.ts";
import { type SqlValue, sqlName } from "../../engines/sql-text.ts";
import type { PublishedMart } from "./published-mart.ts";

/** Maximum rows of one result. */
const maxRows = 2_000;
/** Maximum rows of all results, some 20 MB. Each result counts as at least ten rows. */
const maxTotalRows = 40_000;
const minCountedRows = 10;

interface CachedResult {
  columns: SqlColumn[];
  rows: readonly SqlValue[][];
}

/** LRU cache for small query results from one version. */
export class RowCache {
  /** Least recently used first. */
  readonly #results = new Map<string, CachedResult>();
  #count = 0;

  readonly maxRows = maxRows;

  find(sql: string, parameters: readonly SqlParameter[]): CachedResult | undefined {
    const key = createKey(sql, parameters);
    const result = this.#results.get(key);
    if (!result) return undefined;
    this.#results.delete(key);
    this.#results.set(key, result);
    return result;
  }

  store(sql: string, parameters: readonly SqlParameter[], result: CachedResult): void {
    const key = createKey(sql, parameters);
    if (result.rows.length > maxRows || this.#results.has(key)) return;
    this.#results.set(key, result);
    this.#count += countRows(result);
    for (const [oldest, other] of this.#results) {
      if (this.#count <= maxTotalRows) break;
      this.#results.delete(oldest);
      this.#count -= countRows(other);
    }
  }
}

function countRows({ rows }: CachedResult): number {
  return Math.max(rows.length, minCountedRows);
}

function createKey(sql: string, parameters: readonly SqlParameter[]): string {
  const values = parameters.map((value) => (typeof value === "bigint" ? `${value}n` : value));
  return createHash("sha256")
    .update(JSON.stringify([sql, values]))
    .digest("base64");
}

/** Caches results of a version, which never change. Callers must not modify the rows. */
export function cacheRows(mart: PublishedMart, cache = new RowCache()): PublishedMart {
  return {
    ...mart,
    all: async <Row>(sql: string, parameters: readonly SqlParameter[] = []) => {
      const result = cache.find(sql, parameters);
      if (result) return result.rows.map((row) => toObject(result.columns, row) as Row);
      const rows = await mart.all<Record<string, SqlValue>>(sql, parameters);
      if (rows.length <= cache.maxRows) cache.store(sql, parameters, toResult(rows));
      return rows as Row[];
    },
    stream: async (sql, parameters = []) => {
      const result = cache.find(sql, parameters);
      if (result) return { columns: result.columns, rows: iterate(result.rows) };
      const stream = await mart.stream(sql, parameters);
      const { columns } = stream;
      const store = (rows: SqlValue[][]) => cache.store(sql, parameters, { columns, rows });
      return { ...stream, rows: storeAtEnd(stream.rows, cache.maxRows, store) };
    },
  };
}

function toObject(columns: readonly SqlColumn[], row: readonly SqlValue[]): Record<string, SqlValue> {
  return Object.fromEntries(columns.map(({ name }, place) => [name, row[place] ?? null]));
}

function toResult(rows: readonly Record<string, SqlValue>[]): CachedResult {
  const names = Object.keys(rows[0] ?? {});
  return {
    // Types stay empty, because reports determine their column types themselves.
    columns: names.map((name) => ({ name, type: "" })),
    rows: rows.map((row) => names.map((name) => row[name] ?? null)),
  };
}

async function* iterate<Row>(rows: readonly Row[]): AsyncIterableIterator<Row> {
  yield* rows;
}

/** Caches rows once they are read to the end, unless there are too many. */
async function* storeAtEnd(
  rows: SqlStream["rows"],
  limit: number,
  store: (all: SqlValue[][]) => void,
): SqlStream["rows"] {
  let kept: SqlValue[][] | undefined = [];
  for await (const row of rows) {
    if (kept?.push(row) === limit + 1) kept = undefined;
    yield row;
  }
  if (kept) store(kept);
}

export interface RowOrder {
  /**
   * `isDown` puts the largest or last first. The other columns break ties, so that both engines return the
   * same order.
   */
  sort?: { column: string; isDown: boolean; others: readonly string[] } | undefined;
  /** Only rows that contain this text in one of the columns, ignoring case. */
  search?: { text: string; columns: readonly string[] } | undefined;
}

/** Sorts or filters the rows that a mart streams, by the column names of its statements. */
export function sortRows(mart: PublishedMart, order: RowOrder): PublishedMart {
  if (!order.sort && !order.search) return mart;
  return {
    ...mart,
    stream: (sql, parameters = []) => mart.stream(...buildSorted(sql, parameters, order)),
  };
}

function buildSorted(
  sql: string,
  parameters: readonly SqlParameter[],
  { sort, search }: RowOrder,
): [sql: string, parameters: SqlParameter[]] {
  const found = search?.columns.map(
    (column) =>
      `position(lower(cast(? as varchar)) in lower(coalesce(cast(${sqlName(column)} as varchar), ''))) > 0`,
  );
  const parts = [
    `select * from (\n${sql}\n) as found`,
    ...(found ? [`where ${found.length > 0 ? found.join(" or ") : "false"}`] : []),
    ...(sort ? [buildOrderBy(sort)] : []),
  ];
  return [parts.join("\n"), [...parameters, ...(search?.columns.map(() => search.text) ?? [])]];
}

function buildOrderBy({ column, isDown, others }: NonNullable<RowOrder["sort"]>): string {
  const ties = others.filter((other) => other !== column).map((other) => `${sqlName(other)} asc nulls last`);
  return `order by ${[`${sqlName(column)} ${isDown ? "desc" : "asc"} nulls last`, ...ties].join(", ")}`;
}
