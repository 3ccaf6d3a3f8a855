import type { Settings } from "../../config/settings.ts";
import { keptRate } from "../../state/client/pace.ts";
import type { CollectionScope } from "../../state/data/collections.ts";
import { type SyncTopic, syncTopics } from "../sync-topic.ts";
import type { Mode } from "./history-plan.ts";

export interface SyncOptions {
  topics: readonly SyncTopic[];
  /** Days that a loaded landing is kept, at least. */
  keepLandingDays: number;
  /** How histories are collected. @default "auto": as is cheaper */
  mode?: Mode | undefined;
  /** Walks read everything anew, whatever is known. @default false */
  isFull?: boolean | undefined;
  /** Real minutes after which nothing new is begun; the next sync goes on. @default as long as it takes */
  maxMinutes?: number | undefined;
  /** Minutes' worth of requests for campaigns and assets of single zones. @default 10 */
  campaignMinutes?: number | undefined;
  /** How long one export is waited for, in real minutes, before its zones are walked. @default 60 */
  exportPatienceMinutes?: number | undefined;
}

export const defaultCampaignMinutes = 10;

/** A sync of some topics alone, or one that reads everything anew, neither goes on with another one nor ends it. */
export function scopeOf(settings: Settings, { topics, isFull }: SyncOptions): CollectionScope {
  const words = syncTopics.filter((topic) => topics.includes(topic));
  return {
    service: settings.get("VENUE_BASE_URL").href,
    scope: [...words, ...(isFull ? ["full"] : [])].join(" "),
  };
}

/** Listings of single zones that a sync may ask for. */
export function zoneListingsOf(settings: Settings, { campaignMinutes }: SyncOptions): number {
  const minutes = campaignMinutes ?? defaultCampaignMinutes;
  return Math.floor(minutes * 60 * keptRate(settings.get("VENUE_RATE_PER_SECOND")));
}
