import { type CalendarDay, dateText, dayMs } from "../calendar-day.ts";
import { nameAt } from "../random.ts";
import type { WorldPlan } from "../world-plan.ts";
import { type Asset, type Campaign, type ContentKind, campaignAt, isListed } from "./campaign.ts";

/** Status in the requested zone; always enabled in a group's listing. */
export type CampaignStatus = "enabled" | "disabled";

export type ListedCampaign = Pick<
  Campaign,
  "campaignId" | "name" | "addDay" | "startDay" | "endDay" | "rrule" | "assets"
>;

/** Content and its owner: a group or a zone. A group's content is accessible in all of its zones. */
export type WithOwner<Item> = { item: Item } & ContentOwner;
export type ContentOwner = { groupId?: number | undefined; zoneId?: number | undefined };

/** Returns all groups' campaigns at an instant, without archived ones. */
export function listedCampaigns(
  plan: WorldPlan,
  kind: ContentKind,
  atMs: number,
): WithOwner<ListedCampaign>[] {
  return plan.campaigns
    .filter((campaign) => campaign.kind === kind && isListed(campaign, atMs))
    .map((campaign) => ({ item: campaignAt(campaign, atMs), groupId: campaign.groupId }));
}

/** Returns all groups' assets at an instant, even if not linked to a campaign, ordered by id. */
export function knownAssets(plan: WorldPlan, kind: ContentKind, atMs: number): WithOwner<Asset>[] {
  const assets = new Map<number, WithOwner<Asset>>();
  for (const { assets: planned, groupId } of plan.campaigns.filter((campaign) => campaign.kind === kind)) {
    for (const item of planned) if (item.addDay * dayMs <= atMs) assets.set(item.itemId, { item, groupId });
  }
  return [...assets.values()].sort((left, right) => left.item.itemId - right.item.itemId);
}

/** Returns a campaign's record in the service's format. Empty dates mean no limit. */
export function campaignRecord(campaign: ListedCampaign, status: CampaignStatus, atMs: number) {
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

/** Returns an asset's record in the service's format. */
export function assetRecord(asset: Asset, atMs: number) {
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
