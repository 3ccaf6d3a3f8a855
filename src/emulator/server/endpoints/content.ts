import { z } from "zod";
import { contentKinds } from "../../../util/kind.ts";
import { type ContentCatalogue, isAccessibleIn, isOwnedBy } from "../../changes/content-catalogue.ts";
import { dayMs } from "../../world/calendar-day.ts";
import {
  assetRecord,
  type ContentOwner,
  campaignRecord,
  type WithOwner,
} from "../../world/content/listing.ts";
import { RefusalError } from "../refusal-error.ts";
import { type AddRoute, integer, integerText } from "../routes.ts";
import type { Service } from "../service.ts";

/** Campaigns and assets, with the same endpoints for both kinds: `signage/…` and `messaging/…`. */
export function addContentRoutes(add: AddRoute, service: Service): void {
  for (const kind of contentKinds) {
    const catalogue = service.catalogues[kind];
    addOwnedRoutes(add, service, catalogue, `/${kind}`, "group");
    addOwnedRoutes(add, service, catalogue, `/${kind}`, "zone");
    addCommandRoutes(add, service, catalogue, `/${kind}/campaign`);
  }
}

/** Empty means no limit. */
const date = z
  .union([z.literal(""), z.iso.date()])
  .optional()
  .transform((text) => (text ? Date.parse(text) / dayMs : undefined));
const named = { name: z.string().regex(/\S/), start_date: date, end_date: date };

/** Any rule with a frequency is accepted. */
const rrule = z
  .string()
  .regex(/^$|\bFREQ=(SECONDLY|MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)\b/)
  .default("");

const file = z.instanceof(File).refine(({ size }) => size > 0, "must not be empty");
/** Assumed duration of every uploaded file, because the content is not read. */
const uploadedSecs = 15;

interface OwnerInputs {
  group_id?: number | undefined;
  zone_id?: number | undefined;
}

/** Lists, creates and archives the content of groups, or of zones. */
function addOwnedRoutes(
  add: AddRoute,
  { clock, world }: Service,
  catalogue: ContentCatalogue,
  root: string,
  form: "group" | "zone",
): void {
  /** Exactly one of the two fields is an input, and it is required. */
  const fieldOf = <Id extends z.ZodType>(id: Id) => {
    const shape: object = { [`${form}_id`]: id };
    return shape as Record<"group_id" | "zone_id", z.ZodOptional<Id>>;
  };
  const ownerOf = (inputs: OwnerInputs) => ({ groupId: inputs.group_id, zoneId: inputs.zone_id });
  const zoneOf = ({ zone_id: zoneId }: OwnerInputs) =>
    zoneId === undefined ? undefined : world.getZone(zoneId);
  /** Returns the group's content, or everything accessible in the zone. */
  const select = <Item>(content: readonly WithOwner<Item>[], inputs: OwnerInputs) => {
    const zone = zoneOf(inputs);
    const chosen = content.filter((one) =>
      zone ? isAccessibleIn(one, zone) : isOwnedBy(one, ownerOf(inputs)),
    );
    return chosen.map(({ item }) => item);
  };
  const created = ({ name, start_date: startDay, end_date: endDay }: z.output<z.ZodObject<typeof named>>) => {
    if (startDay !== undefined && endDay !== undefined && endDay < startDay) {
      throw new RefusalError(400, "invalid_parameter", "end_date must not be before start_date.");
    }
    return { name, startDay, endDay, addDay: Math.floor(clock.now.getTime() / dayMs) };
  };

  add("GET", `${root}/campaigns/${form}`, fieldOf(integerText), (inputs) => {
    const atMs = clock.now.getTime();
    const zone = zoneOf(inputs);
    return select(catalogue.campaigns(atMs), inputs).map((campaign) => {
      const status = zone ? catalogue.statusIn(zone, campaign.campaignId, atMs) : "enabled";
      return campaignRecord(campaign, status, atMs);
    });
  });

  add("POST", `${root}/campaign/${form}`, { ...fieldOf(integer), ...named, rrule }, (inputs) => {
    catalogue.createCampaign(ownerOf(inputs), { ...created(inputs), rrule: inputs.rrule });
    return true;
  });

  add("DELETE", `${root}/campaign/${form}`, { ...fieldOf(integer), campaign_id: integer }, (inputs) => {
    requireContent(
      catalogue.campaigns(clock.now.getTime()),
      (one) => one.item.campaignId === inputs.campaign_id && isOwnedBy(one, ownerOf(inputs)),
    );
    catalogue.archivedCampaigns.add(inputs.campaign_id);
    return true;
  });

  add("GET", `${root}/assets/${form}`, fieldOf(integerText), (inputs) => {
    const atMs = clock.now.getTime();
    return select(catalogue.assets(atMs), inputs).map((asset) => assetRecord(asset, atMs));
  });

  add("POST", `${root}/asset/${form}`, { ...fieldOf(integerText), ...named, file }, (inputs) => {
    const { name, ...dates } = created(inputs);
    catalogue.createAsset(ownerOf(inputs), { naming: { name }, ...dates, durationSecs: uploadedSecs });
    return true;
  });

  add("DELETE", `${root}/asset/${form}`, { ...fieldOf(integer), asset_id: integer }, (inputs) => {
    requireContent(
      catalogue.assets(clock.now.getTime()),
      (one) => one.item.itemId === inputs.asset_id && isOwnedBy(one, ownerOf(inputs)),
    );
    catalogue.archivedAssets.add(inputs.asset_id);
    return true;
  });
}

/** Enables, disables, plays and links campaigns. */
function addCommandRoutes(
  add: AddRoute,
  { access, clock, world }: Service,
  catalogue: ContentCatalogue,
  root: string,
): void {
  for (const action of ["enable", "disable", "play"] as const) {
    const inputs = { zone_id: integer, campaign_id: integer };
    add("POST", `${root}/${action}`, inputs, ({ zone_id: zoneId, campaign_id: campaignId }) => {
      const zone = world.getZone(zoneId);
      requireContent(
        catalogue.campaigns(clock.now.getTime()),
        (one) => one.item.campaignId === campaignId && isAccessibleIn(one, zone),
      );
      // Playing a campaign immediately does not change any response.
      if (action !== "play") catalogue.setEnabled(zoneId, campaignId, action === "enable");
      return true;
    });
  }

  const isReadable = ({ groupId, zoneId }: ContentOwner) =>
    access.mayRead(zoneId === undefined ? [groupId ?? 0] : world.getZone(zoneId).groupIds);
  const link = { campaign_id: integer, asset_id: integer };
  const requireReadable = (campaignId: number) =>
    requireContent(
      catalogue.campaigns(clock.now.getTime()),
      (one) => one.item.campaignId === campaignId && isReadable(one),
    );

  add("POST", `${root}/add_asset`, link, ({ campaign_id: campaignId, asset_id: assetId }) => {
    requireReadable(campaignId);
    requireContent(
      catalogue.assets(clock.now.getTime()),
      (one) => one.item.itemId === assetId && isReadable(one),
    );
    catalogue.setLinked(campaignId, assetId, true);
    return true;
  });

  add("DELETE", `${root}/remove_asset`, link, ({ campaign_id: campaignId, asset_id: assetId }) => {
    const linked = requireReadable(campaignId).assets.map((item) => ({ item }));
    requireContent(linked, ({ item }) => item.itemId === assetId);
    catalogue.setLinked(campaignId, assetId, false);
    return true;
  });
}

/** @throws {RefusalError} 404 unless it is listed and accessible */
function requireContent<Item>(
  content: readonly WithOwner<Item>[],
  isMeant: (one: WithOwner<Item>) => boolean,
): Item {
  const found = content.find(isMeant);
  if (found) return found.item;
  throw new RefusalError(404, "unknown_content", "No such content is accessible here.");
}
