import type { Engine, SqlColumn, SqlParameter, SqlStream } from "../engine.ts";
import { trinoUnreachableError } from "../errors.ts";
import { RemoteService } from "../remote/remote-service.ts";
import { type SqlRow, type SqlValue, sqlText } from "../sql-text.ts";
import { replaceTables } from "./table-names.ts";
import type { TrinoOptions } from "./trino-options.ts";
import { buildAuthorization, buildStatementHeaders, TrinoProtocol } from "./trino-protocol.ts";
import { createValueReader, parseTrinoType, type TrinoResponse } from "./trino-response.ts";

/**
 * Runs statements on a Trino cluster, each in a separate session and transaction. Throws the same errors as
 * `TrinoProtocol`.
 */
export class TrinoEngine implements Engine {
  readonly #service: RemoteService;
  readonly #protocol: TrinoProtocol;
  readonly #relations: Readonly<Record<string, string>>;
  #signal: AbortSignal | undefined;

  /** Does not connect yet. @throws {VenueError} `REMOTE_ADDRESS` when the address is unusable */
  constructor(options: TrinoOptions) {
    this.#service = new RemoteService(
      { ...options, authorization: buildAuthorization(options) },
      trinoUnreachableError,
    );
    this.#protocol = new TrinoProtocol({
      service: this.#service,
      user: options.user,
      headers: buildStatementHeaders(options),
      onProgress: options.onProgress,
      logger: options.logger,
    });
    this.#relations = options.relations ?? {};
    this.#signal = options.signal;
  }

  async run(sql: string, parameters: readonly SqlParameter[] = []): Promise<number> {
    let changed = 0;
    for await (const { updateCount } of this.#responses(sql, parameters)) changed = updateCount ?? changed;
    return changed;
  }

  async all<Row = SqlRow>(sql: string, parameters: readonly SqlParameter[] = []): Promise<Row[]> {
    const { columns, rows } = await this.stream(sql, parameters);
    const objects: SqlRow[] = [];
    for await (const row of rows) {
      objects.push(Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])));
    }
    return objects as Row[];
  }

  async find<Row = SqlRow>(sql: string, parameters: readonly SqlParameter[] = []): Promise<Row | undefined> {
    return (await this.all<Row>(sql, parameters))[0];
  }

  async get<Row = SqlRow>(sql: string, parameters: readonly SqlParameter[] = []): Promise<Row> {
    const row = await this.find<Row>(sql, parameters);
    if (row === undefined) throw new Error(`no row from: ${sql}`);
    return row;
  }

  /** Cancels the statement if the caller stops reading. */
  async stream(sql: string, parameters: readonly SqlParameter[] = []): Promise<SqlStream> {
    const responses = this.#responses(sql, parameters);
    let first = await responses.next();
    while (!first.done && !first.value.columns) first = await responses.next();
    const described = first.done ? [] : (first.value.columns ?? []);
    const types = described.map(({ type }) => parseTrinoType(type));
    const names = disambiguateNames(described.map(({ name }) => name));
    return {
      columns: names.map((name, index) => ({ name, type: types[index]?.word ?? "" })),
      rows: eachRow(first.done ? undefined : first.value, responses, types.map(createValueReader)),
    };
  }

  async describe(select: string): Promise<SqlColumn[]> {
    const { columns, rows } = await this.stream(`select * from (${select}\n) limit 0`);
    for await (const _row of rows);
    return columns;
  }

  async interruptible<Result>(signal: AbortSignal | undefined, body: () => Promise<Result>): Promise<Result> {
    signal?.throwIfAborted();
    const outer = this.#signal;
    this.#signal = signal && outer ? AbortSignal.any([signal, outer]) : (signal ?? outer);
    try {
      return await body();
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    } finally {
      this.#signal = outer;
    }
  }

  /** Closes the connections; a running statement fails. */
  close(): void {
    this.#service.close();
  }

  #responses(sql: string, parameters: readonly SqlParameter[]): AsyncGenerator<TrinoResponse> {
    const statement = replaceTables(sql, this.#relations).replace(/;\s*$/, "");
    return this.#protocol.responses(withParameters(statement, parameters), this.#signal);
  }
}

async function* eachRow(
  first: TrinoResponse | undefined,
  others: AsyncGenerator<TrinoResponse>,
  readers: readonly ((value: unknown) => SqlValue)[],
): AsyncIterableIterator<SqlValue[]> {
  const read = (row: unknown[]) => readers.map((reader, index) => reader(row[index]));
  try {
    for (const row of first?.data ?? []) yield read(row);
    for await (const { data } of others) for (const row of data ?? []) yield read(row);
  } finally {
    await others.return(undefined);
  }
}

/** Embeds the parameter values in the statement, because Trino's protocol cannot transmit them separately. */
function withParameters(sql: string, parameters: readonly SqlParameter[]): string {
  if (parameters.length === 0) return sql;
  return `execute immediate ${sqlText(sql)} using ${parameters.map(toTrinoLiteral).join(", ")}`;
}

/** Formats integers as BIGINT, as with DuckDB, or as decimals beyond 64 bits. Formats other numbers as DOUBLE. */
export function toTrinoLiteral(value: SqlParameter): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "string") return sqlText(value);
  if (typeof value === "bigint" || isWhole(value)) return formatInteger(BigInt(value));
  if (Number.isNaN(value)) return "nan()";
  if (!Number.isFinite(value)) return value > 0 ? "infinity()" : "-infinity()";
  return `double '${value}'`;
}

/** Returns true for an integer with no more digits than a decimal can have. */
function isWhole(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 1e38;
}

function formatInteger(value: bigint): string {
  return BigInt.asIntN(64, value) === value ? `bigint '${value}'` : `decimal '${value}'`;
}

/** Makes column names unique as DuckDB does: `a`, `a:1`, `a:2`. */
function disambiguateNames(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return before === 0 ? name : `${name}:${before}`;
  });
}
