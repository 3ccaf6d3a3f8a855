import type { WorldOptions } from "../options.ts";
import { dayMs } from "./calendar-day.ts";
import type { ContentKind } from "./content/campaign.ts";
import { assetRecord, campaignRecord, knownAssets, listedCampaigns } from "./content/listing.ts";
import { type DeviceStatus, deviceStatusAt } from "./devices/device-status.ts";
import { countLines, type LineCountsQuery } from "./history/lines.ts";
import { type PlaysQuery, type TruePlay, truePlays } from "./plays/true-play.ts";
import { groupIds, type Zone } from "./premises/zone.ts";
import { planWorld, type WorldPlan } from "./world-plan.ts";

/**
 * A chain of venues and its history. Everything is computed from the options and an instant. Nothing is stored,
 * so histories can have any size.
 */
export class World {
  readonly plan: WorldPlan;
  readonly groupIds: readonly number[] = groupIds;

  /** @throws {EmulatorOptionError} naming an option that is out of range */
  constructor(options: WorldOptions = {}) {
    this.plan = planWorld(options);
  }

  get zones(): readonly Zone[] {
    return this.plan.zones;
  }

  /** End of the history: half a day after the last local day, when all zones have closed. */
  get endsAt(): Date {
    return new Date((this.plan.firstDay + this.plan.days + 0.5) * dayMs);
  }

  /** Returns the plays that an analyst should count, computed directly from the world. */
  plays(query: PlaysQuery): Iterable<TruePlay> {
    return truePlays(this.plan, query);
  }

  lineCounts(query: LineCountsQuery): ReturnType<typeof countLines> {
    return countLines(this.plan, query);
  }

  zonesOfGroup(groupId: number): Zone[] {
    return this.zones.filter((zone) => zone.groupIds.includes(groupId));
  }

  findZone(zoneId: number): Zone | undefined {
    return this.zones.find((zone) => zone.zoneId === zoneId);
  }

  /** @throws {RangeError} for an unknown zone */
  getZone(zoneId: number): Zone {
    const zone = this.findZone(zoneId);
    if (zone) return zone;
    throw new RangeError(`The world has no zone ${zoneId}.`);
  }

  devices(groupId: number, at: Date): DeviceStatus[] {
    return [...this.eachDevice(groupId, at)];
  }

  /** Yields devices one at a time, because computing them takes a while. */
  *eachDevice(groupId: number, at: Date): Generator<DeviceStatus> {
    for (const zone of this.zonesOfGroup(groupId)) yield deviceStatusAt(this.plan, zone, at.getTime());
  }

  /** Returns the campaigns that a group owns, without archived ones. */
  campaigns(kind: ContentKind, groupId: number, at: Date): ReturnType<typeof campaignRecord>[] {
    return listedCampaigns(this.plan, kind, at.getTime())
      .filter((campaign) => campaign.groupId === groupId)
      .map(({ item }) => campaignRecord(item, "enabled", at.getTime()));
  }

  /** Returns the assets that a group owns. */
  assets(kind: ContentKind, groupId: number, at: Date): ReturnType<typeof assetRecord>[] {
    return knownAssets(this.plan, kind, at.getTime())
      .filter((asset) => asset.groupId === groupId)
      .map(({ item }) => assetRecord(item, at.getTime()));
  }
}
