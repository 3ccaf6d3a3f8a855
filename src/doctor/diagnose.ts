import type { Settings } from "../config/settings.ts";
import type { Logger } from "../util/logger.ts";
import { checkDuckDb, checkPublished, checkWarehouse } from "./check-data.ts";
import {
  checkCredentials,
  checkDataFolder,
  checkGroups,
  checkHome,
  checkNode,
  checkSettings,
} from "./check-folders.ts";
import {
  checkBudget,
  checkClock,
  checkNessie,
  checkService,
  checkStatus,
  checkTrino,
  watchServerClocks,
} from "./check-service.ts";

/** Result for one part. An `error` comes from the part itself, so its message names the next step. */
export type Finding = { part: string; detail: string } | { part: string; error: unknown };

type Check = () => Promise<string> | string;

/**
 * Checks each part that a run needs; a failure does not stop the others. Costs one request per group, one for
 * a token, and one to the status API. The cluster is checked only if it is the engine.
 */
export async function diagnose(settings: Settings, logger: Logger, signal: AbortSignal): Promise<Finding[]> {
  const clocks = watchServerClocks();
  const findings: Finding[] = [];
  const look = async (part: string, check: Check) => {
    try {
      findings.push({ part, detail: await check() });
    } catch (error) {
      signal.throwIfAborted();
      findings.push({ part, error });
    }
  };
  try {
    await look("settings", () => checkSettings(settings));
    await look("Node", checkNode);
    await look("data folder", () => checkDataFolder(settings));
    await look("user folder", () => checkHome(settings));
    await look("DuckDB", () => checkDuckDb(settings));
    await look("warehouse", () => checkWarehouse(settings));
    await look("published", () => checkPublished(settings, signal));
    await look("credentials", () => checkCredentials(settings));
    await look("groups", () => checkGroups(settings));
    for (const { part, check } of checkService(settings, logger, signal)) await look(part, check);
    await look("status API", () => checkStatus(settings, logger, signal));
    if (settings.get("VENUE_ENGINE") === "trino") {
      await look("Trino", () => checkTrino(settings, logger, signal));
      await look("Nessie", () => checkNessie(settings, logger));
    }
    await look("clock", () => checkClock(clocks.offsets));
    await look("request budget", () => checkBudget(settings));
  } finally {
    clocks.stop();
  }
  return findings;
}
