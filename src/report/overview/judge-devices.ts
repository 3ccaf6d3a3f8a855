import { findDeviceStates, sayDeviceStates, sayUnknownStatuses } from "../findings/device-states.ts";
import { nameZone } from "../findings/equal-names.ts";
import { countText, durationText } from "../text/people-text.ts";
import { type OverviewSources, type Row, toleratedUnknown, type Verdict } from "./verdict.ts";

/** The service reports a device's last storage error forever: an older one is no news. In days before the newest check. */
const recentDays = 7;

/** Which devices need a look now? */
export async function judgeDevices({ mart, names, read }: OverviewSources): Promise<Verdict> {
  const states = await findDeviceStates(mart, await read("devices"));
  const { devices, down, silent, unknown } = states;
  const recent = await mart.all<Row>(
    `select device_id from dim_device
    where date_diff('day', cast(last_sd_error_at as date), cast(last_seen_at as date)) <= cast(? as bigint)`,
    [recentDays],
  );
  const withError = devices.filter(({ device_id }) => recent.some((one) => one.device_id === device_id));
  const isMostlyUnknown = unknown.length > devices.length * toleratedUnknown;
  const isAnything = silent.length + withError.length + unknown.length > 0;
  const unknownStatuses = sayUnknownStatuses(states);
  const address = { view: "devices", words: {} };
  return {
    question: "Which devices need a look now?",
    status:
      down.length > 0
        ? "bad"
        : devices.length === 0 || isMostlyUnknown
          ? "not known yet"
          : isAnything
            ? "look at it"
            : "good",
    answer:
      devices.length === 0
        ? "No device has been checked yet."
        : [
            `${sayDeviceStates(states)}; ${withError.length === 0 ? "none" : countText(withError.length)} had a storage error in the last ${recentDays} days.`,
            unknownStatuses,
          ]
            .filter(Boolean)
            .join(" "),
    rule: `Good: none is down, silent or in an unknown state, or had a storage error in the last ${recentDays} days. Bad: one is down. Not known yet: none was checked, or most are in an unknown state.`,
    address,
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
      ...(unknownStatuses === undefined ? [] : [{ text: unknownStatuses, address }]),
      ...silent.map((device) =>
        findingOf(
          nameZone(device, names),
          device,
          `has been silent for ${lengthOf(device.silent_for_seconds)}`,
        ),
      ),
    ].slice(0, 3),
  };
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
