import { resolve } from "node:path";
import type { VenueClient } from "../../api/client.ts";
import { eachRecord, eachStatusRecord } from "../../api/each-record.ts";
import type { Endpoint, Endpoints } from "../../api/endpoints/endpoint.ts";
import { endpoints, statusEndpoints } from "../../api/endpoints/endpoints.ts";
import type { Page } from "../../api/records/page.ts";
import type { StatusClient } from "../../api/status-client.ts";
import { downloadExport } from "../../extract/on-demand/download-export.ts";
import { saveScreenshots } from "../../extract/on-demand/save-screenshots.ts";
import type { Clock } from "../../util/clock.ts";
import { type Kind, kinds } from "../../util/kind.ts";
import type { Logger } from "../../util/logger.ts";
import type { ProgressLine } from "../../util/text/progress-line.ts";
import { type Inputs, toKebabCase } from "./flags.ts";
import { done, jsonLines, type Output, pages, record, saved, statusPages, table } from "./output.ts";

/** Clients and helpers for an action. Only the client for the action's API is connected. */
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
  /** Keys of its flags, like `Endpoint.parameters`. */
  flags: string;
  /** Describes the effect in one sentence, with `{flag}` placeholders. Absent if the action changes nothing. */
  effect?: string;
  /** Accepts `--yes` although it needs no confirmation. */
  isYesAccepted?: boolean;
  call(tools: ActionTools, inputs: Inputs): unknown;
  output: Output;
}

/** Changes to the action that is derived from an endpoint. */
interface Presentation extends Partial<Action> {
  /** Columns of the response as a table. */
  columns?: string;
  /** Output for all records of a paged listing. @default the table */
  allOutput?: Output;
}

const noOverrideIds =
  "The service lists overrides without ids, so --override-id of remove-override must come from another source.\n" +
  "To remove all overrides of a zone, use clear-overrides.";

const devices = createActions("devices", endpoints.devices, {
  status: {
    columns:
      "zone_id device_id status location.name=location location.city=city model version ip_address " +
      "last_online_date last_play_date",
  },
  screenshots: {
    summary: `${endpoints.devices.screenshots.summary}; --out saves the pictures in a folder`,
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
});

const tracks = "song_id song artist_id artist likes dislikes user";
const music = createActions("music", endpoints.music, {
  nowPlaying: { output: record(undefined, { queue: tracks, recent: tracks }) },
  setVolume: { name: "volume" },
});

const playlists = createActions("playlists", endpoints.playlists, {
  page: { name: "list", columns: "playlist_id name songs artists streaming_id edit_date description" },
  overridesPage: {
    notes: noOverrideIds,
    columns: "playlist.playlist_id=playlist_id playlist.name=name start_time end_time minutes_remaining",
  },
  removeOverride: { notes: noOverrideIds },
});

const content = {
  campaignsOf: { columns: "campaign_id name status start_date end_date rrule assets" },
  assetsOf: { columns: "asset_id name duration add_date start_date end_date url" },
};

const history = [
  ...kinds.map(createHistoryAction),
  ...createActions("exports", endpoints.exports, {
    create: {
      name: "export",
      summary: `${endpoints.exports.create.summary}; prints its job id`,
      notes: "It prepares a file and changes nothing, so it needs no confirmation; --yes is accepted.",
      isYesAccepted: true,
    },
    get: {
      name: "export-job",
      notes: "Anyone with the link can open the file until the link expires.",
    },
  }),
  {
    name: "download",
    summary: "download a completed export and check that it is complete",
    notes: "After an interruption, the next call with the same file resumes the download (FILE.part).",
    flags: "jobId out",
    call: ({ workingFolder, ...tools }: ActionTools, { jobId, out }: Inputs) =>
      downloadExport({ ...tools, jobId, path: resolve(workingFolder, out) }),
    output: saved,
  },
];

function createHistoryAction(kind: Kind): Action {
  const { summary, ...endpoint } = endpoints.history.page;
  const ofKind = {
    ...endpoint,
    parameters: "zoneId limit? offset?",
    summary: `${summary.replace("{kind}", kind)}, one page or, with --all, all of it as JSON Lines`,
  };
  const item = kind === "music" ? "song_id song_name artist_id artist_name" : "asset_id asset_name";
  const action = createAction("history", "page", ofKind, {
    name: kind,
    columns: `play_start duration_secs ${item} location_name`,
    allOutput: jsonLines,
  });
  return { ...action, call: (tools, inputs) => action.call(tools, { ...inputs, kind }) };
}

const status = createActions("status", statusEndpoints, {
  page: { output: record("page") },
  componentsPage: { columns: "id state name parent_id updated_at description" },
  noticesPage: {
    columns:
      "id type timeline_state=time state subject began_at ended_at latest_update.content=latest_update",
  },
  notice: { output: record("notice") },
});

/** Every resource and action of `venue api`, in the order shown in its help. */
export const resources: readonly { name: string; summary: string; actions: Action[] }[] = [
  { name: "devices", summary: "media players: status, screenshots, reboot", actions: devices },
  { name: "music", summary: "music in a zone: now playing, skip, start, stop, volume", actions: music },
  { name: "playlists", summary: "playlists of a zone and their temporary overrides", actions: playlists },
  {
    name: "messaging",
    summary: "audio messages: campaigns and assets",
    actions: createActions("messaging", endpoints.messaging, content),
  },
  {
    name: "signage",
    summary: "campaigns and assets on screens",
    actions: createActions("signage", endpoints.signage, content),
  },
  {
    name: "history",
    summary: "playback history: by zone, or a group's whole history as an export",
    actions: history,
  },
  {
    name: "status",
    summary: "the service's own state, components and notices; needs VENUE_STATUS_URL, but no credentials",
    actions: status,
  },
];

function createActions<Group extends Endpoints>(
  group: ClientGroup,
  methods: Group,
  presentations: { [Method in keyof Group]?: Presentation },
): Action[] {
  return Object.entries(methods).map(([method, endpoint]) =>
    createAction(group, method, endpoint, presentations[method]),
  );
}

type ClientGroup = keyof typeof endpoints | "status";

function createAction(
  group: ClientGroup,
  method: string,
  endpoint: Endpoint,
  { columns = "", allOutput = table(columns), ...presentation }: Presentation = {},
): Action {
  const { parameters, summary } = endpoint;
  const isPaged = /\b(limit|page)\?/.test(parameters);
  return {
    name: toKebabCase(method.replace(/(Of|To|Page)$/, "")),
    summary,
    flags: isPaged ? `${parameters} all?` : parameters,
    ...("effect" in endpoint ? { effect: endpoint.effect } : {}),
    call: (tools, inputs) => {
      const owner = inputs.groupId === undefined ? "Zone" : "Group";
      const name = parameters.startsWith("owner") ? `${method}${owner}` : method;
      // biome-ignore lint/suspicious/noExplicitAny: a test calls every action against every documented endpoint
      const client: any = group === "status" ? tools.status : tools.client[group];
      const request = (changes: object = {}) => client[name]({ ...inputs, ...changes, signal: tools.signal });
      if (!isPaged) return request();
      if (group !== "status") return fetchPageOrAll(tools, inputs, request);
      return inputs.all ? eachStatusRecord((page = inputs.page) => request({ page })) : request();
    },
    output: chooseOutput(),
    ...presentation,
  };

  function chooseOutput(): Output {
    if ("effect" in endpoint) return done(endpoint.response);
    if ("listName" in endpoint) return statusPages(endpoint.listName, columns);
    if ("item" in endpoint) return table(columns);
    return isPaged ? pages(columns, allOutput) : record();
  }
}

/** Returns one page, or with `--all` every record from the offset on. */
function fetchPageOrAll(
  { logger }: ActionTools,
  { offset = 0, all }: Inputs,
  request: (changes: { offset: number }) => Promise<Page<object>>,
): Promise<Page<object>> | AsyncIterable<object> {
  if (!all) return request({ offset });
  return eachRecord(async (position) => {
    const page = await request({ offset: offset + position });
    const total_count = Math.max(0, page.total_count - offset);
    if (page.data.length === 0 && position < total_count) {
      logger.warn(`The service returned only ${position} of ${total_count} records.`);
    }
    return { ...page, total_count };
  });
}
