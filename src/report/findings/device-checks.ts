import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";

/** Says so when no device was ever checked in the chosen zones: an empty report would puzzle. */
export async function noteNoDevices(mart: PublishedMart, options: ReportOptions): Promise<string[]> {
  const { devices } = await countChecked(mart, options);
  return devices === 0 ? [sayNoDevices(options)] : [];
}

/** Says so when no device was checked twice: only then is something known of the time between. */
export async function noteTooFewChecks(mart: PublishedMart, options: ReportOptions): Promise<string[]> {
  const { devices, compared } = await countChecked(mart, options);
  if (devices === 0) return [sayNoDevices(options)];
  return compared === 0 ? ["Devices were checked once; uptime needs two checks."] : [];
}

async function countChecked(
  mart: PublishedMart,
  { groupIds, zoneIds, locationIds }: ReportOptions,
): Promise<{ devices: number; compared: number }> {
  const [counted] = await mart.all<{ devices: number; compared: number }>(
    ...reportStatement("device_checks", { groupIds, zoneIds, locationIds }),
  );
  return counted ?? { devices: 0, compared: 0 };
}

export function sayNoDevices({ groupIds, zoneIds, locationIds }: ReportOptions): string {
  const isFiltered = [groupIds, zoneIds, locationIds].some((ids) => ids.length > 0);
  return isFiltered
    ? "No device has been checked yet in these zones."
    : "No device has been checked yet: each `venue run` checks them.";
}
