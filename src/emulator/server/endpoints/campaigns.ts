import type { Context, Hono } from "hono";
import { dayMs } from "../../world/calendar-day.ts";
import { assetRecord, campaignRecord } from "../../world/content/content-listing.ts";
import type { EmulatedService } from "../emulated-service.ts";
import { RefusalError } from "../refusal-error.ts";
import {
  type MultipartForm,
  ownerForms,
  readMultipartForm,
  requireReadableOwner,
  requireUsableAsset,
  requireUsableCampaign,
  selectListed,
  type UploadedFile,
} from "../requests/multipart-form.ts";
import {
  type BodyFields,
  checkNames,
  findDates,
  readCommandBody,
  requireBodyInteger,
  requireFormInteger,
  requireQueryInteger,
  requireReadableZone,
  requireText,
} from "../requests/request-inputs.ts";
import { listingHeaders } from "../responses/send-body.ts";
import type { ServiceEnv } from "../service-env.ts";

/** Campaigns: `signage/campaign…` and `messaging/campaign…`, which have the same form. */
export function addCampaignEndpoints(ext: Hono<ServiceEnv>, service: EmulatedService): void {
  const { catalogues, clock, world } = service;

  for (const kind of ["signage", "messaging"] as const) {
    const catalogue = catalogues[kind];

    for (const form of ownerForms) {
      const ownerField = `${form}_id`;

      ext.get(`/${kind}/campaigns/${form}`, (c) => {
        const owner = requireReadableOwner(c, service, form, requireQueryInteger(c, ownerField));
        const atMs = clock.now.getTime();
        const zone = "zoneId" in owner ? world.findZone(owner.zoneId) : undefined;
        const campaigns = selectListed(service, catalogue.campaigns(atMs), owner).map(({ item }) =>
          campaignRecord(item, zone ? catalogue.statusIn(zone, item.campaignId, atMs) : "enabled", atMs),
        );
        return c.json(campaigns, 200, listingHeaders(service));
      });

      ext.post(`/${kind}/campaign/${form}`, async (c) => {
        const body = await readCommandBody(c, [ownerField, "name", "start_date", "end_date", "rrule"]);
        const campaign = {
          name: requireText(body, "name"),
          ...findDates(body),
          rrule: findRule(body),
          addDay: Math.floor(clock.now.getTime() / dayMs),
        };
        const owner = requireReadableOwner(c, service, form, requireBodyInteger(body, ownerField));
        catalogue.createCampaign(owner, campaign);
        return c.json(true);
      });

      ext.delete(`/${kind}/campaign/${form}`, async (c) => {
        const body = await readCommandBody(c, [ownerField, "campaign_id"]);
        const campaignId = requireBodyInteger(body, "campaign_id");
        const owner = requireReadableOwner(c, service, form, requireBodyInteger(body, ownerField));
        requireUsableCampaign(service, kind, campaignId, owner);
        catalogue.archiveCampaign(campaignId);
        return c.json(true);
      });
    }

    for (const action of ["enable", "disable", "play"] as const) {
      ext.post(`/${kind}/campaign/${action}`, async (c) => {
        const body = await readCommandBody(c, ["zone_id", "campaign_id"]);
        const campaignId = requireBodyInteger(body, "campaign_id");
        const zone = requireReadableZone(c, service, requireBodyInteger(body, "zone_id"));
        requireUsableCampaign(service, kind, campaignId, zone);
        // Playing a campaign immediately changes no state that a response shows.
        if (action !== "play") catalogue.setEnabled(zone, campaignId, action === "enable");
        return c.json(true);
      });
    }

    ext.post(`/${kind}/campaign/add_asset`, async (c) => {
      const { campaignId, assetId } = readLink(await readCommandBody(c, ["campaign_id", "asset_id"]));
      requireUsableCampaign(service, kind, campaignId);
      requireUsableAsset(service, kind, assetId);
      catalogue.setLinked(campaignId, assetId, true);
      return c.json(true);
    });

    ext.delete(`/${kind}/campaign/remove_asset`, async (c) => {
      const { campaignId, assetId } = readLink(await readCommandBody(c, ["campaign_id", "asset_id"]));
      const { assets } = requireUsableCampaign(service, kind, campaignId).item;
      if (!assets.some(({ itemId }) => itemId === assetId)) {
        throw new RefusalError(404, "unknown_asset", `The campaign has no asset ${assetId}.`);
      }
      catalogue.setLinked(campaignId, assetId, false);
      return c.json(true);
    });
  }
}

function readLink(body: BodyFields): { campaignId: number; assetId: number } {
  return {
    campaignId: requireBodyInteger(body, "campaign_id"),
    assetId: requireBodyInteger(body, "asset_id"),
  };
}

/** Reads a rule; any rule with a frequency is accepted. @throws {RefusalError} 400 for other values */
function findRule({ rrule = "" }: BodyFields): string {
  if (rrule === "") return "";
  const isRule = /\bFREQ=(SECONDLY|MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)\b/;
  if (typeof rrule === "string" && isRule.test(rrule)) return rrule;
  throw new RefusalError(
    400,
    "invalid_parameter",
    `rrule must be an iCal rule such as FREQ=DAILY, not ${JSON.stringify(rrule)}.`,
  );
}

/** Assumed duration of every uploaded file, because files are not inspected. */
const uploadedSecs = 15;

/** Assets: `signage/asset…` and `messaging/asset…`, which have the same form. */
export function addAssetEndpoints(ext: Hono<ServiceEnv>, service: EmulatedService): void {
  const { catalogues, clock } = service;

  for (const kind of ["signage", "messaging"] as const) {
    const catalogue = catalogues[kind];

    for (const form of ownerForms) {
      const ownerField = `${form}_id`;

      ext.get(`/${kind}/assets/${form}`, (c) => {
        const owner = requireReadableOwner(c, service, form, requireQueryInteger(c, ownerField));
        const atMs = clock.now.getTime();
        const assets = selectListed(service, catalogue.assets(atMs), owner).map(({ item }) =>
          assetRecord(item, atMs),
        );
        return c.json(assets, 200, listingHeaders(service));
      });

      ext.post(`/${kind}/asset/${form}`, async (c) => {
        const fields = await readUploadFields(c, [ownerField, "name", "start_date", "end_date", "file"]);
        requireFile(fields);
        const asset = {
          naming: { name: requireText(fields, "name") },
          ...findDates(fields),
          addDay: Math.floor(clock.now.getTime() / dayMs),
          durationSecs: uploadedSecs,
        };
        const owner = requireReadableOwner(c, service, form, requireFormInteger(fields, ownerField));
        catalogue.createAsset(owner, asset);
        return c.json(true);
      });

      ext.delete(`/${kind}/asset/${form}`, async (c) => {
        const body = await readCommandBody(c, [ownerField, "asset_id"]);
        const assetId = requireBodyInteger(body, "asset_id");
        const owner = requireReadableOwner(c, service, form, requireBodyInteger(body, ownerField));
        requireUsableAsset(service, kind, assetId, owner);
        catalogue.archiveAsset(assetId);
        return c.json(true);
      });
    }
  }
}

/** Reads the whole body, but keeps only metadata about the file. */
async function readUploadFields(c: Context<ServiceEnv>, names: readonly string[]): Promise<MultipartForm> {
  const form = await readMultipartForm(c.env.incoming);
  c.get("record").inputs = form;
  checkNames(form, names);
  return form;
}

/** @throws {RefusalError} 400 when the file is missing or empty */
function requireFile({ file }: MultipartForm): UploadedFile {
  if (file === undefined) throw new RefusalError(400, "missing_parameter", "file is required.");
  if (typeof file === "string") throw new RefusalError(400, "invalid_parameter", "file must be a file.");
  if (file.sizeBytes > 0) return file;
  throw new RefusalError(400, "invalid_parameter", "The file is empty.");
}
