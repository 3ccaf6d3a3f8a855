import type { Logger } from "../../util/logger.ts";
import type { RetryOptions } from "../../util/retry-delays.ts";
import type { TrinoProgress } from "./trino-answer.ts";

/** Where Trino is, who asks it, and where our SQL finds its tables there. */
export interface TrinoOptions {
  /** The coordinator, e.g. `https://trino.example:8443`. */
  url: string;
  user: string;
  /** Needs https, or a coordinator on this machine; so does `token`. */
  password?: string | undefined;
  /** A JSON Web Token. */
  token?: string | undefined;
  /** PEM of an authority whose certificates are trusted beside those of the authorities that Node.js knows. */
  certificateAuthority?: string | undefined;
  /** Of tables that are written without one. */
  catalog: string;
  /** Of tables that are written without one. */
  schema?: string | undefined;
  /**
   * What a schema of our SQL is called at Trino, as `catalog.schema`: with `{ lake: "venue_core.lake" }`, `lake.play` is
   * read as `venue_core.lake.play`. No table alias may be called like one of them.
   */
  schemas?: Readonly<Record<string, string>> | undefined;
  /**
   * What queries read in the place of some tables, by `table` or `schema.table`: `{ dim_zone: "venue_mart.mart.dim_zone for
   * version as of 5" }`. A query's own common table expressions must be called otherwise.
   */
  relations?: Readonly<Record<string, string>> | undefined;
  /** Session properties, e.g. `{ "venue_core.insert_existing_partitions_behavior": "APPEND" }`. */
  session?: Readonly<Record<string, string>> | undefined;
  /** Called about once a second while a statement runs. */
  onProgress?: ((progress: TrinoProgress) => void) | undefined;
  /** An abort cancels whatever runs, as one of `interruptible` does. */
  signal?: AbortSignal | undefined;
  logger: Logger;
  /** Of requests; a statement is never run again. */
  retry?: RetryOptions | undefined;
}
