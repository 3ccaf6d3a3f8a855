import type { Logger } from "../../util/logger.ts";
import type { RetryOptions } from "../../util/retry-delays.ts";
import type { TrinoProgress } from "./trino-response.ts";

/** Trino's catalogs of published `core`, of the build in progress, and of the published version: see `docs/trino/`. */
export const catalogs = { core: "venue_core", build: "venue_build", mart: "venue_mart" } as const;

export interface TrinoOptions {
  /** The coordinator, e.g. `https://trino.example:8443`. */
  url: string;
  user: string;
  /** Requires https or a coordinator on this machine, as does `token`. */
  password?: string | undefined;
  /** A JSON Web Token. */
  token?: string | undefined;
  /** PEM of an authority whose certificates are trusted in addition to Node's authorities. */
  certificateAuthority?: string | undefined;
  /** Catalog of tables named without one. */
  catalog: string;
  /** Schema of tables named without one. */
  schema?: string | undefined;
  /**
   * Relations that statements read in place of some tables, keyed by `table` or `schema.table`, e.g.
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
