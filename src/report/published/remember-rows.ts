import type { SqlColumn, SqlParameter, SqlStream } from "../../engines/engine.ts";
import type { SqlValue } from "../../engines/sql-text.ts";
import { type KnownAnswer, KnownRows } from "./known-rows.ts";
import type { PublishedMart } from "./published-mart.ts";

/**
 * The same, but what a statement gave it gives again where it is asked twice, as a version stays as it is. Nobody may change
 * the rows.
 * @param known of this version. @default what is asked from here on
 */
export function rememberRows(mart: PublishedMart, known = new KnownRows()): PublishedMart {
  return {
    ...mart,
    all: async <Row>(sql: string, parameters: readonly SqlParameter[] = []) => {
      const answer = known.find(sql, parameters);
      if (answer) return answer.rows.map((row) => objectOf(answer.columns, row) as Row);
      const rows = await mart.all<Record<string, SqlValue>>(sql, parameters);
      if (rows.length <= known.mostRows) known.keep(sql, parameters, valuesOf(rows));
      return rows as Row[];
    },
    stream: async (sql, parameters = []) => {
      const answer = known.find(sql, parameters);
      if (answer) return { columns: answer.columns, rows: inTurn(answer.rows) };
      const stream = await mart.stream(sql, parameters);
      const { columns } = stream;
      const keep = (rows: SqlValue[][]) => known.keep(sql, parameters, { columns, rows });
      return { ...stream, rows: keepAll(stream.rows, known.mostRows, keep) };
    },
  };
}

function objectOf(columns: readonly SqlColumn[], row: readonly SqlValue[]): Record<string, SqlValue> {
  return Object.fromEntries(columns.map(({ name }, place) => [name, row[place] ?? null]));
}

function valuesOf(rows: readonly Record<string, SqlValue>[]): KnownAnswer {
  const names = Object.keys(rows[0] ?? {});
  return {
    // Reports know the types of their columns themselves.
    columns: names.map((name) => ({ name, type: "" })),
    rows: rows.map((row) => names.map((name) => row[name] ?? null)),
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
