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
import { checkTimeZones } from "./check-time-zones.ts";

/** Result of checking one part. The message of an `error` includes the next step. */
export type Finding = { part: string; detail: string } | { part: string; error: unknown };

type Check = () => Promise<string> | string;

/**
 * Checks each part that a run needs. A failure does not stop the other checks. Sends one request per group,
 * one for a token, and one to the status API. Checks the cluster only if Trino is the configured engine.
 */
export async function diagnose(settings: Settings, logger: Logger, signal: AbortSignal): Promise<Finding[]> {
  const clocks = watchServerClocks();
  const findings: Finding[] = [];
  const runCheck = async (part: string, check: Check) => {
    try {
      findings.push({ part, detail: await check() });
    } catch (error) {
      signal.throwIfAborted();
      findings.push({ part, error });
    }
  };
  try {
    await runCheck("settings", () => checkSettings(settings));
    await runCheck("Node", checkNode);
    await runCheck("data folder", () => checkDataFolder(settings));
    await runCheck("user folder", () => checkHome(settings));
    await runCheck("DuckDB", () => checkDuckDb(settings));
    await runCheck("warehouse", () => checkWarehouse(settings));
    await runCheck("published", () => checkPublished(settings, signal));
    await runCheck("time zones", () => checkTimeZones(settings, signal));
    await runCheck("credentials", () => checkCredentials(settings));
    await runCheck("groups", () => checkGroups(settings));
    for (const { part, check } of checkService(settings, logger, signal)) await runCheck(part, check);
    await runCheck("status API", () => checkStatus(settings, logger, signal));
    if (settings.get("VENUE_ENGINE") === "trino") {
      await runCheck("Trino", () => checkTrino(settings, logger, signal));
      await runCheck("Nessie", () => checkNessie(settings, logger));
    }
    await runCheck("clock", () => checkClock(clocks.offsets));
    await runCheck("request budget", () => checkBudget(settings));
  } finally {
    clocks.stop();
  }
  return findings;
}
