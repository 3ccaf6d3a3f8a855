import type { SqlNode } from "../../engines/duckdb/sql-tree.ts";
import type { SqlParameter } from "../../engines/engine.ts";
import type { SqlRow } from "../../engines/sql-text.ts";
import type { UnfinishedWork } from "../../state/data/runs.ts";
import type { PublishedStream } from "../report.ts";

/** One version of the mart, as reports read it. Instants are plain UTC timestamps in it. */
export interface PublishedMart {
  /** E.g. `v000007`. */
  readonly version: string;
  /** `YYYY-MM-DDTHH:MM:SSZ` */
  readonly dataAsOf: string | null;
  /** Names of its tables, sorted. */
  readonly tables: readonly string[];
  /** Tables, and columns as `table.column`, that this version of the program publishes and that it lacks. */
  lacking(): string[];
  /** What the last run left undone, where that is known. */
  findUnfinished?(): Promise<readonly UnfinishedWork[]>;
  /** Rows as they come; read them before another statement runs. */
  stream(sql: string, parameters?: readonly SqlParameter[]): Promise<PublishedStream>;
  all<Row = SqlRow>(sql: string, parameters?: readonly SqlParameter[]): Promise<Row[]>;
  /** Makes these views of `staging`, and what they read, for the statements that follow. */
  defineStaging(names: readonly string[]): Promise<void>;
  /** The parse tree of one select. @throws when the text is not exactly one select */
  parse(sql: string): Promise<SqlNode>;
  close(): void;
}
