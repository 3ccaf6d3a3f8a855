import { resolve } from "node:path";
import type { VenueClient } from "../../api/client.ts";
import { eachRecord, eachStatusRecord } from "../../api/each-record.ts";
import type { Page } from "../../api/records/page.ts";
import type { StatusClient } from "../../api/status-client.ts";
import { downloadExport } from "../../extract/on-demand/download-export.ts";
import { saveScreenshots } from "../../extract/on-demand/save-screenshots.ts";
import type { Clock } from "../../util/clock.ts";
import { kinds } from "../../util/kind.ts";
import type { Logger } from "../../util/logger.ts";
import type { ProgressLine } from "../../util/text/progress-line.ts";
import type { Inputs } from "./flags.ts";
import { done, jsonLines, type Output, pages, record, saved, statusPages, table } from "./output.ts";

/** Tools for an action. Of the two clients, only the one for the action's API is connected. */
export interface ActionTools {
  client: VenueClient;
  status: StatusClient;
  signal: AbortSignal;
  clock: Clock;
  logger: Logger;
  progress: ProgressLine;
  /** Folder that relative paths start from. */
  workingFolder: string;
}

/** One command: `venue api <resource> <action>`. */
export interface Action {
  name: string;
  summary: string;
  notes?: string;
  /** Keys of its flags. `?` marks an optional one; `owner` is exactly one of `groupId` and `zoneId`. */
  flags: string;
  /** Describes the command in a sentence with `{flag}` placeholders. Absent if the action changes nothing. */
  announce?: string;
  /** Accepts `--yes` although it needs no confirmation. */
  isYesAccepted?: boolean;
  /**
   * A function, or the name of a client method that takes the flags unchanged. In a name, `*` stands for the
   * owner, `Group` or `Zone`.
   */
  call: string | ((tools: ActionTools, inputs: Inputs) => unknown);
  output: Output;
}

const noOverrideIds =
  "The service lists overrides without an id: --override-id of remove-override must come from another source.\n" +
  "To remove all overrides of a zone, use clear-overrides.";

const devices: Action[] = [
  {
    name: "status",
    summary: "all devices below a group",
    flags: "groupId",
    call: "devices.status",
    output: table(
      "zone_id device_id status location.name=location location.city=city model version ip_address " +
        "last_online_date last_play_date",
    ),
  },
  {
    name: "screenshots",
    summary: "the screenshots of a zone's device; --out saves the pictures in a folder",
    flags: "zoneId out?",
    call: ({ client, signal, workingFolder }, { zoneId, out }) =>
      out === undefined
        ? client.devices.screenshots({ zoneId, signal })
        : saveScreenshots({ client, zoneId, folder: resolve(workingFolder, out), signal }),
    output: {
      ...table("add_date url"),
      text: (found, options) =>
        table(options.inputs.out === undefined ? "add_date url" : "add_date file").text(found, options),
    },
  },
  {
    name: "reboot",
    summary: "reboot a zone's device",
    flags: "zoneId",
    announce: "Reboot the device of zone {zoneId}",
    call: "devices.reboot",
    output: done(),
  },
];

const tracks = "song_id song artist_id artist likes dislikes user";
const music: Action[] = [
  {
    name: "now-playing",
    summary: "the current song, the queue and recent songs",
    flags: "zoneId",
    call: "music.nowPlaying",
    output: record(undefined, { queue: tracks, recent: tracks }),
  },
  {
    name: "skip",
    summary: "end the current song; the next one starts at once",
    flags: "zoneId",
    announce: "Skip the current song in zone {zoneId}",
    call: "music.skip",
    output: done(),
  },
  {
    name: "start",
    summary: "start playback",
    flags: "zoneId",
    announce: "Start the music in zone {zoneId}",
    call: "music.start",
    output: done(),
  },
  {
    name: "stop",
    summary: "stop playback",
    flags: "zoneId",
    announce: "Stop the music in zone {zoneId}",
    call: "music.stop",
    output: done(),
  },
  {
    name: "volume",
    summary: "set the volume",
    flags: "zoneId volume",
    announce: "Set the volume of zone {zoneId} to {volume}",
    call: "music.setVolume",
    output: done(),
  },
];

const playlists: Action[] = [
  {
    name: "list",
    summary: "playlists of a zone",
    flags: "zoneId limit? offset? all?",
    call: (tools, inputs) => fetchPageOrAll(tools, inputs, (range) => tools.client.playlists.page(range)),
    output: pages("playlist_id name songs artists streaming_id edit_date description"),
  },
  {
    name: "overrides",
    summary: "playlists that currently override a zone's schedule, without override ids",
    notes: noOverrideIds,
    flags: "zoneId limit? offset? all?",
    call: (tools, inputs) =>
      fetchPageOrAll(tools, inputs, (range) => tools.client.playlists.overridesPage(range)),
    output: pages(
      "playlist.playlist_id=playlist_id playlist.name=name start_time end_time minutes_remaining",
    ),
  },
  {
    name: "override",
    summary: "play a playlist in a zone for a number of minutes",
    flags: "zoneId playlistId duration",
    announce: "Play playlist {playlistId} in zone {zoneId} for {duration}",
    call: ({ client, signal }, { zoneId, playlistId, duration: durationMinutes }) =>
      client.playlists.override({ zoneId, playlistId, durationMinutes, signal }),
    output: done({}),
  },
  {
    name: "clear-overrides",
    summary: "remove all overrides of a zone, which returns to its schedule",
    flags: "zoneId",
    announce: "Remove all playlist overrides of zone {zoneId}",
    call: "playlists.clearOverrides",
    output: done({}),
  },
  {
    name: "remove-override",
    summary: "remove one override, whose id must come from another source",
    notes: noOverrideIds,
    flags: "zoneId overrideId",
    announce: "Remove playlist override {overrideId} of zone {zoneId}",
    call: "playlists.removeOverride",
    output: done({}),
  },
];

/** Campaigns and assets of one kind; signage and audio messaging have the same actions. */
function createContentActions(kind: "signage" | "messaging"): Action[] {
  return [
    {
      name: "campaigns",
      summary: `${kind} campaigns of a group or a zone`,
      flags: "owner",
      call: `${kind}.campaignsOf*`,
      output: table("campaign_id name status start_date end_date rrule assets"),
    },
    {
      name: "create-campaign",
      summary: `create a ${kind} campaign`,
      flags: "owner name startDate? endDate? rrule?",
      announce: `Create the ${kind} campaign {name} of {owner}{period}{rrule}`,
      call: `${kind}.createCampaignOf*`,
      output: done(),
    },
    {
      name: "archive-campaign",
      summary: `archive a ${kind} campaign, which removes it from the listing`,
      flags: "owner campaignId",
      announce: `Archive ${kind} campaign {campaignId} of {owner}`,
      call: `${kind}.archiveCampaignOf*`,
      output: done(),
    },
    {
      name: "enable-campaign",
      summary: `enable a ${kind} campaign in a zone`,
      flags: "zoneId campaignId",
      announce: `Enable ${kind} campaign {campaignId} in zone {zoneId}`,
      call: `${kind}.enableCampaign`,
      output: done(),
    },
    {
      name: "disable-campaign",
      summary: `pause a ${kind} campaign in a zone`,
      flags: "zoneId campaignId",
      announce: `Disable ${kind} campaign {campaignId} in zone {zoneId}`,
      call: `${kind}.disableCampaign`,
      output: done(),
    },
    {
      name: "play-campaign",
      summary: `play a ${kind} campaign in a zone now, overriding its schedule`,
      flags: "zoneId campaignId",
      announce: `Play ${kind} campaign {campaignId} in zone {zoneId} now, overriding its schedule`,
      call: `${kind}.playCampaign`,
      output: done(),
    },
    {
      name: "add-asset",
      summary: `add an asset to a ${kind} campaign`,
      flags: "campaignId assetId",
      announce: `Add asset {assetId} to ${kind} campaign {campaignId}`,
      call: `${kind}.addAsset`,
      output: done(),
    },
    {
      name: "remove-asset",
      summary: `remove an asset from a ${kind} campaign`,
      flags: "campaignId assetId",
      announce: `Remove asset {assetId} from ${kind} campaign {campaignId}`,
      call: `${kind}.removeAsset`,
      output: done(),
    },
    {
      name: "assets",
      summary: `${kind} assets of a group or a zone`,
      flags: "owner",
      call: `${kind}.assetsOf*`,
      output: table("asset_id name duration add_date start_date end_date url"),
    },
    {
      name: "upload-asset",
      summary: `upload ${kind === "signage" ? "an image or a video" : "an audio file"} as a ${kind} asset`,
      flags: "owner name file startDate? endDate?",
      announce: `Upload {file} as the ${kind} asset {name} of {owner}{period}`,
      call: `${kind}.uploadAssetTo*`,
      output: done(),
    },
    {
      name: "archive-asset",
      summary: `archive a ${kind} asset, which removes it from the listing`,
      flags: "owner assetId",
      announce: `Archive ${kind} asset {assetId} of {owner}`,
      call: `${kind}.archiveAssetOf*`,
      output: done(),
    },
  ];
}

const itemColumns = {
  music: "song_id song_name artist_id artist_name",
  signage: "asset_id asset_name",
  messaging: "asset_id asset_name",
};
const history: Action[] = [
  ...kinds.map((kind) => ({
    name: kind,
    summary: `${kind} history of a zone, one page or, with --all, all of it as JSON Lines`,
    flags: "zoneId limit? offset? all?",
    call: (tools: ActionTools, inputs: Inputs) =>
      fetchPageOrAll(tools, inputs, (range) => tools.client.history.page({ kind, ...range })),
    output: pages(`play_start duration_secs ${itemColumns[kind]} location_name`, jsonLines),
  })),
  {
    name: "export",
    summary: "request an export of a group's whole history; prints its job id",
    notes: "It prepares a file and changes nothing, so it needs no confirmation; --yes is accepted.",
    flags: "kind groupId",
    isYesAccepted: true,
    call: "exports.create",
    output: record(),
  },
  {
    name: "export-job",
    summary: "the state of an export, and the link to its file",
    notes: "Anyone with the link can open the file until the link expires.",
    flags: "jobId",
    call: "exports.get",
    output: record(),
  },
  {
    name: "download",
    summary: "download a completed export and check that it is complete",
    notes: "After an interruption, the next call with the same file resumes the download (FILE.part).",
    flags: "jobId out",
    call: ({ workingFolder, ...tools }, { jobId, out }) =>
      downloadExport({ ...tools, jobId, path: resolve(workingFolder, out) }),
    output: saved,
  },
];

const status: Action[] = [
  {
    name: "page",
    summary: "overall state of the service",
    flags: "",
    call: "page",
    output: record("page"),
  },
  {
    name: "components",
    summary: "parts of the service and their state",
    flags: "topLevel? parentId? page? all?",
    call: ({ status, signal }, { topLevel: isTopLevel, parentId, page, all }) => {
      const list = (number = page) => status.componentsPage({ isTopLevel, parentId, page: number, signal });
      return all ? eachStatusRecord(list) : list();
    },
    output: statusPages("components", "id state name parent_id updated_at description"),
  },
  {
    name: "notices",
    summary: "incidents, maintenance and announcements",
    flags: "type? timelineState? page? all?",
    call: ({ status, signal }, { type, timelineState, page, all }) => {
      const list = (number = page) => status.noticesPage({ type, timelineState, page: number, signal });
      return all ? eachStatusRecord(list) : list();
    },
    output: statusPages(
      "notices",
      "id type timeline_state=time state subject began_at ended_at latest_update.content=latest_update",
    ),
  },
  {
    name: "notice",
    summary: "one notice with its components and all of its updates",
    flags: "id",
    call: "notice",
    output: record("notice"),
  },
];

/** Every resource and action of `venue api`, in the order shown in its help. */
export const resources: readonly {
  name: string;
  api: "main" | "status";
  summary: string;
  actions: Action[];
}[] = [
  { name: "devices", api: "main", summary: "media players: status, screenshots, reboot", actions: devices },
  {
    name: "music",
    api: "main",
    summary: "music in a zone: now playing, skip, start, stop, volume",
    actions: music,
  },
  {
    name: "playlists",
    api: "main",
    summary: "playlists of a zone and their temporary overrides",
    actions: playlists,
  },
  {
    name: "messaging",
    api: "main",
    summary: "audio messages: campaigns and assets",
    actions: createContentActions("messaging"),
  },
  {
    name: "signage",
    api: "main",
    summary: "campaigns and assets on screens",
    actions: createContentActions("signage"),
  },
  {
    name: "history",
    api: "main",
    summary: "playback history: by zone, or a group's whole history as an export",
    actions: history,
  },
  {
    name: "status",
    api: "status",
    summary: "the service's own state, components and notices; needs VENUE_STATUS_URL, but no credentials",
    actions: status,
  },
];

/** Returns one page, or with `--all` every record from the offset on. */
function fetchPageOrAll<Item>(
  { signal, logger }: ActionTools,
  { zoneId, limit, offset = 0, all }: Inputs,
  fetchPage: (range: {
    zoneId: number;
    limit: number;
    offset: number;
    signal: AbortSignal;
  }) => Promise<Page<Item>>,
): Promise<Page<Item>> | AsyncIterable<Item> {
  if (!all) return fetchPage({ zoneId, limit, offset, signal });
  return eachRecord(async (position) => {
    const page = await fetchPage({ zoneId, limit, offset: offset + position, signal });
    const total_count = Math.max(0, page.total_count - offset);
    if (page.data.length === 0 && position < total_count) {
      logger.warn(`The service returned only ${position} of ${total_count} records.`);
    }
    return { ...page, total_count };
  });
}
