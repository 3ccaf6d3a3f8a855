import { percentText } from "../../format/cell-text.ts";
import type { ReportValue } from "../../report.ts";
import { countOf } from "../people-text.ts";

/**
 * What a page says first where nothing is known of devices: that there was no outage would be a guess.
 * @param uptime of the whole period
 * @param subject what can't be told, e.g. `outages`
 * @param when e.g. `on 20 November 2026`
 */
export function sayNothingKnown(
  uptime: Readonly<Record<string, ReportValue>>,
  subject: string,
  when: string,
): string | undefined {
  if (uptime.availability != null) return undefined;
  const devices = Number(uptime.devices ?? 0);
  return devices === 0
    ? `Nothing is known of ${subject} ${when}: no device was looked at.`
    : `Nothing is known of ${subject} ${when}: of ${countOf(devices, "device")} no two looks followed each other.`;
}

/** How much of the time between looks is known, for the line that is always in sight. @param uptime of the whole period */
export function sayHowMuchIsKnown({ coverage }: Readonly<Record<string, ReportValue>>): string {
  return coverage == null
    ? "nothing is known of any device in this time"
    : `${percentText(Number(coverage))} of the time between the first and the last look at each device is known`;
}
