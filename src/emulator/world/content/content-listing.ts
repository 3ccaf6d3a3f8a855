import { type CalendarDay, dateText, dayMs } from "../calendar-day.ts";
import { nameAt } from "../random.ts";
import type { WorldPlan } from "../world-plan.ts";
import type { Asset } from "./asset.ts";
import { type Campaign, campaignAt, isListed } from "./campaign.ts";
import type { ContentKind } from "./content-kind.ts";

/** An asset record in the service's format. */
export interface AssetRecord {
  asset_id: number;
  name: string;
  preview_png: string;
  preview_gif: string;
  url: string;
  /** Seconds. */
  duration: number;
  add_date: string;
  /** Empty means no limit. */
  start_date: string;
  end_date: string;
}

/** Status of a campaign in a zone. */
export type CampaignStatus = "enabled" | "disabled";

/** A campaign record in the service's format. */
export interface CampaignRecord {
  campaign_id: string;
  name: string;
  status: CampaignStatus;
  add_date: string;
  /** Empty means no limit. */
  start_date: string;
  end_date: string;
  rrule: string;
  assets: AssetRecord[];
}

export type ListedAsset = Omit<Asset, "groupId">;

export interface ListedCampaign
  extends Pick<Campaign, "kind" | "campaignId" | "name" | "addDay" | "startDay" | "endDay" | "rrule"> {
  assets: readonly ListedAsset[];
}

/** Returns the campaigns that a group owns at an instant, without archived ones. */
export function campaignsOfGroup(
  plan: WorldPlan,
  kind: ContentKind,
  groupId: number,
  atMs: number,
): CampaignRecord[] {
  return listedCampaigns(plan, kind, atMs)
    .filter((campaign) => campaign.groupId === groupId)
    .map((campaign) => campaignRecord(campaign, "enabled", atMs));
}

/** Returns the assets that a group owns at an instant, linked to a campaign or not. */
export function assetsOfGroup(
  plan: WorldPlan,
  kind: ContentKind,
  groupId: number,
  atMs: number,
): AssetRecord[] {
  return knownAssets(plan, kind, atMs)
    .filter((asset) => asset.groupId === groupId)
    .map((asset) => assetRecord(asset, atMs));
}

/** Returns the world's campaigns of all groups at an instant, without archived ones. */
export function listedCampaigns(plan: WorldPlan, kind: ContentKind, atMs: number): Campaign[] {
  return plan.campaigns
    .filter((campaign) => campaign.kind === kind && isListed(campaign, atMs))
    .map((campaign) => campaignAt(campaign, atMs));
}

/** Returns the world's assets of all groups at an instant, ordered by id. */
export function knownAssets(plan: WorldPlan, kind: ContentKind, atMs: number): Asset[] {
  const assets = new Map<number, Asset>();
  for (const campaign of plan.campaigns) {
    if (campaign.kind !== kind) continue;
    for (const asset of campaign.assets) if (asset.addDay * dayMs <= atMs) assets.set(asset.itemId, asset);
  }
  return [...assets.values()].sort((left, right) => left.itemId - right.itemId);
}

export function campaignRecord(
  campaign: ListedCampaign,
  status: CampaignStatus,
  atMs: number,
): CampaignRecord {
  return {
    campaign_id: String(campaign.campaignId),
    name: campaign.name,
    status,
    add_date: dateText(campaign.addDay),
    start_date: openDate(campaign.startDay),
    end_date: openDate(campaign.endDay),
    rrule: campaign.rrule,
    assets: campaign.assets.map((asset) => assetRecord(asset, atMs)),
  };
}

export function assetRecord(asset: ListedAsset, atMs: number): AssetRecord {
  const { kind, itemId, durationSecs, addDay, startDay, endDay, naming } = asset;
  const file = `https://media.example/${kind}/${itemId}`;
  return {
    asset_id: itemId,
    name: nameAt(naming, atMs),
    preview_png: `${file}.png`,
    preview_gif: `${file}.gif`,
    url: `${file}.${kind === "signage" ? "mp4" : "mp3"}`,
    duration: durationSecs,
    add_date: dateText(addDay),
    start_date: openDate(startDay),
    end_date: openDate(endDay),
  };
}

function openDate(day: CalendarDay | undefined): string {
  return day === undefined ? "" : dateText(day);
}
