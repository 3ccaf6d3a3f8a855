import { dayMs } from "./calendar-day.ts";
import type { ContentKind } from "./content/content-kind.ts";
import {
  type AssetRecord,
  assetsOfGroup,
  type CampaignRecord,
  campaignsOfGroup,
} from "./content/content-listing.ts";
import { type Playlist, selectZonePlaylists } from "./content/song.ts";
import { type DeviceStatus, deviceStatusAt } from "./devices/device-status.ts";
import { countLines, type LineCounts, type LineCountsQuery } from "./history/day-lines.ts";
import { type PlaysQuery, type TruePlay, truePlays } from "./plays/true-play.ts";
import { groupIds, type Zone } from "./premises/zone.ts";
import { type Notice, type NoticeState, noticesAt } from "./status/notice.ts";
import { planNotices } from "./status/plan-notices.ts";
import { type ComponentState, componentsAt } from "./status/status-component.ts";
import { planWorld, type WorldOptions, type WorldPlan } from "./world-plan.ts";

/**
 * A chain of venues and its history. Everything is computed from the options and an instant, and nothing is
 * stored, so histories can have any size.
 */
export class World {
  readonly plan: WorldPlan;
  readonly groupIds: readonly number[] = groupIds;
  #noticesMade: readonly Notice[] | undefined;

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

  /** Counts the lines of an export by category. */
  lineCounts(query: LineCountsQuery): LineCounts {
    return countLines(this.plan, query);
  }

  zonesOfGroup(groupId: number): Zone[] {
    return this.zones.filter((zone) => zone.groupIds.includes(groupId));
  }

  findZone(zoneId: number): Zone | undefined {
    return this.zones.find((zone) => zone.zoneId === zoneId);
  }

  devices(groupId: number, at: Date): DeviceStatus[] {
    return [...this.eachDevice(groupId, at)];
  }

  /** Yields devices one at a time, because each takes a moment to compute. */
  *eachDevice(groupId: number, at: Date): Generator<DeviceStatus> {
    for (const zone of this.zonesOfGroup(groupId)) yield deviceStatusAt(this.plan, zone, at.getTime());
  }

  buildPlaylistsPath(zone: Zone): Playlist[] {
    return selectZonePlaylists(this.plan.seed, this.plan.playlists, zone);
  }

  /** Components of the service itself. */
  components(at: Date): ComponentState[] {
    return componentsAt(this.plan, this.#allNotices(), at.getTime());
  }

  /** Notices that were published by an instant, newest first. */
  notices(at: Date): NoticeState[] {
    return noticesAt(this.#allNotices(), at.getTime());
  }

  #allNotices(): readonly Notice[] {
    this.#noticesMade ??= planNotices(this.plan);
    return this.#noticesMade;
  }

  campaigns(kind: ContentKind, groupId: number, at: Date): CampaignRecord[] {
    return campaignsOfGroup(this.plan, kind, groupId, at.getTime());
  }

  assets(kind: ContentKind, groupId: number, at: Date): AssetRecord[] {
    return assetsOfGroup(this.plan, kind, groupId, at.getTime());
  }
}
