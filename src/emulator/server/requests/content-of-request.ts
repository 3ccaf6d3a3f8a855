import type { Context } from "hono";
import { type ContentOwner, isAccessibleIn, isOwnedBy, type Owned } from "../../changes/content-owner.ts";
import type { ContentKind } from "../../world/content/content-kind.ts";
import type { ListedAsset, ListedCampaign } from "../../world/content/content-listing.ts";
import type { Zone } from "../../world/premises/zone.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { RefusalError } from "../refusal-error.ts";
import type { ServiceEnv } from "../service-env.ts";
import { readableGroup, readableZone } from "./readable.ts";

/** Whose campaigns and assets an endpoint is about: the last part of its path. */
export const ownerForms = ["group", "zone"] as const;
export type OwnerForm = (typeof ownerForms)[number];

/** @throws {RefusalError} 404 for an unknown group or zone, 403 for one that is not the client's */
export function readableOwner(
  c: Context<ServiceEnv>,
  service: EmulatedService,
  form: OwnerForm,
  ownerId: number,
): ContentOwner {
  if (form === "group") return { groupId: readableGroup(c, service, ownerId) };
  return { zoneId: readableZone(c, service, ownerId).zoneId };
}

/** What a listing of a group or a zone holds: a group's own, and in a zone all that is accessible there. */
export function listedFor<Item>(
  { world }: EmulatedService,
  owned: readonly Owned<Item>[],
  owner: ContentOwner,
): Owned<Item>[] {
  const zone = "zoneId" in owner ? world.findZone(owner.zoneId) : undefined;
  return owned.filter((entry) => (zone ? isAccessibleIn(entry, zone) : isOwnedBy(entry, owner)));
}

/** @throws {RefusalError} 404 unless it is listed, and there is a place where the client may use it, or just the one named */
export function usableCampaign(
  service: EmulatedService,
  kind: ContentKind,
  campaignId: number,
  where?: ContentOwner | Zone,
): Owned<ListedCampaign> {
  const campaigns = service.catalogues[kind].campaigns(service.clock.now.getTime());
  const found = campaigns.find(({ item }) => item.campaignId === campaignId);
  if (found && isUsable(service, found, where)) return found;
  throw new RefusalError(404, "unknown_campaign", `There is no ${kind} campaign ${campaignId} here.`);
}

/** The same for an asset. */
export function usableAsset(
  service: EmulatedService,
  kind: ContentKind,
  assetId: number,
  where?: ContentOwner,
): Owned<ListedAsset> {
  const assets = service.catalogues[kind].assets(service.clock.now.getTime());
  const found = assets.find(({ item }) => item.itemId === assetId);
  if (found && isUsable(service, found, where)) return found;
  throw new RefusalError(404, "unknown_asset", `There is no ${kind} asset ${assetId} here.`);
}

function isUsable(
  { access, world }: EmulatedService,
  entry: Owned<unknown>,
  where?: ContentOwner | Zone,
): boolean {
  if (where) return "deviceId" in where ? isAccessibleIn(entry, where) : isOwnedBy(entry, where);
  const { owner } = entry;
  if ("groupId" in owner) return access.mayRead([owner.groupId]);
  return access.mayRead(world.findZone(owner.zoneId)?.groupIds ?? []);
}
