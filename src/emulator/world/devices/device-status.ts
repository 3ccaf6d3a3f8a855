import { kinds } from "../../../util/kind.ts";
import { dayMs } from "../calendar-day.ts";
import { findVisibleSeconds, listDayPlays } from "../plays/day-plays.ts";
import { findOutages, type Zone } from "../premises/zone.ts";
import { Random } from "../random.ts";
import { deviceIdAt, type WorldPlan } from "../world-plan.ts";

export type DeviceStatus = ReturnType<typeof deviceStatusAt>;

/** Returns the status of a zone's device at an instant. Date-times are UTC. */
export function deviceStatusAt(plan: WorldPlan, zone: Zone, atMs: number) {
  const outage = findOutages(plan.seed, zone.deviceId, atMs, atMs + 1)[0];
  // Devices report every minute.
  const lastOnlineMs = Math.floor((outage?.startedAtMs ?? atMs) / 60_000) * 60_000;
  const lastPlayMs = findLastPlay(plan, zone, atMs);
  const random = new Random(plan.seed, "device", zone.deviceId);
  const isSignBox = random.chance(0.4);
  const isUpdated = lastOnlineMs >= (plan.firstDay + plan.days - 3) * dayMs;
  const mac = Array.from({ length: 3 }, () => random.between(0, 255).toString(16).padStart(2, "0"));
  const storageTotalMb = random.pick([8_000, 16_000, 32_000]);
  const dayRandom = new Random(plan.seed, "device day", zone.deviceId, Math.floor(lastOnlineMs / dayMs));
  const sdErrorMs = findLastSdError(plan, zone, lastOnlineMs);
  const { locationId, ...address } = zone.location;
  return {
    zone_id: zone.zoneId,
    device_id: deviceIdAt(plan, zone, atMs),
    status: outage ? "offline" : "online",
    platform: isSignBox ? "signbox" : "linux",
    model: isSignBox ? "SB-20" : random.pick(["MP-3", "MP-4"]),
    firmware: isSignBox ? (isUpdated ? "2.12.0" : "2.11.0") : "4.2.1",
    version: lastOnlineMs < (plan.firstDay + 21) * dayMs ? "5.8.2" : "5.9.0",
    ip_address: `10.${zone.location.locationId % 250}.${zone.index % 250}.${random.between(2, 250)}`,
    mac_address: `00:1b:c5:${mac.join(":")}`,
    bandwidth_kbps: String(dayRandom.between(4_000, 60_000)),
    storage_used_mb: String(Math.floor(storageTotalMb * (0.3 + 0.3 * dayRandom.fraction()))),
    storage_total_mb: String(storageTotalMb),
    last_online_date: dateTimeText(lastOnlineMs),
    last_online_ago: Math.floor((atMs - lastOnlineMs) / 1000),
    last_play_date: lastPlayMs === undefined ? "" : dateTimeText(lastPlayMs),
    last_sd_error: sdErrorMs === undefined ? "" : "I/O error while reading sector 20481",
    last_sd_error_date: sdErrorMs === undefined ? "" : dateTimeText(sdErrorMs),
    location: { location_id: locationId, ...address },
  };
}

/** Returns the start of the latest play of any kind that the service shows. */
function findLastPlay(plan: WorldPlan, zone: Zone, atMs: number): number | undefined {
  const lastDay = Math.min(zone.clock.dayAt(atMs), plan.firstDay + plan.days - 1);
  for (let day = lastDay; day >= plan.firstDay; day -= 1) {
    const newest = kinds.flatMap(
      (kind) =>
        listDayPlays(plan, kind, zone, day).findLast((play) => (findVisibleSeconds(play, atMs) ?? 0) > 0) ??
        [],
    );
    if (newest.length > 0) return Math.max(...newest.map(({ startedAtMs }) => startedAtMs));
  }
  return undefined;
}

/** Returns the time of a device's SD card error. One device in six has an error, within the first ten days. */
function findLastSdError(plan: WorldPlan, zone: Zone, atMs: number): number | undefined {
  if (zone.index % 6 !== 1) return undefined;
  const random = new Random(plan.seed, "card", zone.deviceId);
  const errorMs = plan.firstDay * dayMs + random.between(0, 10 * 86_400) * 1000;
  return errorMs <= atMs ? errorMs : undefined;
}

/**
 * Formats an instant as `YYYY-MM-DD HH:MM:SS` in UTC, the service's format for date-times without an offset.
 */
export function dateTimeText(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 19).replace("T", " ");
}

const hourMs = 3_600_000;
const shownCount = 4;
const lookbackHours = 72;

/** Returns the times of the latest screenshots, newest first: on the hour, while the device was up. */
export function screenshotInstants(plan: WorldPlan, zone: Zone, atMs: number): number[] {
  const newestMs = Math.floor(atMs / hourMs) * hourMs;
  const instants: number[] = [];
  for (let back = 0; back < lookbackHours && instants.length < shownCount; back += 1) {
    const takenAtMs = newestMs - back * hourMs;
    const isDown = findOutages(plan.seed, zone.deviceId, takenAtMs, takenAtMs + 1).length > 0;
    if (!isDown) instants.push(takenAtMs);
  }
  return instants;
}
