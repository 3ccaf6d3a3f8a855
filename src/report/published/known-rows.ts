import { createHash } from "node:crypto";
import type { SqlColumn, SqlParameter, SqlStream } from "../../engines/engine.ts";
import { type SqlValue, sqlName } from "../../engines/sql-text.ts";
import type { PublishedMart } from "./published-mart.ts";

/** Of one answer. */
const mostRows = 2_000;
/** Of all answers: some 20 MB. An answer counts as ten rows at least. */
const mostRowsOfAll = 40_000;
const leastRows = 10;

interface KnownAnswer {
  columns: SqlColumn[];
  rows: readonly SqlValue[][];
}

/** What statements gave of one version, where these are few rows: of those asked for last. */
export class KnownRows {
  /** Those asked for last come last. */
  readonly #answers = new Map<string, KnownAnswer>();
  #count = 0;

  /** Of one answer: one of more rows is not kept. */
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

/** Statements are long: what stands for one, with its parameters, is short. */
function keyOf(sql: string, parameters: readonly SqlParameter[]): string {
  const values = parameters.map((value) => (typeof value === "bigint" ? `${value}n` : value));
  return createHash("sha256")
    .update(JSON.stringify([sql, values]))
    .digest("base64");
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

/** In which order rows come, and which. */
export interface RowOrder {
  /** Largest, or last, first. Equal ones by the other columns: two engines order them alike. */
  sort?: { column: string; isDown: boolean; others: readonly string[] } | undefined;
  /** Only rows that have this text, in whatever case, in one of the columns. */
  search?: { text: string; columns: readonly string[] } | undefined;
}

/** The same version, whose streams come in another order, or have fewer rows. Columns are those of the statements. */
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
