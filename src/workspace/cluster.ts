import { basename } from "node:path";
import type { Settings } from "../config/settings.ts";
import { connectNessie, connectTrino } from "../engines/connect-cluster.ts";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import type { Nessie } from "../engines/nessie/nessie.ts";
import type { TrinoEngine } from "../engines/trino/trino-engine.ts";
import { isS3Url } from "../storage/s3-url.ts";
import { openTemplate } from "./warehouse.ts";
import type { Workspace } from "./workspace.ts";

export interface Cluster {
  trino: TrinoEngine;
  nessie: Nessie;
  /** An in-memory warehouse, for table schemas and parsing. */
  template: DuckDb;
}

/** Connects to the configured cluster, on the build branch, while `body` runs. */
export async function withCluster<Result>(
  { settings, logger, progress, signal }: Workspace,
  body: (cluster: Cluster) => Promise<Result>,
): Promise<Result> {
  const nessie = connectNessie(settings, logger);
  const trino = connectTrino(settings, logger, {
    catalog: settings.get("VENUE_TRINO_BUILD_CATALOG"),
    schemas: { lake: `${settings.get("VENUE_TRINO_CORE_CATALOG")}.lake` },
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
 * Returns the location of a lake as Trino sees it.
 * @param lake its folder on this machine, or its `s3://` URL
 */
export function resolveLakeLocation(settings: Settings, lake: string): string {
  return settings.find("VENUE_TRINO_LAKE") ?? (isS3Url(lake) ? lake : `local:///${basename(lake)}`);
}
