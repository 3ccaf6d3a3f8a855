import type { Settings } from "../../config/settings.ts";
import type { AskedReport } from "./report-options.ts";

/** With the target that the settings name, if they do: nobody is held to one that nobody set. */
export function withAvailabilityTarget(options: AskedReport, settings: Settings): AskedReport {
  const availabilityTarget = settings.find("VENUE_AVAILABILITY_TARGET");
  return availabilityTarget === undefined ? options : { ...options, availabilityTarget };
}
