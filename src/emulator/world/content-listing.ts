import type { Asset } from "./asset.ts";
import { type CalendarDay, dateText, dayMs } from "./calendar-day.ts";
import { type Campaign, isListed } from "./campaign.ts";
import type { ContentKind } from "./content-kind.ts";
import { nameAt } from "./naming.ts";
import type { WorldPlan } from "./world-plan.ts";

/** An asset record as the service writes it. */
export interface AssetRecord {
  asset_id: number;
  name: string;
  preview_png: string;
  preview_gif: string;
  url: string;
  /** Seconds. */
  duration: number;
  add_date: string;
  /** Empty: open. */
  start_date: string;
  end_date: string;
}

/** A campaign record as the service writes it. */
export interface CampaignRecord {
  campaign_id: string;
  name: string;
  status: "enabled";
  add_date: string;
  /** Empty: open. */
  start_date: string;
  end_date: string;
  rrule: string;
  assets: AssetRecord[];
}

/** The campaigns that a group owns at an instant, archived ones left out. */
export function campaignsOfGroup(
  plan: WorldPlan,
  kind: ContentKind,
  groupId: number,
  atMs: number,
): CampaignRecord[] {
  return plan.campaigns
    .filter((campaign) => campaign.kind === kind && campaign.groupId === groupId && isListed(campaign, atMs))
    .map((campaign) => campaignRecord(campaign, atMs));
}

/** The assets that a group owns at an instant, linked to a campaign or not. */
export function assetsOfGroup(
  plan: WorldPlan,
  kind: ContentKind,
  groupId: number,
  atMs: number,
): AssetRecord[] {
  const assets = new Map<number, Asset>();
  for (const campaign of plan.campaigns) {
    if (campaign.kind !== kind || campaign.groupId !== groupId) continue;
    for (const asset of campaign.assets) if (asset.addDay * dayMs <= atMs) assets.set(asset.itemId, asset);
  }
  return [...assets.values()]
    .sort((left, right) => left.itemId - right.itemId)
    .map((asset) => assetRecord(asset, atMs));
}

function campaignRecord(campaign: Campaign, atMs: number): CampaignRecord {
  return {
    campaign_id: String(campaign.campaignId),
    name: campaign.name,
    status: "enabled",
    add_date: dateText(campaign.addDay),
    start_date: openDate(campaign.startDay),
    end_date: openDate(campaign.endDay),
    rrule: campaign.rrule,
    assets: campaign.assets.map((asset) => assetRecord(asset, atMs)),
  };
}

function assetRecord(asset: Asset, atMs: number): AssetRecord {
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
