import { isEnabledIn } from "../world/content/campaign.ts";
import type { ContentKind } from "../world/content/content-kind.ts";
import {
  type CampaignStatus,
  knownAssets,
  type ListedAsset,
  type ListedCampaign,
  listedCampaigns,
} from "../world/content/content-listing.ts";
import type { Zone } from "../world/premises/zone.ts";
import type { WorldPlan } from "../world/world-plan.ts";

type NewCampaign = Omit<ListedCampaign, "kind" | "campaignId" | "assets">;
type NewAsset = Omit<ListedAsset, "kind" | "itemId">;

/**
 * Campaigns and assets of one kind: the world's, with the changes made by commands. Content that commands
 * create is listed but never plays, because history is generated from the world alone.
 */
export class ContentCatalogue {
  readonly #plan: WorldPlan;
  readonly #kind: ContentKind;
  readonly #campaigns: Owned<ListedCampaign>[] = [];
  readonly #assets: Owned<ListedAsset>[] = [];
  readonly #archivedCampaigns = new Set<number>();
  readonly #archivedAssets = new Set<number>();
  /** Per campaign, the assets added (true) or removed (false). */
  readonly #links = new Map<number, Map<number, boolean>>();
  /** Per campaign, the zones where it was enabled (true) or disabled (false). */
  readonly #enabled = new Map<number, Map<number, boolean>>();
  #nextId = 1201;

  constructor(plan: WorldPlan, kind: ContentKind) {
    this.#plan = plan;
    this.#kind = kind;
  }

  campaigns(atMs: number): Owned<ListedCampaign>[] {
    const ofWorld = listedCampaigns(this.#plan, this.#kind, atMs).map(
      (item): Owned<ListedCampaign> => ({ item, owner: { groupId: item.groupId } }),
    );
    const assets = new Map(this.assets(atMs).map(({ item }) => [item.itemId, item]));
    return [...ofWorld, ...this.#campaigns]
      .filter(({ item }) => !this.#archivedCampaigns.has(item.campaignId))
      .map(({ item, owner }) => ({ item: { ...item, assets: this.#linkedAssets(item, assets) }, owner }));
  }

  assets(atMs: number): Owned<ListedAsset>[] {
    const ofWorld = knownAssets(this.#plan, this.#kind, atMs).map(
      (item): Owned<ListedAsset> => ({ item, owner: { groupId: item.groupId } }),
    );
    return [...ofWorld, ...this.#assets].filter(({ item }) => !this.#archivedAssets.has(item.itemId));
  }

  /** Returns the status of a campaign in a zone where it is accessible. */
  statusIn(zone: Zone, campaignId: number, atMs: number): CampaignStatus {
    const planned = this.#plan.campaigns.find(
      (campaign) => campaign.kind === this.#kind && campaign.campaignId === campaignId,
    );
    const byCommand = this.#enabled.get(campaignId)?.get(zone.zoneId);
    return (byCommand ?? (!planned || isEnabledIn(planned, zone, atMs))) ? "enabled" : "disabled";
  }

  createCampaign(owner: ContentOwner, campaign: NewCampaign): void {
    const item = { ...campaign, kind: this.#kind, campaignId: this.#takeId(), assets: [] };
    this.#campaigns.push({ owner, item });
  }

  createAsset(owner: ContentOwner, asset: NewAsset): void {
    this.#assets.push({ owner, item: { ...asset, kind: this.#kind, itemId: this.#takeId() } });
  }

  archiveCampaign(campaignId: number): void {
    this.#archivedCampaigns.add(campaignId);
  }

  /** Also removes the asset from its campaigns. */
  archiveAsset(assetId: number): void {
    this.#archivedAssets.add(assetId);
  }

  setEnabled({ zoneId }: Zone, campaignId: number, isEnabled: boolean): void {
    getOrCreateEntry(this.#enabled, campaignId).set(zoneId, isEnabled);
  }

  setLinked(campaignId: number, assetId: number, isLinked: boolean): void {
    getOrCreateEntry(this.#links, campaignId).set(assetId, isLinked);
  }

  #linkedAssets(
    { campaignId, assets: planned }: ListedCampaign,
    assets: ReadonlyMap<number, ListedAsset>,
  ): ListedAsset[] {
    const links = this.#links.get(campaignId);
    const stay = planned.filter(
      ({ itemId }) => links?.get(itemId) !== false && !this.#archivedAssets.has(itemId),
    );
    const added = [...(links ?? [])]
      .filter(([assetId, isLinked]) => isLinked && !stay.some(({ itemId }) => itemId === assetId))
      .flatMap(([assetId]) => assets.get(assetId) ?? []);
    return [...stay, ...added];
  }

  /** Returns an id that no content of the world has. Campaigns and assets share one sequence. */
  #takeId(): number {
    this.#nextId += 1;
    return this.#nextId - 1;
  }
}

function getOrCreateEntry<Value>(map: Map<number, Map<number, Value>>, key: number): Map<number, Value> {
  const entry = map.get(key) ?? new Map<number, Value>();
  map.set(key, entry);
  return entry;
}

/** Owner of a campaign or an asset: a group or a zone. */
export type ContentOwner = { groupId: number } | { zoneId: number };

export interface Owned<Item> {
  item: Item;
  owner: ContentOwner;
}

/** Returns true if content is accessible in a zone. A group's content is accessible in all of its zones. */
export function isAccessibleIn({ owner }: Owned<unknown>, zone: Zone): boolean {
  return "groupId" in owner ? zone.groupIds.includes(owner.groupId) : owner.zoneId === zone.zoneId;
}

export function isOwnedBy({ owner }: Owned<unknown>, other: ContentOwner): boolean {
  return "groupId" in owner
    ? "groupId" in other && owner.groupId === other.groupId
    : "zoneId" in other && owner.zoneId === other.zoneId;
}
