import { expect, it } from "vitest";
import { asset, campaign } from "../../../src/api/records/content.ts";
import { deviceStatus, screenshot } from "../../../src/api/records/device-status.ts";
import { createdExportJob, exportJob, historyRecords } from "../../../src/api/records/history.ts";
import { nowPlaying, playlist, playlistOverride } from "../../../src/api/records/music.ts";
import { pageOf } from "../../../src/api/records/page.ts";
import { parseRecord } from "../../../src/api/records/parse-record.ts";
import {
  component,
  notice,
  noticeDetail,
  statusListOf,
  statusPage,
} from "../../../src/api/records/status.ts";

const target = { method: "GET", path: "there" };

const aTrack = {
  pick_id: "p1",
  artist_id: 4,
  artist: "The Band",
  song_id: 5,
  song: "Song",
  artwork_small: "https://img.test/s.png",
  artwork_large: "https://img.test/l.png",
  user: "u",
  user_image_small: "https://img.test/us.png",
  user_image_large: "https://img.test/ul.png",
  likes: 2,
  dislikes: 0,
};
const anAsset = {
  asset_id: 5,
  name: "Poster",
  preview_png: "https://img.test/5.png",
  preview_gif: "https://img.test/5.gif",
  url: "https://img.test/5.mp4",
  duration: 15,
  add_date: "2026-11-01",
  start_date: "2026-11-01",
  end_date: "2026-11-30",
};
const aPlaylist = {
  playlist_id: 3,
  streaming_id: "s3",
  name: "Morning",
  description: "Calm",
  songs: 40,
  artists: 12,
  image: "https://img.test/3.png",
  add_date: "2026-11-01T08:00:00+01:00",
  edit_date: "2026-11-02T08:00:00+01:00",
};
const played = {
  location_id: 1,
  location_name: "Shop",
  zone_id: 3,
  zone_name: "Floor",
  duration_secs: 200,
  play_start: "2026-11-01T10:00:00+01:00",
};
const aComponent = {
  id: 9,
  state: "operational",
  name: "API",
  description: "Main",
  parent_id: 2,
  links: { children: { href: "/api/v1/components?x=1", count: 0 } },
  created_at: "2026-11-01T10:00:00.000Z",
  updated_at: "2026-11-01T10:00:00.000Z",
};
const noticeFields = {
  id: 11,
  type: "unplanned",
  timeline_state: "present",
  state: "investigating",
  subject: "Players offline",
  url: "https://status.test/11",
  began_at: "2026-11-01T10:00:00.000Z",
  ended_at: "2026-11-01T11:00:00.000Z",
  begins_at: "2026-11-01T10:00:00.000Z",
  ends_at: "2026-11-01T11:00:00.000Z",
  created_at: "2026-11-01T10:00:00.000Z",
  updated_at: "2026-11-01T10:00:00.000Z",
  tag_list: ["players"],
  links: { self: "/v1/notices/11" },
};
const update = {
  state: "investigating",
  content: "We look into it",
  created_at: "2026-11-01T10:00:00.000Z",
  updated_at: "2026-11-01T10:00:00.000Z",
};
const envelope = { total_count: 1, page_size: 10, page: 1, page_count: 1 };

/** Name, schema, a complete record, and its required fields. */
const records = [
  [
    "device",
    deviceStatus,
    {
      zone_id: 3,
      device_id: 4,
      status: "online",
      platform: "p",
      model: "m",
      firmware: "f",
      version: "1.2",
      ip_address: "10.0.0.1",
      mac_address: "00:11:22:33:44:55",
      bandwidth_kbps: "512",
      storage_used_mb: "10.5",
      storage_total_mb: "20",
      last_online_date: "2026-11-01 10:00:00",
      last_online_ago: 20,
      last_play_date: "2026-11-01 10:00:00",
      last_sd_error: "none",
      last_sd_error_date: "2026-11-01 10:00:00",
      location: {
        location_id: 1,
        name: "Shop",
        street: "Street 1",
        city: "City",
        state: "ST",
        zip: "12345",
        latitude: "48.1",
        longitude: "11.5",
      },
    },
    ["zone_id", "device_id"],
  ],
  ["screenshot", screenshot, { url: "https://img.test/1.png", add_date: "2026-11-01 10:00:00" }, ["url"]],
  [
    "now playing",
    nowPlaying,
    {
      venue: "Shop",
      street: "Street 1",
      city: "City",
      state: "ST",
      zip: "12345",
      current_users: 0,
      status: "active",
      volume: 40,
      now_playing: { ...aTrack, duration: 200, remaining: 20 },
      queue: [aTrack],
      recent: [aTrack],
    },
    ["status", "now_playing.song_id", "queue[0].song_id", "recent[0].song_id"],
  ],
  ["playlist", playlist, aPlaylist, ["playlist_id"]],
  [
    "playlist override",
    playlistOverride,
    {
      playlist: aPlaylist,
      start_time: "2026-11-01T08:00:00+01:00",
      end_time: "2026-11-01T09:00:00+01:00",
      minutes_remaining: 7,
    },
    ["playlist", "playlist.playlist_id"],
  ],
  [
    "campaign",
    campaign,
    {
      campaign_id: "12",
      name: "Sale",
      status: "enabled",
      add_date: "2026-11-01",
      start_date: "2026-11-01",
      end_date: "2026-11-30",
      rrule: "",
      assets: [anAsset],
    },
    ["campaign_id", "assets[0].asset_id"],
  ],
  ["asset", asset, anAsset, ["asset_id"]],
  [
    "music history",
    historyRecords.music,
    { ...played, song_id: 5, song_name: "Song", artist_id: 4, artist_name: "The Band" },
    ["zone_id", "duration_secs", "play_start", "song_id"],
  ],
  [
    "asset history",
    historyRecords.signage,
    { ...played, asset_id: 5, asset_name: "Poster" },
    ["zone_id", "duration_secs", "play_start", "asset_id"],
  ],
  ["page", pageOf(asset), { ...envelope, data: [anAsset] }, ["total_count", "data", "data[0].asset_id"]],
  ["created export", createdExportJob, { job_id: "j", status: "processing" }, ["job_id"]],
  [
    "export",
    exportJob,
    {
      job_id: "j",
      status: "completed",
      download_url: "https://files.test/1?sig=2",
      expires_at: "2026-11-01T10:00:00+01:00",
      error: "none",
    },
    [],
  ],
  [
    "status page",
    statusPage,
    {
      name: "Service",
      state: "operational",
      state_text: "All systems operational",
      url: "https://status.test",
      links: { components: { href: "/v1/components", count: 3 }, notices: { href: "/v1/notices", count: 0 } },
      created_at: "2026-11-01T10:00:00.000Z",
      updated_at: "2026-11-01T10:00:00.000Z",
    },
    ["state"],
  ],
  ["component", component, aComponent, ["id"]],
  ["notice", notice, { ...noticeFields, latest_update: update }, ["id"]],
  [
    "notice with its progress",
    noticeDetail,
    { ...noticeFields, components: [aComponent], updates: [update] },
    ["id", "components[0].id"],
  ],
] as const;

type Path = readonly (string | number)[];
type Holder = Record<string | number, unknown>;

/** Paths of all fields of a record, nested records included. */
function fieldsOf(holder: object, path: Path = []): Path[] {
  return Object.entries(holder).flatMap(([name, value]) => {
    const here = [...path, Array.isArray(holder) ? Number(name) : name];
    const inside = typeof value === "object" && value !== null ? fieldsOf(value, here) : [];
    return Array.isArray(holder) ? inside : [here, ...inside];
  });
}

/** A copy of a record after `change` was applied to the object that holds a field. */
function changed(
  record: object,
  path: Path,
  change: (holder: Holder, name: string | number) => void,
): object {
  const copy = JSON.parse(JSON.stringify(record));
  let holder: Holder = copy;
  for (const step of path.slice(0, -1)) holder = holder[step] as Holder;
  change(holder, path.at(-1) ?? "");
  return copy;
}

function formatted(path: Path): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}

it.each(records)("%s: accepts documented and unknown fields", (_name, schema, record) => {
  expect(parseRecord<unknown>(schema, record, target)).toEqual(record);
  const more = { ...record, mood: { good: true }, rank: 1.5 };
  expect(parseRecord<unknown>(schema, more, target)).toEqual(more);
});

it.each(records)("%s: accepts numeric text as numbers and numbers as text", (_name, schema, record) => {
  for (const path of fieldsOf(record)) {
    const other = changed(record, path, (holder, name) => {
      const value = holder[name];
      if (typeof value === "number") holder[name] = String(value);
      else if (typeof value === "string" && /^\d+(\.\d+)?$/.test(value)) holder[name] = Number(value);
    });
    expect(parseRecord<unknown>(schema, other, target), formatted(path)).toEqual(record);
  }
});

it.each(records)("%s: rejects only missing required fields", (_name, schema, record, required) => {
  for (const path of fieldsOf(record)) {
    const less = changed(record, path, (holder, name) => delete holder[name]);
    const place = formatted(path);
    const parse = () => parseRecord<unknown>(schema, less, target);
    const error = { name: "UnexpectedResponseError", recordPath: place };
    if ((required as readonly string[]).includes(place))
      expect(parse, place).toThrow(expect.objectContaining(error));
    else expect(parse, place).not.toThrow();
  }
});

it.each(records)("%s: accepts null in optional fields only", (_name, schema, record, required) => {
  for (const path of fieldsOf(record)) {
    const empty = changed(record, path, (holder, name) => {
      holder[name] = null;
    });
    const place = formatted(path);
    const parse = () => parseRecord<unknown>(schema, empty, target);
    if ((required as readonly string[]).includes(place))
      expect(parse, place).toThrow(expect.objectContaining({ recordPath: place }));
    else expect(parse, place).not.toThrow();
  }
});

const listed = records.filter(([name]) => !/page|export|progress/.test(name));
/** Fields that hold records, which need ids. */
const recordFields = ["assets", "now_playing", "queue", "recent"];
const otherKinds = [false, true, "", "x", 12.5, [], {}, { a: 1 }];

it.each(listed)("%s: accepts any value in an optional field", (_name, schema, record, required) => {
  for (const path of fieldsOf(record)) {
    const place = formatted(path);
    if (recordFields.includes(place) || (required as readonly string[]).includes(place)) continue;
    for (const value of otherKinds) {
      const other = changed(record, path, (holder, name) => {
        holder[name] = value;
      });
      expect(() => parseRecord<unknown>(schema, other, target), place).not.toThrow();
    }
  }
});

it.each([
  ["007", "7"],
  [" 7 ", "7"],
  ["0", "0"],
  ["7", "7"],
  [7, "7"],
  ["0x7", "0x7"],
])("reads campaign id %j as %j", (campaign_id, id) => {
  expect(parseRecord(campaign, { campaign_id }, target)).toEqual({ campaign_id: id });
});

it.each([[false], [""], [[]], [{}], [null], [undefined]])(
  "nothing plays if the current song is %j",
  (now_playing) => {
    const { queue, ...parsed } = parseRecord(
      nowPlaying,
      { status: "stopped", now_playing, queue: "" },
      target,
    );
    expect(parsed.now_playing ?? null).toBeNull();
    expect(queue).toBeNull();
  },
);

it("a nested list may be an object keyed by index, but not text", () => {
  const parse = (assets: unknown) => parseRecord(campaign, { campaign_id: "7", assets }, target).assets;
  expect(parse({ "0": anAsset, "2": { asset_id: 6 } })).toEqual([anAsset, { asset_id: 6 }]);
  expect(parse({})).toEqual([]);
  expect(parse(false)).toBeNull();
  expect(() => parse("5, 6")).toThrow(expect.objectContaining({ recordPath: "assets" }));
});

it.each<[object, string, object?]>([
  [{ status: " COMPLETED ", download_url: "/f?sig=1" }, "completed"],
  ...["complete", "Done", "finished", "ready", "succeeded", "SUCCESS"].map((status): [object, string] => [
    { status },
    "completed",
  ]),
  [{ status: "running", download_url: "https://files.test/1" }, "completed"],
  [{ download_url: "https://files.test/1" }, "completed"],
  [{ status: "Processing", download_url: "https://files.test/1" }, "processing"],
  [{ status: "completed", download_url: "" }, "completed", { download_url: undefined }],
  [{ status: "error", error: { code: 5, message: "boom" } }, "failed", { error: "boom" }],
  [{ status: "Cancelled", error: ["boom"] }, "failed", { error: '["boom"]' }],
  [{ status: "failed", download_url: "https://files.test/1" }, "failed"],
  [{ error: { code: 5 } }, "failed", { error: '{"code":5}' }],
  [{ status: "Queued", error: null }, "queued", { error: undefined }],
])("export job %j is %s", (answer, status, more = {}) => {
  expect(parseRecord(exportJob, answer, target)).toMatchObject({ status, ...more });
});

it.each([
  ["none", {}, undefined],
  ["null", { next_page: null }, undefined],
  ["an empty string", { next_page: "" }, undefined],
  ["the documented path", { next_page: "/api/v1/notices?page=2" }, 2],
  ["without /api", { next_page: "/v1/notices?filter%5Btype_eq%5D=planned&page=13" }, 13],
  ["a bare query", { next_page: "?page=3" }, 3],
  ["another origin", { next_page: "https://elsewhere.test/api/v1/notices?page=4" }, 4],
  ["a number", { next_page: 5 }, 5],
])("next page: %s", (_label, link, next) => {
  const answer = { notices: [], meta: { count: 0, total_count: "7", ...link } };
  expect(parseRecord(statusListOf("notices", notice), answer, target)).toEqual({
    records: [],
    total_count: 7,
    next,
  });
});

it("rejects a status list whose link has no page number", () => {
  const answer = { notices: [], meta: { total_count: 7, next_page: "?page=0" } };
  expect(() => parseRecord(statusListOf("notices", notice), answer, target)).toThrow(
    expect.objectContaining({ name: "UnexpectedResponseError", recordPath: "meta.next_page" }),
  );
});
