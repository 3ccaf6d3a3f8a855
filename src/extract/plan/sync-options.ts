import type { Settings } from "../../config/settings.ts";
import { computeAllowedRate } from "../../state/client/pace.ts";
import type { CollectionScope } from "../../state/data/collections.ts";
import { type SyncTopic, syncTopics } from "../sync-topic.ts";
import type { Mode } from "./history-plan.ts";

export interface SyncOptions {
  topics: readonly SyncTopic[];
  /** Minimum days to keep a loaded landing. */
  keepLandingDays: number;
  /** Method for histories. @default "auto": the cheaper one */
  mode?: Mode | undefined;
  /** Walks read everything again, regardless of earlier ones. @default false */
  isFull?: boolean | undefined;
  /** Real minutes after which nothing new begins; the next sync continues. @default unlimited */
  maxMinutes?: number | undefined;
  /** Time for requests for campaigns and assets of single zones, in minutes. @default 10 */
  campaignMinutes?: number | undefined;
  /** Longest wait for one export before its zones are walked, in real minutes. @default 60 */
  exportPatienceMinutes?: number | undefined;
}

export const defaultCampaignMinutes = 10;

/** Returns a sync's scope: different topics, or a full sync, have a collection of their own. */
export function describeScope(settings: Settings, { topics, isFull }: SyncOptions): CollectionScope {
  const words = syncTopics.filter((topic) => topics.includes(topic));
  return {
    service: settings.get("VENUE_BASE_URL").href,
    scope: [...words, ...(isFull ? ["full"] : [])].join(" "),
  };
}

/** Returns how many listings of single zones a sync may request. */
export function computeZoneListings(settings: Settings, { campaignMinutes }: SyncOptions): number {
  const minutes = campaignMinutes ?? defaultCampaignMinutes;
  return Math.floor(minutes * 60 * computeAllowedRate(settings.get("VENUE_RATE_PER_SECOND")));
}
