import type { Settings } from "../../config/settings.ts";
import { computeAllowedRate } from "../../state/client/pace.ts";
import type { CollectionScope } from "../../state/data/collections.ts";
import { type SyncTopic, syncTopics } from "../sync-topic.ts";
import type { Mode } from "./history-plan.ts";

export interface CollectOptions {
  topics: readonly SyncTopic[];
  /** Method for histories. @default "auto", which chooses the cheaper one */
  mode?: Mode | undefined;
  /** If true, walks read everything again, regardless of earlier walks. @default false */
  isFull?: boolean | undefined;
  /** Minutes of real time after which no new work begins; the next sync continues. @default unlimited */
  maxMinutes?: number | undefined;
  /** Minutes to spend on requests for campaigns and assets of single zones. @default 10 */
  campaignMinutes?: number | undefined;
  /** Maximum wait for one export, in minutes of real time. Its zones are walked afterwards. @default 60 */
  exportPatienceMinutes?: number | undefined;
}

export interface SyncOptions extends CollectOptions {
  /** Minimum number of days that a loaded landing is kept. */
  keepLandingDays: number;
}

export const defaultCampaignMinutes = 10;

/** Returns the scope of a sync. Syncs with different topics have separate collections, as do full syncs. */
export function describeScope(settings: Settings, { topics, isFull }: CollectOptions): CollectionScope {
  const words = syncTopics.filter((topic) => topics.includes(topic));
  return {
    service: settings.get("VENUE_BASE_URL").href,
    scope: [...words, ...(isFull ? ["full"] : [])].join(" "),
  };
}

/** Returns the maximum number of listings that a sync requests for single zones. */
export function computeZoneListings(settings: Settings, { campaignMinutes }: CollectOptions): number {
  const minutes = campaignMinutes ?? defaultCampaignMinutes;
  return Math.floor(minutes * 60 * computeAllowedRate(settings.get("VENUE_RATE_PER_SECOND")));
}
