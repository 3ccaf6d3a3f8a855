import { softwareVersion } from "../util/files/package-files.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { BuildOptions } from "./build-mart.ts";

export function buildSettings({
  settings,
  clock,
  signal,
  logger,
}: Workspace): Omit<BuildOptions, "version" | "groupIds" | "isFull"> {
  return {
    builtAt: clock.now(),
    softwareVersion: softwareVersion(),
    assetDurationUnit: settings.get("VENUE_ASSET_DURATION_UNIT"),
    settleDays: settings.get("VENUE_SETTLE_DAYS"),
    slotMinutes: settings.get("VENUE_SLOT_MINUTES"),
    downStatuses: settings.get("VENUE_DOWN_STATUS"),
    freshHours: settings.get("VENUE_FRESHNESS"),
    signal,
    logger,
  };
}
