import type { SqlColumn, SqlParameter, SqlStream } from "../../engines/engine.ts";
import type { SqlValue } from "../../engines/sql-values.ts";
import { KnownRows, keyOf } from "./known-rows.ts";
import type { PublishedMart } from "./published-mart.ts";

interface Streamed {
  columns: SqlColumn[];
  rows: readonly SqlValue[][];
}

/**
 * The same, but what a statement gave it gives again where it is asked twice, as a version stays as it is. Nobody may change
 * the rows.
 * @param known of this version. @default what is asked from here on
 */
export function rememberRows(mart: PublishedMart, known = new KnownRows()): PublishedMart {
  return {
    ...mart,
    all: async <Row>(sql: string, parameters: readonly SqlParameter[] = []) => {
      const key = keyOf("all", sql, parameters);
      const rows = known.find<Row[]>(key) ?? (await mart.all<Row>(sql, parameters));
      known.keep(key, rows, rows.length);
      return rows;
    },
    stream: async (sql, parameters = []) => {
      const key = keyOf("stream", sql, parameters);
      const streamed = known.find<Streamed>(key);
      if (streamed) return { columns: streamed.columns, rows: inTurn(streamed.rows) };
      const stream = await mart.stream(sql, parameters);
      const { columns } = stream;
      const keep = (rows: SqlValue[][]) => known.keep(key, { columns, rows } satisfies Streamed, rows.length);
      return { ...stream, rows: keepAll(stream.rows, known.mostRows, keep) };
    },
  };
}

async function* inTurn<Row>(rows: readonly Row[]): AsyncIterableIterator<Row> {
  yield* rows;
}

/** Keeps what was read to its end, unless it is too much. */
async function* keepAll(
  rows: SqlStream["rows"],
  most: number,
  keep: (all: SqlValue[][]) => void,
): SqlStream["rows"] {
  let kept: SqlValue[][] | undefined = [];
  for await (const row of rows) {
    if (kept?.push(row) === most + 1) kept = undefined;
    yield row;
  }
  if (kept) keep(kept);
}
