import { devices } from "../catalog/devices.ts";
import { buildAggregate } from "../options/build-statement.ts";
import type { ReportOptions } from "../options/request-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { formatCount, formatQuantity } from "../text/readable-text.ts";
import { formatAge, getDevicesAsOf, hoursSince, isStale } from "./data-as-of.ts";

export interface DeviceStates {
  devices: number;
  down: number;
  silent: number;
  /** Devices whose status is neither online nor configured as down, including silent devices. */
  unknown: number;
  /** Devices that ever reported a storage card error. */
  with_error: number;
  /** Devices whose last error is at most `recentDays` older than their newest check. */
  with_recent_error: number;
  /** Devices that have been down for a known time, and devices that have been silent for a known time. */
  down_for: number;
  silent_for: number;
  /** Statuses of the devices in an unknown state, most common first. */
  unknownStatuses: readonly { status: string | null; devices: number }[];
}

/** Older storage errors are not recent: the service reports a device's last error forever. */
export const recentDays = 7;

type Chosen = Partial<
  Pick<ReportOptions, "groupIds" | "zoneIds" | "locationIds" | "deviceIds" | "attributes">
>;

export async function findDeviceStates(
  mart: PublishedMart,
  { groupIds = [], zoneIds = [], locationIds = [], deviceIds = [], attributes = [] }: Chosen,
): Promise<DeviceStates> {
  // The state of a silent device does not show whether its status is known, so that is read from dim_device.
  const select = (columns: string, rest = "") =>
    buildAggregate(
      devices,
      { groupIds, zoneIds, locationIds, deviceIds, attributes },
      (rows) =>
        `select ${columns} from ${rows} inner join dim_device as d on d.device_id = r.device_id ${rest}`,
    );
  const [total] = await mart.all<Record<keyof typeof expressions, number>>(
    ...select(
      Object.entries(expressions)
        .map(([name, expression]) => `${expression} as ${name}`)
        .join(", "),
    ),
  );
  const unknownStatuses = await mart.all<{ status: string | null; devices: number }>(
    ...select(
      "r.status, count(*) as devices",
      "where d.state = 'unknown' group by r.status order by devices desc, r.status nulls first",
    ),
  );
  return {
    devices: 0,
    down: 0,
    silent: 0,
    unknown: 0,
    with_error: 0,
    with_recent_error: 0,
    down_for: 0,
    silent_for: 0,
    ...total,
    unknownStatuses,
  };
}

const expressions = {
  devices: "count(*)",
  down: "count(case when r.state = 'down' then 1 end)",
  silent: "count(case when r.state = 'silent' then 1 end)",
  unknown: "count(case when d.state = 'unknown' then 1 end)",
  with_error: "count(r.last_sd_error)",
  with_recent_error: `count(
    case when date_diff('day', cast(d.last_sd_error_at as date), cast(d.last_seen_at as date)) <= ${recentDays} then 1 end
  )`,
  down_for: "count(case when r.down_for_seconds > 0 then 1 end)",
  silent_for: "count(case when r.silent_for_seconds > 0 then 1 end)",
};

/** E.g. `0 of 12 devices are down, 1 is silent`, counting only known states. No full stop. */
export function summarizeDeviceStates({ devices, down, silent, unknown }: DeviceStates): string {
  const known = devices - unknown;
  const silentText = silent === 0 ? "" : `, ${formatCount(silent)} ${isOrAre(silent)} silent`;
  if (known === 0) return `No device has a known state${silentText}`;
  const of = unknown === 0 ? "" : " with a known state";
  const first = `${formatCount(down)} of ${formatQuantity(known, "device")}${of} ${isOrAre(down || known)} down`;
  return `${first}${silentText}`;
}

/** Returns a finding if too many devices with a known state are down, and `undefined` otherwise. */
export function explainTooFewUp(
  { devices, down, unknown }: DeviceStates,
  minShare: number,
): string | undefined {
  const known = devices - unknown;
  if (known === 0) return `No device has a known state to compare with ${minShare}.`;
  const up = known - down;
  if (up / known >= minShare) return undefined;
  // Rounded down, so that a ratio below the limit never looks equal to it.
  const share = Math.floor((up / known) * 1000) / 1000;
  return `${formatCount(up)} of ${formatQuantity(known, "device")} with a known state ${isOrAre(up)} not down: ${share} is below ${minShare}.`;
}

/** Lists the statuses that no setting covers, with the setting to change; `undefined` if there are none. */
export function listUnknownStatuses({ devices, unknown, unknownStatuses }: DeviceStates): string | undefined {
  if (unknown === 0) return undefined;
  const counts = new Map<string, number>();
  for (const { status, devices: ofStatus } of unknownStatuses) {
    const name = status === null || status.trim() === "" ? "no status" : `“${status}”`;
    counts.set(name, (counts.get(name) ?? 0) + ofStatus);
  }
  const named = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} (${formatCount(count)})`);
  return `${formatCount(unknown)} of ${formatQuantity(devices, "device")} ${isOrAre(unknown)} in an unknown state: ${named.join(", ")}. Add the statuses that mean down to VENUE_DOWN_STATUS.`;
}

function isOrAre(count: number): string {
  return count === 1 ? "is" : "are";
}

/** Returns notes on unknown statuses and old checks. */
export async function noteDeviceStates(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<string[]> {
  const unknown = listUnknownStatuses(await findDeviceStates(mart, options));
  const checked = await getDevicesAsOf(mart, options, { history: false, notices: false });
  const stale =
    checked !== null && isStale(checked, now)
      ? `The oldest check is ${formatAge(hoursSince(checked, now))} old; device states may have changed since.`
      : undefined;
  return [unknown, stale].filter((note) => note !== undefined);
}
