import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { publishFixture } from "../../support/published-fixture.ts";
import { randomNumbers } from "../../support/random-numbers.ts";

export const dayMs = 86_400_000;
const hourMs = 3_600_000;

type DeviceState = "up" | "down" | "unknown";

interface SimulatedDevice {
  deviceId: number;
  zoneId: number;
  state: DeviceState;
  lastOnlineMs: number;
  /** Result of the device's last check. */
  checked?: { state: DeviceState; lastOnlineMs: number; atMs: number; usedShare: number | null };
}

type Outcome = "compliant" | "missed" | "missed_offline" | "not_measurable" | "closed";

const zoneIds = [1, 2, 3, 4];
export const campaignIds = [11, 12];
const groupId = 5;
/** Days until a day's plays are settled. */
const settleDays = 2;
const firstDay = Date.UTC(2026, 10, 2) / dayMs;
/** Campaign days begin earlier, so that the first run has whole weeks. */
const firstCampaignDay = firstDay - 12;
/** The last day of campaign 12. */
const endOfCampaign = firstDay + 17;

/**
 * A few zones over a month: devices flap, are replaced, or report unknown states; campaigns are missed for some
 * days; collections fail, so that data is late or old. All zones are in UTC.
 */
export class SimulatedWorld {
  nowMs = firstDay * dayMs + 4.5 * hourMs;
  readonly devices: SimulatedDevice[];
  /** Instants of the last complete collections. */
  readonly collectedMs = { devices: 0, campaigns: 0, history: 0 };
  readonly #random: (n: number) => number;
  /** Zones that were open all day, but without plays, as of the last collection of history. */
  silentZones: readonly number[] = [];
  readonly #outcomes = new Map<string, Outcome>();
  #versions = 0;

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
    this.devices = zoneIds.map((zoneId) => ({
      deviceId: 40 + zoneId,
      zoneId,
      state: "up",
      lastOnlineMs: this.nowMs,
    }));
    for (const campaignId of campaignIds)
      for (const zoneId of zoneIds) this.#planOutcomes(campaignId, zoneId);
    this.#collect(false);
  }

  get day(): number {
    return Math.floor(this.nowMs / dayMs) - firstDay;
  }

  /** Advances to the next run: daily at 05:30, and on some days again later, even after midnight. */
  advance(): void {
    const morning = Math.floor((this.nowMs + 18.5 * hourMs) / dayMs) * dayMs + 5.5 * hourMs;
    const later = this.nowMs + (4 + this.#random(17)) * hourMs;
    const isMorning = this.nowMs % dayMs === 5.5 * hourMs;
    this.nowMs = isMorning && this.#random(3) === 0 ? later : morning;
    for (const device of this.devices) this.#changeDevice(device);
    if (this.#random(25) === 0) this.#replaceDevice();
    this.#collect(true);
  }

  /** State of a campaign's day in a zone according to the collected data; undefined if it is not scheduled. */
  stateOf(campaignId: number, zoneId: number, day: number): Outcome | "pending" | undefined {
    const outcome = this.#outcomes.get(`${campaignId} ${zoneId} ${day}`);
    const settledBefore = Math.floor(this.collectedMs.history / dayMs) - settleDays;
    return outcome !== undefined && day >= settledBefore ? "pending" : outcome;
  }

  /** Last day that has ended according to the data, in days since 1970. */
  get lastWholeDay(): number {
    return Math.floor(Math.min(this.collectedMs.history, this.collectedMs.campaigns) / dayMs) - 1;
  }

  /** True for a device in the latest listing. */
  isListed({ checked }: SimulatedDevice): boolean {
    return checked?.atMs === this.collectedMs.devices;
  }

  async publish(dataFolder: string): Promise<void> {
    const folder = join(dataFolder, "published");
    mkdirSync(folder, { recursive: true });
    this.#versions += 1;
    const { devices, campaigns, history } = this.collectedMs;
    const common = { group_id: groupId, loaded_at: iso(this.nowMs), records: 4, rejected: 0 };
    const days = Array.from({ length: 50 }, (_, index) => firstCampaignDay + index);
    await publishFixture(folder, {
      version: `v${String(this.#versions).padStart(6, "0")}`,
      dataAsOf: iso(history),
      rows: {
        dim_group: [{ group_id: groupId, group_name: "All" }],
        dim_location: [{ location_id: 1, location_name: "Harbor Market" }],
        dim_zone: zoneIds.map((zoneId) => ({
          zone_id: zoneId,
          zone_name: `Zone ${zoneId}`,
          location_id: 1,
          home_group_id: groupId,
          time_zone: "UTC",
          first_play_date: dateOf(firstCampaignDay),
          last_play_date: dateOf(this.lastWholeDay),
        })),
        bridge_group_zone: zoneIds.map((zoneId) => ({ group_id: groupId, zone_id: zoneId })),
        dim_device: this.devices.flatMap(({ deviceId, zoneId, checked }) =>
          checked
            ? {
                device_id: deviceId,
                zone_id: zoneId,
                first_seen_at: iso(firstDay * dayMs),
                last_seen_at: iso(checked.atMs),
                status: checked.state,
                state: checked.state,
                last_online_at: iso(checked.lastOnlineMs),
                storage_used_mb: checked.usedShare && checked.usedShare * 1000,
                storage_total_mb: 1000,
              }
            : [],
        ),
        fact_zone_opening: this.silentZones.map((zoneId) => ({
          zone_id: zoneId,
          date: iso(history).slice(0, 10),
          opens_at: iso(history - 2 * hourMs),
          closes_at: iso(history + 2 * hourMs),
        })),
        fact_freshness: [
          { group_id: groupId, kind: "signage", source: "export", requested_at: iso(history) },
        ],
        fact_snapshot: [
          { ...common, snapshot_id: 1, source: "devices", requested_at: iso(devices) },
          { ...common, snapshot_id: 2, source: "campaigns", kind: "signage", requested_at: iso(campaigns) },
        ],
        dim_campaign: campaignIds.map((campaignId) => ({
          campaign_key: campaignId,
          kind: "signage",
          campaign_id: campaignId,
          campaign_name: `Campaign ${campaignId}`,
          is_listed: true,
        })),
        fact_campaign_zone_day: campaignIds.flatMap((campaignId) =>
          zoneIds.flatMap((zoneId) =>
            days.flatMap((day) => {
              const state = day * dayMs > this.nowMs ? undefined : this.stateOf(campaignId, zoneId, day);
              if (state === undefined) return [];
              const key = { campaign_key: campaignId, kind: "signage", zone_id: zoneId, date: dateOf(day) };
              const reasons: Partial<Record<string, string>> = {
                missed: "other_content",
                missed_offline: "device_down",
              };
              const reason = reasons[state] ?? null;
              return { ...key, state, reason, is_assumed: false, active_assets: 1, played_assets: 0 };
            }),
          ),
        ),
      },
    });
  }

  /** Plans a campaign that runs for some days, then is missed for fewer; sometimes its state is unknown. */
  #planOutcomes(campaignId: number, zoneId: number): void {
    const last = campaignId === 12 ? endOfCampaign : firstDay + 40;
    let day = firstCampaignDay;
    while (day <= last) {
      const outcomes = (["compliant", "missed", "compliant", "missed_offline", "not_measurable"] as const)[
        this.#random(5)
      ];
      const length = outcomes === "compliant" ? 4 + this.#random(9) : 1 + this.#random(6);
      for (let until = day + length; day < until && day <= last; day += 1)
        this.#outcomes.set(
          `${campaignId} ${zoneId} ${day}`,
          this.#random(12) === 0 ? "closed" : (outcomes ?? "compliant"),
        );
    }
  }

  #changeDevice(device: SimulatedDevice): void {
    const was = device.state;
    const changes = { up: "uuuuuuuddn", down: "dddduuun", unknown: "nnuud" }[was];
    const letter = changes[this.#random(changes.length)];
    device.state = letter === "u" ? "up" : letter === "d" ? "down" : "unknown";
    if (device.state === "up") device.lastOnlineMs = this.nowMs;
    else if (was === "up") device.lastOnlineMs = this.nowMs - this.#random(180) * 60_000;
  }

  #replaceDevice(): void {
    const place = this.#random(zoneIds.length);
    const current = this.devices.findLast(({ zoneId }) => zoneId === zoneIds[place]);
    if (!current) return;
    const deviceId = Math.max(...this.devices.map((device) => device.deviceId)) + 10;
    this.devices.push({ ...current, deviceId, state: "up", lastOnlineMs: this.nowMs });
    delete this.devices.at(-1)?.checked;
  }

  /** Collects all sources; with failures, each succeeds or fails independently. */
  #collect(withFailures: boolean): void {
    const fails = (n: number) => withFailures && this.#random(n) === 0;
    if (!fails(4)) {
      this.collectedMs.devices = this.nowMs;
      for (const zoneId of zoneIds) {
        const device = this.devices.findLast((candidate) => candidate.zoneId === zoneId);
        if (!device) continue;
        const { state, lastOnlineMs } = device;
        const usedShare = [0.5, 0.9, device.checked?.usedShare ?? 0.5, null][this.#random(4)] ?? null;
        device.checked = { state, lastOnlineMs, atMs: this.nowMs, usedShare };
      }
    }
    if (!fails(3)) this.collectedMs.campaigns = this.nowMs;
    if (fails(3)) return;
    this.collectedMs.history = this.nowMs;
    this.silentZones = zoneIds.filter(() => this.#random(4) === 0);
  }
}

function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
