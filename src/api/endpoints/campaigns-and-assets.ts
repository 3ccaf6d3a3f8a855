import type { Kind } from "../../util/kind.ts";
import { type Asset, asset, type Campaign, campaign } from "../records/content.ts";
import { commandResponse } from "../records/page.ts";
import type { Service } from "../service.ts";
import { openUpload } from "../transport/upload-file.ts";
import type { Cancellable, GroupInput, ListInput, PeriodInput, ZoneInput } from "./inputs.ts";

export interface CampaignInput extends Cancellable {
  /** The service uses text in responses and a number in requests. */
  campaignId: number;
}

export interface AssetInput extends Cancellable {
  assetId: number;
}

export interface NewCampaign extends PeriodInput {
  name: string;
  /** Schedule: iCal RRULE, e.g. `FREQ=DAILY;BYHOUR=9,12`. */
  rrule?: string | undefined;
}

export interface NewAsset extends PeriodInput {
  name: string;
  /** Path of an audio file (messaging), or of an image or video (signage). It is streamed from disk. */
  file: string;
}

/**
 * Campaigns and assets of one kind. Signage and audio messaging have the same endpoints. A campaign or asset
 * belongs to a group or a zone; one that belongs to a group also applies to the groups and zones below it.
 * Listings omit archived ones, and are streamed: a long listing that is cut off fails with
 * `TruncatedListError` and can be read again. Commands whose response was lost fail with
 * `OutcomeUnknownError` and are not retried.
 */
export class CampaignsAndAssets {
  readonly #service: Service;
  readonly #kind: Exclude<Kind, "music">;

  /** @internal */
  constructor(service: Service, kind: Exclude<Kind, "music">) {
    this.#service = service;
    this.#kind = kind;
  }

  /** Lists the campaigns that a group owns, each with its assets. `GET <kind>/campaigns/group`. */
  campaignsOfGroup({
    groupId,
    ...options
  }: GroupInput & ListInput): AsyncGenerator<Campaign, void, undefined> {
    return this.#service.list({
      path: this.#path("campaigns/group"),
      query: { group_id: groupId },
      item: campaign,
      ...options,
    });
  }

  /** Lists the campaigns of a zone, with their status there. `GET <kind>/campaigns/zone`. */
  campaignsOfZone({ zoneId, ...options }: ZoneInput & ListInput): AsyncGenerator<Campaign, void, undefined> {
    return this.#service.list({
      path: this.#path("campaigns/zone"),
      query: { zone_id: zoneId },
      item: campaign,
      ...options,
    });
  }

  /** `POST <kind>/campaign/group`. The response has no id: list the campaigns to find it. */
  createCampaignOfGroup({ groupId, signal, ...campaign }: GroupInput & NewCampaign): Promise<void> {
    return this.#command(
      "POST",
      "campaign/group",
      { group_id: groupId, ...toCampaignFields(campaign) },
      signal,
    );
  }

  /** `POST <kind>/campaign/zone`. The response has no id: list the campaigns to find it. */
  createCampaignOfZone({ zoneId, signal, ...campaign }: ZoneInput & NewCampaign): Promise<void> {
    return this.#command("POST", "campaign/zone", { zone_id: zoneId, ...toCampaignFields(campaign) }, signal);
  }

  /** Archives a group's campaign; no documented endpoint restores it. `DELETE <kind>/campaign/group`. */
  archiveCampaignOfGroup({ groupId, campaignId, signal }: GroupInput & CampaignInput): Promise<void> {
    return this.#command("DELETE", "campaign/group", { group_id: groupId, campaign_id: campaignId }, signal);
  }

  /** Archives a zone's campaign; no documented endpoint restores it. `DELETE <kind>/campaign/zone`. */
  archiveCampaignOfZone({ zoneId, campaignId, signal }: ZoneInput & CampaignInput): Promise<void> {
    return this.#command("DELETE", "campaign/zone", { zone_id: zoneId, campaign_id: campaignId }, signal);
  }

  /** Enables a campaign in a zone. `POST <kind>/campaign/enable`. */
  enableCampaign({ zoneId, campaignId, signal }: ZoneInput & CampaignInput): Promise<void> {
    return this.#command("POST", "campaign/enable", { zone_id: zoneId, campaign_id: campaignId }, signal);
  }

  /** Pauses a campaign in a zone. `POST <kind>/campaign/disable`. */
  disableCampaign({ zoneId, campaignId, signal }: ZoneInput & CampaignInput): Promise<void> {
    return this.#command("POST", "campaign/disable", { zone_id: zoneId, campaign_id: campaignId }, signal);
  }

  /** Plays a campaign in a zone at once, regardless of the schedule. `POST <kind>/campaign/play`. */
  playCampaign({ zoneId, campaignId, signal }: ZoneInput & CampaignInput): Promise<void> {
    return this.#command("POST", "campaign/play", { zone_id: zoneId, campaign_id: campaignId }, signal);
  }

  /** `POST <kind>/campaign/add_asset`. */
  addAsset({ campaignId, assetId, signal }: CampaignInput & AssetInput): Promise<void> {
    return this.#command(
      "POST",
      "campaign/add_asset",
      { campaign_id: campaignId, asset_id: assetId },
      signal,
    );
  }

  /** `DELETE <kind>/campaign/remove_asset`. */
  removeAsset({ campaignId, assetId, signal }: CampaignInput & AssetInput): Promise<void> {
    const body = { campaign_id: campaignId, asset_id: assetId };
    return this.#command("DELETE", "campaign/remove_asset", body, signal);
  }

  /** Lists the assets that a group owns. `GET <kind>/assets/group`. */
  assetsOfGroup({ groupId, ...options }: GroupInput & ListInput): AsyncGenerator<Asset, void, undefined> {
    return this.#service.list({
      path: this.#path("assets/group"),
      query: { group_id: groupId },
      item: asset,
      ...options,
    });
  }

  /** Lists the assets of a zone. `GET <kind>/assets/zone`. */
  assetsOfZone({ zoneId, ...options }: ZoneInput & ListInput): AsyncGenerator<Asset, void, undefined> {
    return this.#service.list({
      path: this.#path("assets/zone"),
      query: { zone_id: zoneId },
      item: asset,
      ...options,
    });
  }

  /**
   * Uploads a file as a group's asset; the response has no id. `POST <kind>/asset/group`. The service
   * documents neither formats nor a maximum size.
   * @throws {VenueError} `UPLOAD_FILE_UNUSABLE` before any request, if the file is missing or empty
   */
  uploadAssetToGroup({ groupId, signal, ...asset }: GroupInput & NewAsset): Promise<void> {
    return this.#upload("asset/group", { group_id: groupId }, asset, signal);
  }

  /**
   * Uploads a file as a zone's asset; the response has no id. `POST <kind>/asset/zone`. The service documents
   * neither formats nor a maximum size.
   * @throws {VenueError} `UPLOAD_FILE_UNUSABLE` before any request, if the file is missing or empty
   */
  uploadAssetToZone({ zoneId, signal, ...asset }: ZoneInput & NewAsset): Promise<void> {
    return this.#upload("asset/zone", { zone_id: zoneId }, asset, signal);
  }

  /** Archives a group's asset; no documented endpoint restores it. `DELETE <kind>/asset/group`. */
  archiveAssetOfGroup({ groupId, assetId, signal }: GroupInput & AssetInput): Promise<void> {
    return this.#command("DELETE", "asset/group", { group_id: groupId, asset_id: assetId }, signal);
  }

  /** Archives a zone's asset; no documented endpoint restores it. `DELETE <kind>/asset/zone`. */
  archiveAssetOfZone({ zoneId, assetId, signal }: ZoneInput & AssetInput): Promise<void> {
    return this.#command("DELETE", "asset/zone", { zone_id: zoneId, asset_id: assetId }, signal);
  }

  #path(path: string): string {
    return `ext/${this.#kind}/${path}`;
  }

  #command(method: "POST" | "DELETE", path: string, body: object, signal?: AbortSignal): Promise<void> {
    return this.#service.request({ method, path: this.#path(path), body, ...commandResponse, signal });
  }

  async #upload(path: string, owner: object, asset: NewAsset, signal?: AbortSignal): Promise<void> {
    const { name, startDate, endDate, file } = asset;
    const fields = { ...owner, name, start_date: startDate, end_date: endDate };
    const body = await openUpload(file, fields);
    try {
      await this.#service.request({
        method: "POST",
        path: this.#path(path),
        body,
        ...commandResponse,
        signal,
      });
    } finally {
      await body.close();
    }
  }
}

function toCampaignFields({ name, startDate, endDate, rrule }: NewCampaign): object {
  return { name, start_date: startDate, end_date: endDate, rrule };
}
