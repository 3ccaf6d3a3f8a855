import { basename } from "node:path";
import type { Settings } from "../config/settings.ts";
import { connectNessie, connectTrino } from "../engines/connect-cluster.ts";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import type { Nessie } from "../engines/nessie/nessie.ts";
import type { TrinoEngine } from "../engines/trino/trino-engine.ts";
import { openTemplate } from "./warehouse.ts";
import type { Workspace } from "./workspace.ts";

/** What builds on Trino work with. */
export interface Cluster {
  trino: TrinoEngine;
  nessie: Nessie;
  /** A warehouse in memory, for the shapes of tables and for parsing. */
  template: DuckDb;
}

/** Opens the cluster that the settings name, with the branch that is built, for `body`. */
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

/** Where Trino sees a folder that this machine sees as `lake`. */
export function lakeLocation(settings: Settings, lake: string): string {
  return settings.find("VENUE_TRINO_LAKE") ?? `local:///${basename(lake)}`;
}
