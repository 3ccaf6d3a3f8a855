import type { Settings } from "../../config/settings.ts";
import type { ReportOptions } from "./report-options.ts";

/** With the target that the settings name, if they do: nobody is held to one that nobody set. */
export function withAvailabilityTarget(options: ReportOptions, settings: Settings): ReportOptions {
  const availabilityTarget = settings.find("VENUE_AVAILABILITY_TARGET");
  return availabilityTarget === undefined ? options : { ...options, availabilityTarget };
}
