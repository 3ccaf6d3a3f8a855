import type { PublishedMart } from "../published/published-mart.ts";
import type { ReportValue } from "../report.ts";
import { countOf, countText } from "../text/people-text.ts";

type Row = Readonly<Record<string, ReportValue>>;

/** Devices of a devices report, by the state of each. */
export interface DeviceStates {
  devices: readonly Row[];
  down: readonly Row[];
  silent: readonly Row[];
  /** Devices whose status is neither online nor configured as down, silent ones included. */
  unknown: readonly Row[];
}

/** @param devices rows of `sql/reports/devices.sql` */
export async function findDeviceStates(mart: PublishedMart, devices: readonly Row[]): Promise<DeviceStates> {
  // In the report, a silent device's state hides whether its status is known.
  const found = await mart.all<{ device_id: number }>(
    "select device_id from dim_device where state = 'unknown'",
  );
  const ids = new Set(found.map(({ device_id }) => Number(device_id)));
  return {
    devices,
    down: devices.filter(({ state }) => state === "down"),
    silent: devices.filter(({ state }) => state === "silent"),
    unknown: devices.filter(({ device_id }) => ids.has(Number(device_id))),
  };
}

/** E.g. `None of 12 devices is down, 1 is silent`, counting only devices whose state is known. No full stop. */
export function sayDeviceStates({ devices, down, silent, unknown }: DeviceStates): string {
  const known = devices.length - unknown.length;
  const quiet = silent.length === 0 ? "" : `, ${countText(silent.length)} ${are(silent.length)} silent`;
  if (known === 0) return `No device has a known state${quiet}`;
  const of = unknown.length === 0 ? "" : " with a known state";
  const first = `${down.length === 0 ? "None" : countText(down.length)} of ${countOf(known, "device")}${of} ${are(down.length || 1)} down`;
  return `${first}${quiet}`;
}

/** Names the statuses that no setting covers, and the setting; `undefined` where there are none. */
export function sayUnknownStatuses({ devices, unknown }: DeviceStates): string | undefined {
  if (unknown.length === 0) return undefined;
  const counts = new Map<string, number>();
  for (const { status } of unknown) {
    const name = status === null || String(status).trim() === "" ? "no status" : `“${status}”`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const named = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} (${countText(count)})`);
  return `${countText(unknown.length)} of ${countOf(devices.length, "device")} ${are(unknown.length)} in an unknown state: ${named.join(", ")}. Add the statuses that mean down to VENUE_DOWN_STATUS.`;
}

function are(count: number): string {
  return count === 1 ? "is" : "are";
}
