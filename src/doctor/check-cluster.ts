import type { Settings } from "../config/settings.ts";
import { connectNessie, connectTrino } from "../engines/connect-cluster.ts";
import { findShown } from "../mart/shown-versions.ts";
import type { Logger } from "../util/logger.ts";

/** Asks Trino for the tables of each catalog that the settings name. */
export async function checkTrino(settings: Settings, logger: Logger, signal: AbortSignal): Promise<string> {
  const catalogs = (["CORE", "BUILD", "MART"] as const).map((name) =>
    settings.get(`VENUE_TRINO_${name}_CATALOG`),
  );
  const trino = connectTrino(settings, logger, { catalog: "system", signal });
  try {
    const { version } = await trino.get<{ version: string }>(
      "select node_version as version from runtime.nodes limit 1",
    );
    for (const catalog of catalogs)
      await trino.find(`select schema_name from ${catalog}.information_schema.schemata limit 1`);
    return `${version} answers, and has the catalogs ${catalogs.join(", ")}`;
  } finally {
    trino.close();
  }
}

/** Asks Nessie for the version that readers see. */
export async function checkNessie(settings: Settings, logger: Logger): Promise<string> {
  const nessie = connectNessie(settings, logger);
  try {
    const shown = await findShown(nessie);
    return shown
      ? `answers, and shows ${shown.version}`
      : "answers; nothing is shown yet: `venue build` shows a version";
  } finally {
    nessie.close();
  }
}
