import type { SqlNode } from "../../engines/duckdb/sql-tree.ts";
import type { SqlParameter, SqlStream } from "../../engines/engine.ts";
import type { SqlRow } from "../../engines/sql-text.ts";
import type { UndeliveredMessage } from "../../state/data/outbox.ts";
import type { UnfinishedWork } from "../../state/data/runs.ts";

/** One version of the mart, for reports. Its instants are plain UTC timestamps. */
export interface PublishedMart {
  /** E.g. `v000007`. */
  readonly version: string;
  /** `YYYY-MM-DDTHH:MM:SSZ` */
  readonly dataAsOf: string | null;
  readonly tables: readonly string[];
  /** True if limited to a customer token's rows, so that a missing play may be another customer's. */
  readonly isShared?: boolean;
  /** Returns tables, and columns as `table.column`, that this program publishes but the version lacks. */
  listMissing(): string[];
  /** Returns work that the last run did not finish; absent if unknown. */
  findUnfinished?(): Promise<readonly UnfinishedWork[]>;
  /** Returns recently abandoned messages, newest first; absent if unknown. */
  listUndelivered?(now: Date): Promise<readonly UndeliveredMessage[]>;
  /** Streams rows; read them before another statement runs. */
  stream(sql: string, parameters?: readonly SqlParameter[]): Promise<SqlStream>;
  all<Row = SqlRow>(sql: string, parameters?: readonly SqlParameter[]): Promise<Row[]>;
  /** Defines views of `staging` and their dependencies for later statements. */
  defineStaging(names: readonly string[]): Promise<void>;
  /**
   * Returns each instant's local time, as `YYYY-MM-DD HH:MM`, in each time zone, using the time zone data with which
   * plays were loaded. Unknown time zones are omitted.
   */
  listLocalTimes(
    timeZones: readonly string[],
    instants: readonly Date[],
  ): Promise<ReadonlyMap<string, string>[]>;
  /** @throws when the text is not exactly one select */
  parse(sql: string): Promise<SqlNode>;
  close(): void;
}
