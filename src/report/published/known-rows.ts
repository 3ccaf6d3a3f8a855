import { createHash } from "node:crypto";
import type { SqlColumn, SqlParameter, SqlStream } from "../../engines/engine.ts";
import { type SqlValue, sqlName } from "../../engines/sql-text.ts";
import type { PublishedMart } from "./published-mart.ts";

/** Maximum rows of one result. */
const mostRows = 2_000;
/** Maximum rows of all results, some 20 MB. Each result counts as at least ten rows. */
const mostRowsOfAll = 40_000;
const leastRows = 10;

interface KnownAnswer {
  columns: SqlColumn[];
  rows: readonly SqlValue[][];
}

/** LRU cache of small query results of one version. */
export class KnownRows {
  /** Least recently used first. */
  readonly #answers = new Map<string, KnownAnswer>();
  #count = 0;

  readonly mostRows = mostRows;

  find(sql: string, parameters: readonly SqlParameter[]): KnownAnswer | undefined {
    const key = keyOf(sql, parameters);
    const answer = this.#answers.get(key);
    if (!answer) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    return answer;
  }

  keep(sql: string, parameters: readonly SqlParameter[], answer: KnownAnswer): void {
    const key = keyOf(sql, parameters);
    if (answer.rows.length > mostRows || this.#answers.has(key)) return;
    this.#answers.set(key, answer);
    this.#count += countOf(answer);
    for (const [oldest, other] of this.#answers) {
      if (this.#count <= mostRowsOfAll) break;
      this.#answers.delete(oldest);
      this.#count -= countOf(other);
    }
  }
}

function countOf({ rows }: KnownAnswer): number {
  return Math.max(rows.length, leastRows);
}

function keyOf(sql: string, parameters: readonly SqlParameter[]): string {
  const values = parameters.map((value) => (typeof value === "bigint" ? `${value}n` : value));
  return createHash("sha256")
    .update(JSON.stringify([sql, values]))
    .digest("base64");
}

/** Caches results of a version, which never change. Callers must not modify the rows. */
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
    // Reports determine their column types themselves.
    columns: names.map((name) => ({ name, type: "" })),
    rows: rows.map((row) => names.map((name) => row[name] ?? null)),
  };
}

async function* inTurn<Row>(rows: readonly Row[]): AsyncIterableIterator<Row> {
  yield* rows;
}

/** Caches rows once they are read to the end, unless there are too many. */
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

export interface RowOrder {
  /** `isDown` puts the largest or last first. The other columns break ties, alike in both engines. */
  sort?: { column: string; isDown: boolean; others: readonly string[] } | undefined;
  /** Only rows that contain this text in one of the columns, ignoring case. */
  search?: { text: string; columns: readonly string[] } | undefined;
}

/** Sorts or filters the streams of a mart. Columns are those of the statements. */
export function sortedRows(mart: PublishedMart, order: RowOrder): PublishedMart {
  if (!order.sort && !order.search) return mart;
  return {
    ...mart,
    stream: (sql, parameters = []) => mart.stream(...sortedStatement(sql, parameters, order)),
  };
}

function sortedStatement(
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
    ...(sort ? [orderBy(sort)] : []),
  ];
  return [parts.join("\n"), [...parameters, ...(search?.columns.map(() => search.text) ?? [])]];
}

function orderBy({ column, isDown, others }: NonNullable<RowOrder["sort"]>): string {
  const ties = others.filter((other) => other !== column).map((other) => `${sqlName(other)} asc nulls last`);
  return `order by ${[`${sqlName(column)} ${isDown ? "desc" : "asc"} nulls last`, ...ties].join(", ")}`;
}
