import { dayMs } from "./calendar-day.ts";
import type { ContentKind } from "./content-kind.ts";
import { type AssetRecord, assetsOfGroup, type CampaignRecord, campaignsOfGroup } from "./content-listing.ts";
import { type DeviceStatus, deviceStatusAt } from "./device-status.ts";
import { countLines, type LineCounts, type LineCountsQuery } from "./line-counts.ts";
import { type PlaysQuery, type TruePlay, truePlays } from "./true-play.ts";
import { planWorld, type WorldOptions, type WorldPlan } from "./world-plan.ts";
import { groupIds, type Zone } from "./zone.ts";

/**
 * A chain of venues and what happened there. Everything is a function of the options and of the instant asked
 * about; nothing is stored, so histories may be of any size.
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

  /** Half a day after the last local day: everywhere its zones have closed. */
  get endsAt(): Date {
    return new Date((this.plan.firstDay + this.plan.days + 0.5) * dayMs);
  }

  /** The plays that an analyst should find, counted from the world itself. */
  plays(query: PlaysQuery): Iterable<TruePlay> {
    return truePlays(this.plan, query);
  }

  /** What the lines of an export are. */
  lineCounts(query: LineCountsQuery): LineCounts {
    return countLines(this.plan, query);
  }

  zonesOfGroup(groupId: number): Zone[] {
    return this.zones.filter((zone) => zone.groupIds.includes(groupId));
  }

  devices(groupId: number, at: Date): DeviceStatus[] {
    return this.zonesOfGroup(groupId).map((zone) => deviceStatusAt(this.plan, zone, at.getTime()));
  }

  campaigns(kind: ContentKind, groupId: number, at: Date): CampaignRecord[] {
    return campaignsOfGroup(this.plan, kind, groupId, at.getTime());
  }

  assets(kind: ContentKind, groupId: number, at: Date): AssetRecord[] {
    return assetsOfGroup(this.plan, kind, groupId, at.getTime());
  }
}
