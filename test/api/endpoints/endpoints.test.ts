import { expect, it } from "vitest";
import { type Call, callApi } from "../support/call-api.ts";
import { collect } from "../support/scripted-service.ts";

const screenshot = { url: "https://img.test/1.png", add_date: "2026-11-01 10:00:00" };
const playing = { status: "active", volume: 40, now_playing: { song_id: 5 }, queue: [], recent: [] };
const page = { total_count: 1, page_size: 10, page: 1, page_count: 1 };
const playlists = { ...page, data: [{ playlist_id: 3, name: "Morning" }] };
const overrides = {
  ...page,
  data: [{ playlist: { playlist_id: 3, name: "Morning" }, minutes_remaining: 7 }],
};

it.each<[string, unknown, Call]>([
  ["GET devices/screenshots?zone_id=3", [screenshot], ({ devices }) => devices.screenshots({ zoneId: 3 })],
  ["GET music/now_playing?zone_id=3", playing, ({ music }) => music.nowPlaying({ zoneId: 3 })],
  [
    "GET zones/3/playlists?limit=10&offset=20",
    playlists,
    (client) => client.playlists.page({ zoneId: 3, limit: 10, offset: 20 }),
  ],
  ["GET zones/3/playlists", playlists, (client) => client.playlists.page({ zoneId: 3 })],
  [
    "GET zones/3/playlists/override?limit=10",
    overrides,
    (client) => client.playlists.overridesPage({ zoneId: 3, limit: 10 }),
  ],
  [
    "GET messaging/assets/zone?zone_id=3",
    [],
    ({ messaging }) => collect(messaging.assetsOfZone({ zoneId: 3 })),
  ],
  [
    "GET data/music/history?zone_id=3&limit=10&offset=20",
    { total_count: 0, data: [] },
    ({ history }) => history.page({ kind: "music", zoneId: 3, limit: 10, offset: 20 }),
  ],
  [
    "GET data/history/exports/a%2Fb%20%3Fc",
    { status: "processing" },
    (client) => client.exports.get({ jobId: "a/b ?c" }),
  ],
])("%s", async (expected, answer, call) => {
  const { result, getRequest } = await callApi(call, answer);
  expect(await result).toEqual(answer);
  expect(`${getRequest()?.method} ${getRequest()?.path}`).toBe(expected.replace(" ", " /v5/ext/"));
  expect(getRequest()?.body).toBe("");
});

it.each<[string, object | undefined, Call]>([
  ["POST music/volume", { zone_id: 3, volume: 0 }, ({ music }) => music.setVolume({ zoneId: 3, volume: 0 })],
  [
    "POST zones/3/playlists/override",
    { playlist_id: 4, duration: 90 },
    (client) => client.playlists.override({ zoneId: 3, playlistId: 4, durationMinutes: 90 }),
  ],
  [
    "DELETE zones/3/playlists/override",
    undefined,
    (client) => client.playlists.clearOverrides({ zoneId: 3 }),
  ],
  [
    "DELETE zones/3/playlists/override/8",
    undefined,
    (client) => client.playlists.removeOverride({ zoneId: 3, overrideId: 8 }),
  ],
  [
    "POST signage/campaign/group",
    { group_id: 7, name: "Sale", start_date: "2026-11-01", end_date: "2026-11-30", rrule: "FREQ=DAILY" },
    ({ signage }) =>
      signage.createCampaignOfGroup({
        groupId: 7,
        name: "Sale",
        startDate: "2026-11-01",
        endDate: "2026-11-30",
        rrule: "FREQ=DAILY",
      }),
  ],
  [
    "POST messaging/campaign/zone",
    { zone_id: 3, name: "Sale" },
    ({ messaging }) => messaging.createCampaignOfZone({ zoneId: 3, name: "Sale", rrule: undefined }),
  ],
  [
    "DELETE signage/campaign/remove_asset",
    { campaign_id: 12, asset_id: 5 },
    ({ signage }) => signage.removeAsset({ campaignId: 12, assetId: 5 }),
  ],
])("%s %j", async (expected, body, call) => {
  const { result, getRequest } = await callApi(call, true);
  expect(await result).toBeUndefined();
  expect(`${getRequest()?.method} ${getRequest()?.path}`).toBe(expected.replace(" ", " /v5/ext/"));
  expect(getRequest()?.body).toBe(body === undefined ? "" : JSON.stringify(body));
  expect(getRequest()?.headers["content-type"]).toBe(body === undefined ? undefined : "application/json");
});
