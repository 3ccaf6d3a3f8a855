import type { Logger } from "../../util/logger.ts";
import type { RetryOptions } from "../../util/retry-delays.ts";
import type { TrinoProgress } from "./trino-response.ts";

/** Trino catalogs for published `core`, the build in progress, and the published version; see `docs/trino/`. */
export const catalogs = { core: "venue_core", build: "venue_build", mart: "venue_mart" } as const;

export interface TrinoOptions {
  /** The coordinator, e.g. `https://trino.example:8443`. */
  url: string;
  user: string;
  /** Requires https or a coordinator on this machine, as does `token`. */
  password?: string | undefined;
  /** A JSON Web Token. */
  token?: string | undefined;
  /** PEM of a certificate authority that is trusted in addition to Node's defaults. */
  certificateAuthority?: string | undefined;
  /** Default catalog for table names without one. */
  catalog: string;
  /** Default schema for table names without one. */
  schema?: string | undefined;
  /**
   * Relations to read in place of some tables, keyed by `table` or `schema.table`, e.g.
   * `{ "core.play": "venue_core.core.play" }`. A query's own common table expressions must not use these names.
   */
  relations?: Readonly<Record<string, string>> | undefined;
  /** Session properties, e.g. `{ "venue_core.insert_existing_partitions_behavior": "APPEND" }`. */
  session?: Readonly<Record<string, string>> | undefined;
  /** Called about once a second while a statement runs. */
  onProgress?: ((progress: TrinoProgress) => void) | undefined;
  /** An abort cancels any running statement, as in `interruptible`. */
  signal?: AbortSignal | undefined;
  logger: Logger;
  /** Retries of requests. A statement never runs twice. */
  retry?: RetryOptions | undefined;
}
