import { z } from "zod";
import { asset, campaign } from "../records/content.ts";
import { deviceStatus, screenshot } from "../records/device-status.ts";
import { createdExportJob, exportJob } from "../records/history.ts";
import { nowPlaying, playlist, playlistOverride } from "../records/music.ts";
import { component, notice, noticeDetail, statusPage } from "../records/status.ts";
import { command, list, type Methods, page, read, statusList } from "./endpoint.ts";

/** Every endpoint except those for secrets and tokens, under the names that the client uses. */
export const endpoints = {
  devices: {
    /** @throws {TruncatedListError} if a long response is cut off after some records were returned */
    status: list("devices/status", "groupId", deviceStatus, "all devices below a group"),
    screenshots: {
      ...read(
        "devices/screenshots",
        "zoneId",
        // As in other listings, `null` means an empty list.
        z
          .array(screenshot)
          .nullable()
          .transform((found) => found ?? []),
        "the screenshots of a zone's device",
      ),
      noContent: null,
    },
    reboot: command(
      "POST devices/reboot",
      "zoneId",
      "reboot a zone's device",
      "Reboot the device of zone {zoneId}",
    ),
  },
  music: {
    nowPlaying: read(
      "music/now_playing",
      "zoneId",
      nowPlaying,
      "the current song, the queue and recent songs",
    ),
    skip: command(
      "POST music/skip",
      "zoneId",
      "end the current song; the next one starts at once",
      "Skip the current song in zone {zoneId}",
    ),
    start: command("POST music/start", "zoneId", "start playback", "Start the music in zone {zoneId}"),
    stop: command("POST music/stop", "zoneId", "stop playback", "Stop the music in zone {zoneId}"),
    setVolume: command(
      "POST music/volume",
      "zoneId volume",
      "set the volume",
      "Set the volume of zone {zoneId} to {volume}",
    ),
  },
  playlists: {
    page: page("zones/{zoneId}/playlists", "zoneId", playlist, "playlists of a zone"),
    overridesPage: page(
      "zones/{zoneId}/playlists/override",
      "zoneId",
      playlistOverride,
      "playlists that currently override a zone's schedule, without override ids",
    ),
    override: command(
      "POST zones/{zoneId}/playlists/override",
      "zoneId playlistId durationMinutes",
      "play a playlist in a zone for a number of minutes",
      "Play playlist {playlistId} in zone {zoneId} for {duration}",
      {},
    ),
    clearOverrides: command(
      "DELETE zones/{zoneId}/playlists/override",
      "zoneId",
      "remove all overrides of a zone, which then returns to its schedule",
      "Remove all playlist overrides of zone {zoneId}",
      {},
    ),
    /** The service never returns an override's id, so the caller must know it from elsewhere. */
    removeOverride: command(
      "DELETE zones/{zoneId}/playlists/override/{overrideId}",
      "zoneId overrideId",
      "remove one override, whose id must come from another source",
      "Remove playlist override {overrideId} of zone {zoneId}",
      {},
    ),
  },
  messaging: createContentEndpoints("messaging", "an audio file"),
  signage: createContentEndpoints("signage", "an image or a video"),
  history: {
    page: page("data/{kind}/history", "kind zoneId", z.unknown(), "{kind} history of a zone"),
  },
  exports: {
    /** If the response is lost, the request is retried, because an extra job does no harm. */
    create: {
      ...read(
        "data/{kind}/history/export",
        "kind groupId",
        createdExportJob,
        "request an export of a group's whole history",
      ),
      method: "POST" as const,
      attempts: 6,
    },
    /**
     * Poll until the status is `failed`, or `completed` with a link; each poll of a completed export may
     * return a different link.
     * @throws {NotFoundError} if the job is unknown or expired
     */
    get: {
      ...read(
        "data/history/exports/{jobId}",
        "jobId",
        exportJob,
        "the state of an export, and the link to its file",
      ),
      isFresh: true as const,
    },
  },
};

/** Endpoints of the status API. */
export const statusEndpoints = {
  page: read(
    "status",
    "",
    z.looseObject({ page: statusPage }).transform((response) => response.page),
    "overall state of the service",
  ),
  /** At most 25. Use `eachStatusRecord` for all of them. */
  componentsPage: statusList(
    "components",
    "isTopLevel? parentId?",
    component,
    "parts of the service and their state",
  ),
  /** At most 25. Use `eachStatusRecord` for all of them. */
  noticesPage: statusList(
    "notices",
    "type? timelineState?",
    notice,
    "incidents, maintenance and announcements",
  ),
  /** @throws {NotFoundError} if the notice does not exist */
  notice: read(
    "notices/{id}",
    "id",
    z.looseObject({ notice: noticeDetail }).transform((response) => response.notice),
    "one notice with its components and all of its updates",
  ),
};

/**
 * Campaigns and assets of one kind. Signage and audio messaging have the same endpoints. A group's campaigns
 * and assets also apply to the groups and zones below it. Listings omit archived campaigns and assets, and no
 * documented endpoint restores them. Responses to commands contain no id, so list the campaigns or assets to
 * find it.
 */
function createContentEndpoints(kind: "messaging" | "signage", media: string) {
  return {
    campaignsOf: list(
      `${kind}/campaigns/{owner}`,
      "owner",
      campaign,
      `${kind} campaigns of a group or a zone`,
    ),
    createCampaignOf: command(
      `POST ${kind}/campaign/{owner}`,
      "owner name startDate? endDate? rrule?",
      `create a ${kind} campaign`,
      `Create the ${kind} campaign {name} of {owner}{period}{rrule}`,
    ),
    archiveCampaignOf: command(
      `DELETE ${kind}/campaign/{owner}`,
      "owner campaignId",
      `archive a ${kind} campaign, which removes it from the listing`,
      `Archive ${kind} campaign {campaignId} of {owner}`,
    ),
    enableCampaign: command(
      `POST ${kind}/campaign/enable`,
      "zoneId campaignId",
      `enable a ${kind} campaign in a zone`,
      `Enable ${kind} campaign {campaignId} in zone {zoneId}`,
    ),
    disableCampaign: command(
      `POST ${kind}/campaign/disable`,
      "zoneId campaignId",
      `pause a ${kind} campaign in a zone`,
      `Disable ${kind} campaign {campaignId} in zone {zoneId}`,
    ),
    playCampaign: command(
      `POST ${kind}/campaign/play`,
      "zoneId campaignId",
      `play a ${kind} campaign in a zone now, overriding its schedule`,
      `Play ${kind} campaign {campaignId} in zone {zoneId} now, overriding its schedule`,
    ),
    addAsset: command(
      `POST ${kind}/campaign/add_asset`,
      "campaignId assetId",
      `add an asset to a ${kind} campaign`,
      `Add asset {assetId} to ${kind} campaign {campaignId}`,
    ),
    removeAsset: command(
      `DELETE ${kind}/campaign/remove_asset`,
      "campaignId assetId",
      `remove an asset from a ${kind} campaign`,
      `Remove asset {assetId} from ${kind} campaign {campaignId}`,
    ),
    assetsOf: list(`${kind}/assets/{owner}`, "owner", asset, `${kind} assets of a group or a zone`),
    /** @throws {VenueError} `UPLOAD_FILE_UNUSABLE` before any request, if the file is missing or empty */
    uploadAssetTo: command(
      `POST ${kind}/asset/{owner}`,
      "owner name file startDate? endDate?",
      `upload ${media} as a ${kind} asset`,
      `Upload {file} as the ${kind} asset {name} of {owner}{period}`,
    ),
    archiveAssetOf: command(
      `DELETE ${kind}/asset/{owner}`,
      "owner assetId",
      `archive a ${kind} asset, which removes it from the listing`,
      `Archive ${kind} asset {assetId} of {owner}`,
    ),
  };
}

// A command whose response was lost throws `OutcomeUnknownError`. It is not retried, because a second `skip`
// would skip another song.

/** Media players. */
export type Devices = Methods<typeof endpoints.devices>;
/** Music playback in a zone. */
export type Music = Methods<typeof endpoints.music>;
/** Playlists of a zone, and overrides, which play a playlist for some minutes instead of the schedule. */
export type Playlists = Methods<typeof endpoints.playlists>;
/** Campaigns and assets of signage or audio messaging. */
export type CampaignsAndAssets = Methods<typeof endpoints.signage>;
/** Exports: the complete history of a group and kind, as a file created by the service. */
export type Exports = Methods<typeof endpoints.exports>;
/** The state of the service itself: overall, by component, and as notices of incidents and maintenance. */
export type StatusApi = Methods<typeof statusEndpoints>;
