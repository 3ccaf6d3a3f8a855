import { nameZone } from "../findings/equal-names.ts";
import { countOf, countText, durationText } from "../text/people-text.ts";
import type { OverviewSources, Row, Verdict } from "./verdict.ts";

/** The service names a device's last storage error for ever: an older one is no news. In days before the newest look. */
const recentDays = 7;

/** Which devices need a look now? */
export async function judgeDevices({ mart, names, read }: OverviewSources): Promise<Verdict> {
  const devices = await read("devices");
  const down = devices.filter(({ state }) => state === "down");
  const silent = devices.filter(({ state }) => state === "silent");
  const recent = await mart.all<Row>(
    `select device_id from dim_device
    where date_diff('day', cast(last_sd_error_at as date), cast(last_seen_at as date)) <= cast(? as bigint)`,
    [recentDays],
  );
  const withError = devices.filter(({ device_id }) => recent.some((one) => one.device_id === device_id));
  const isAnything = silent.length + withError.length > 0;
  return {
    question: "Which devices need a look now?",
    status: down.length > 0 ? "bad" : isAnything || devices.length === 0 ? "look at it" : "good",
    answer:
      devices.length === 0
        ? "No device has been checked yet."
        : `${sayState(devices.length, down.length, silent.length)}; ${withError.length === 0 ? "none" : countText(withError.length)} had a storage error in the last ${recentDays} days.`,
    rule: `Good: none is down, silent, or had a storage error in the last ${recentDays} days. Bad: one is down.`,
    address: { view: "devices", words: {} },
    worst: [
      ...down.map((device) =>
        findingOf(
          nameZone(device, names),
          device,
          device.down_for_seconds == null
            ? "is down"
            : `has been down for ${lengthOf(device.down_for_seconds)}`,
        ),
      ),
      ...silent.map((device) =>
        findingOf(
          nameZone(device, names),
          device,
          `is up but has been silent for ${lengthOf(device.silent_for_seconds)}`,
        ),
      ),
    ].slice(0, 3),
  };
}

function sayState(devices: number, down: number, silent: number): string {
  const all = countOf(devices, "device");
  if (down + silent === 0) return `None of ${all} is down or silent`;
  const first = `${down === 0 ? "None" : countText(down)} of ${all} ${down > 1 ? "are" : "is"} down`;
  return `${first}, ${silent === 0 ? "none" : countText(silent)} ${silent > 1 ? "are" : "is"} up but silent`;
}

function findingOf(name: string, { zone_id }: Row, what: string) {
  return {
    text: `${name} ${what}.`,
    address: { view: "devices", words: { zone: String(zone_id) } },
  };
}

function lengthOf(seconds: Row[string] | undefined): string {
  return durationText(Number(seconds ?? 0));
}
