import { type Asset, type ContentKind, isEnabledIn } from "../world/content/campaign.ts";
import {
  type CampaignStatus,
  type ContentOwner,
  knownAssets,
  type ListedCampaign,
  listedCampaigns,
  type WithOwner,
} from "../world/content/listing.ts";
import type { Zone } from "../world/premises/zone.ts";
import type { WorldPlan } from "../world/world-plan.ts";

/**
 * The world's campaigns and assets of one kind, with the changes made by commands. Content created by commands
 * is listed but never plays, because history is generated only from the world.
 */
export class ContentCatalogue {
  readonly #plan: WorldPlan;
  readonly #kind: ContentKind;
  readonly #campaigns: WithOwner<ListedCampaign>[] = [];
  readonly #assets: WithOwner<Asset>[] = [];
  readonly archivedCampaigns = new Set<number>();
  /** Archived assets are also removed from their campaigns. */
  readonly archivedAssets = new Set<number>();
  /** Links that commands added (true) or removed (false), keyed by campaign and asset. */
  readonly #links = new Map<string, { campaignId: number; assetId: number; isLinked: boolean }>();
  /** True if commands enabled the campaign, false if they disabled it; keyed by campaign and zone. */
  readonly #enabled = new Map<string, boolean>();
  /** Next id for new campaigns and assets, unused in the world. */
  #nextId = 1201;

  constructor(plan: WorldPlan, kind: ContentKind) {
    this.#plan = plan;
    this.#kind = kind;
  }

  campaigns(atMs: number): WithOwner<ListedCampaign>[] {
    const known = this.assets(atMs).map(({ item }) => item);
    return [...listedCampaigns(this.#plan, this.#kind, atMs), ...this.#campaigns]
      .filter(({ item }) => !this.archivedCampaigns.has(item.campaignId))
      .map((owned) => ({ ...owned, item: { ...owned.item, assets: this.#linkedAssets(owned.item, known) } }));
  }

  assets(atMs: number): WithOwner<Asset>[] {
    return [...knownAssets(this.#plan, this.#kind, atMs), ...this.#assets].filter(
      ({ item }) => !this.archivedAssets.has(item.itemId),
    );
  }

  /** Returns the status of a campaign in a zone where it is accessible. */
  statusIn(zone: Zone, campaignId: number, atMs: number): CampaignStatus {
    const planned = this.#plan.campaigns.find(
      (campaign) => campaign.kind === this.#kind && campaign.campaignId === campaignId,
    );
    const byCommand = this.#enabled.get(`${campaignId} ${zone.zoneId}`);
    return (byCommand ?? (!planned || isEnabledIn(planned, zone, atMs))) ? "enabled" : "disabled";
  }

  createCampaign(owner: ContentOwner, campaign: Omit<ListedCampaign, "campaignId" | "assets">): void {
    this.#campaigns.push({ ...owner, item: { ...campaign, campaignId: this.#nextId, assets: [] } });
    this.#nextId += 1;
  }

  createAsset(owner: ContentOwner, asset: Omit<Asset, "kind" | "itemId">): void {
    this.#assets.push({ ...owner, item: { ...asset, kind: this.#kind, itemId: this.#nextId } });
    this.#nextId += 1;
  }

  setEnabled(zoneId: number, campaignId: number, isEnabled: boolean): void {
    this.#enabled.set(`${campaignId} ${zoneId}`, isEnabled);
  }

  setLinked(campaignId: number, assetId: number, isLinked: boolean): void {
    this.#links.set(`${campaignId} ${assetId}`, { campaignId, assetId, isLinked });
  }

  #linkedAssets({ campaignId, assets: planned }: ListedCampaign, known: readonly Asset[]): Asset[] {
    const links = [...this.#links.values()].filter((link) => link.campaignId === campaignId);
    const stay = planned.filter(
      ({ itemId }) =>
        !this.archivedAssets.has(itemId) &&
        !links.some(({ assetId, isLinked }) => assetId === itemId && !isLinked),
    );
    const added = links
      .filter(({ assetId, isLinked }) => isLinked && !stay.some(({ itemId }) => itemId === assetId))
      .flatMap(({ assetId }) => known.find(({ itemId }) => itemId === assetId) ?? []);
    return [...stay, ...added];
  }
}

/** Returns true if content is accessible in a zone. */
export function isAccessibleIn({ groupId, zoneId }: ContentOwner, zone: Zone): boolean {
  return zoneId === zone.zoneId || (groupId !== undefined && zone.groupIds.includes(groupId));
}

export function isOwnedBy(content: ContentOwner, { groupId, zoneId }: ContentOwner): boolean {
  return content.groupId === groupId && content.zoneId === zoneId;
}
