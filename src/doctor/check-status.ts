import type { Settings } from "../config/settings.ts";
import type { Logger } from "../util/logger.ts";
import { connectStatus } from "../workspace/connect.ts";

export async function checkStatus(settings: Settings, logger: Logger, signal: AbortSignal): Promise<string> {
  const root = settings.find("VENUE_STATUS_URL");
  if (!root) return "VENUE_STATUS_URL is not set: status steps are skipped";
  const client = connectStatus(settings, logger);
  try {
    const { state } = await client.page({ isFresh: true, signal });
    return `answers; the service is ${state}`;
  } finally {
    await client.close();
  }
}
