import { basename } from "node:path";
import { connectNessie, connectTrino } from "../engines/connect-cluster.ts";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import type { Nessie } from "../engines/nessie/nessie.ts";
import type { TrinoEngine } from "../engines/trino/trino-engine.ts";
import { catalogs } from "../engines/trino/trino-options.ts";
import { listLoadedTables } from "../mart/loaded-tables.ts";
import { isS3Url } from "../storage/s3-url.ts";
import { openTemplate } from "./warehouse.ts";
import type { Workspace } from "./workspace.ts";

export interface Cluster {
  trino: TrinoEngine;
  nessie: Nessie;
  /** An in-memory warehouse, for table schemas and parsing. */
  template: DuckDb;
}

/**
 * Runs `body` while connected to the configured cluster, on the build branch. Tables of `core` that loads fill are
 * read from the files that `venue build` registers.
 */
export async function withCluster<Result>(
  { settings, logger, progress, signal }: Workspace,
  body: (cluster: Cluster) => Promise<Result>,
): Promise<Result> {
  const nessie = connectNessie(settings, logger);
  const trino = connectTrino(settings, logger, {
    catalog: catalogs.build,
    relations: Object.fromEntries(
      listLoadedTables().map((table) => [`core.${table}`, `${catalogs.core}.core.${table}`]),
    ),
    signal,
    onProgress: ({ percent, rows }) =>
      progress.show(`Trino: ${rows} rows${percent === undefined ? "" : `, ${Math.round(percent)} %`}`),
  });
  const template = await openTemplate();
  try {
    return await body({ trino, nessie, template });
  } finally {
    trino.close();
    nessie.close();
    template.close();
    progress.clear();
  }
}

/**
 * Returns the location of a store for Trino.
 * @param store its folder on this machine, or its `s3://` URL
 */
export function resolveTrinoLocation(store: string): string {
  return isS3Url(store) ? store : `local:///${basename(store)}`;
}
