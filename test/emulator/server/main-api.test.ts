import { describe, expect, it } from "vitest";
import { bearer, postJson, startSmallEmulator } from "../small-emulator.ts";
import { createTestApi } from "../test-api.ts";

/** Zones 81001–81003 are in group 58429, 81003 and 81004 in 58430. */
const fourZones = { zones: 4, readableGroupIds: [58429] };

it("shows the secret once", async () => {
  const { baseUrl, clientId, clientSecret, oneTimeCode } = await startSmallEmulator();
  const secretAt = (id: string, code: string) =>
    fetch(`${baseUrl}/api-clients/${id}/secret?one_time_code=${code}`);
  expect((await secretAt("nobody", oneTimeCode)).status).toBe(404);
  expect((await secretAt(clientId, "guess")).status).toBe(403);
  expect((await secretAt(clientId, "")).status).toBe(400);
  expect(await (await secretAt(clientId, oneTimeCode)).json()).toEqual({ client_secret: clientSecret });
  expect((await secretAt(clientId, oneTimeCode)).status).toBe(410);
});

it("issues tokens for the right secret only, and requires them", async () => {
  const { baseUrl, clientId, clientSecret } = await startSmallEmulator();
  const url = `${baseUrl}/api-clients/token`;
  const answer = await postJson(url, { client_id: clientId, client_secret: clientSecret });
  expect(await answer.json()).toEqual({
    access_token: expect.stringMatching(/^[\w-]{32}$/),
    token_type: "Bearer",
    expires_in: 86_400,
  });
  expect((await postJson(url, { client_id: clientId, client_secret: "wrong" })).status).toBe(401);
  expect((await postJson(url, [])).status).toBe(400);
  expect((await fetch(url, { method: "POST", body: "client_id=1" })).status).toBe(400);
  for (const headers of [{}, bearer("made-up")]) {
    expect((await fetch(`${baseUrl}/ext/devices/status?group_id=58429`, { headers })).status).toBe(401);
  }
});

it("rejects requests beyond the rate, and counts token and secret requests", async () => {
  const { baseUrl, clientId, oneTimeCode, requests } = await startSmallEmulator({ ratePerSecond: 1 });
  const secret = await fetch(`${baseUrl}/api-clients/${clientId}/secret?one_time_code=${oneTimeCode}`);
  expect(secret.status).toBe(200);
  const refused = await postJson(`${baseUrl}/api-clients/token`, { client_id: clientId });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(await refused.json()).toEqual({ error: { code: "rate_limited", message: expect.any(String) } });
  expect(requests.map(({ status }) => status)).toEqual([200, 429]);
});

it("pages have the envelope, clamp the limit and state their lifetime", async () => {
  const api = await createTestApi(await startSmallEmulator({ pageLimit: 20 }));
  const read = (query: string) => api.get(`data/music/history?zone_id=81001${query}`);
  const { body, headers } = await read("&limit=10&offset=20");
  expect(body).toMatchObject({ page: 3, page_size: 10, data: { length: 10 } });
  expect(headers.get("cache-control")).toBe("private, max-age=5");
  expect((await read("&limit=1000")).body).toMatchObject({ page: 1, page_size: 20, data: { length: 20 } });
  expect((await read("&offset=100000")).body).toMatchObject({ data: [] });
});

const campaign = { group_id: 58429, name: "Spring" };

it.each<[method: "GET" | "POST" | "DELETE", path: string, body: unknown, status: number]>([
  ["GET", "devices/status?group_id=58429", undefined, 200],
  ["GET", "devices/status", undefined, 400],
  ["GET", "devices/status?group_id=", undefined, 400],
  ["GET", "devices/status?group_id=1.5", undefined, 400],
  ["GET", "devices/status?group_id=58430", undefined, 403],
  ["GET", "devices/status?group_id=1", undefined, 404],
  ["GET", "devices/screenshots?zone_id=81001", undefined, 200],
  ["GET", "devices/screenshots?zone_id=81004", undefined, 403],
  ["GET", "music/now_playing?zone_id=81001", undefined, 200],
  ["GET", "music/now_playing?zone_id=5", undefined, 404],
  ["GET", "zones/81001/playlists", undefined, 200],
  ["GET", "zones/81001/playlists?limit=0", undefined, 400],
  ["GET", "zones/81004/playlists", undefined, 403],
  ["GET", "zones/x/playlists", undefined, 400],
  ["GET", "zones/81001/playlists/override", undefined, 200],
  ["GET", "signage/campaigns/zone?zone_id=81001", undefined, 200],
  ["GET", "messaging/campaigns/group?group_id=58430", undefined, 403],
  ["GET", "messaging/assets/zone?zone_id=5", undefined, 404],
  ["GET", "signage/assets/group?group_id=58429", undefined, 200],
  ["GET", "data/music/history?zone_id=81001", undefined, 200],
  ["GET", "data/music/history", undefined, 400],
  ["GET", "data/music/history?zone_id=81001&limit=ten", undefined, 400],
  ["GET", "data/music/history?zone_id=81001&offset=-1", undefined, 400],
  ["GET", "data/history/exports/unknown", undefined, 404],
  ["GET", "nothing/here", undefined, 404],
  ["POST", "data/music/history/export", { group_id: 58429 }, 200],
  ["POST", "data/music/history/export", { group_id: "58429" }, 400],
  ["POST", "data/music/history/export", [], 400],
  ["POST", "data/music/history/export", { group_id: 58429, kind: "music" }, 400],
  ["POST", "data/music/history/export", { group_id: 58430 }, 403],
  ["POST", "music/volume", { zone_id: 81001, volume: 101 }, 400],
  ["POST", "zones/81001/playlists/override", { playlist_id: 6001, duration: 0 }, 400],
  ["POST", "zones/81001/playlists/override", { playlist_id: 1, duration: 5 }, 404],
  ["DELETE", "zones/81001/playlists/override/1", undefined, 404],
  ["POST", "signage/campaign/group", { ...campaign, start_date: "", rrule: "" }, 200],
  ["POST", "signage/campaign/group", { ...campaign, rrule: "RRULE:FREQ=WEEKLY;BYDAY=MO" }, 200],
  ["POST", "signage/campaign/group", { ...campaign, start_date: "2027-02-30" }, 400],
  ["POST", "signage/campaign/group", { ...campaign, start_date: "2027-02-02", end_date: "2027-02-01" }, 400],
  ["POST", "signage/campaign/group", { ...campaign, rrule: "every day" }, 400],
  ["POST", "signage/campaign/group", { ...campaign, startDate: "2027-02-01" }, 400],
  ["POST", "signage/campaign/group", { group_id: 58429, name: "" }, 400],
  ["POST", "signage/campaign/zone", { zone_id: 81004, name: "Spring" }, 403],
  ["DELETE", "signage/campaign/group", { group_id: 58429, campaign_id: "1" }, 400],
  ["DELETE", "signage/campaign/group", { group_id: 58429, campaign_id: 8 }, 404],
  ["DELETE", "signage/campaign/zone", { zone_id: 81001, campaign_id: 1 }, 404],
  ["DELETE", "signage/campaign/zone", undefined, 400],
  ["POST", "signage/campaign/enable", { zone_id: 81001 }, 400],
  ["POST", "signage/campaign/enable", { zone_id: 81001, campaign_id: 8 }, 404],
  ["POST", "signage/campaign/add_asset", { campaign_id: 1, asset_id: 77 }, 404],
  ["POST", "signage/campaign/add_asset", { campaign_id: 8, asset_id: 1 }, 404],
  ["DELETE", "signage/campaign/remove_asset", { campaign_id: 1, asset_id: 4 }, 404],
  ["DELETE", "signage/asset/group", { group_id: 58429, asset_id: 10 }, 404],
  ["POST", "signage/asset/group", campaign, 400],
])("%s %s %j: %i", async (method, path, body, status) => {
  const api = await createTestApi(await startSmallEmulator(fourZones));
  const send = { GET: api.get, POST: api.post, DELETE: api.delete }[method];
  const answer = await send(path, body);
  expect(answer.status).toBe(status);
  const error = { code: expect.any(String), message: expect.any(String) };
  expect(answer.body).toEqual(status === 200 ? expect.anything() : { error });
});

describe.each(["signage", "messaging"])("%s", (kind) => {
  it("lists a group's campaigns in its zones, with the zone's own status", async () => {
    const api = await createTestApi(await startSmallEmulator({ zones: 4 }));
    const list = async (owner: string) => (await api.get(`${kind}/campaigns/${owner}`)).body as Campaign[];
    const statusIn = async (zoneId: number) => (await list(`zone?zone_id=${zoneId}`))[0]?.status;
    const ofGroup = await list("group?group_id=58429");
    expect(await list("zone?zone_id=81001")).toEqual(ofGroup);
    const both = await list("zone?zone_id=81003");
    expect(both.length).toBe(ofGroup.length + (await list("group?group_id=58430")).length);

    const named = { zone_id: 81001, campaign_id: 1 };
    expect((await api.post(`${kind}/campaign/disable`, named)).body).toBe(true);
    expect([await statusIn(81001), await statusIn(81002)]).toEqual(["disabled", "enabled"]);
    expect(await list("group?group_id=58429")).toEqual(ofGroup);
    await api.post(`${kind}/campaign/enable`, named);
    expect((await api.post(`${kind}/campaign/play`, named)).body).toBe(true);
    expect(await statusIn(81001)).toBe("enabled");
  });

  it.each([
    ["group", "group_id", "58429"],
    ["zone", "zone_id", "81001"],
  ])("uploads, lists and archives a %s's asset", async (owner, field, id) => {
    const api = await createTestApi(await startSmallEmulator());
    const list = async () => (await api.get(`${kind}/assets/${owner}?${field}=${id}`)).body as Asset[];
    const before = await list();
    const upload = formOf({ [field]: id, name: "Poster", start_date: "2027-01-01", file });
    expect((await api.upload(`${kind}/asset/${owner}`, upload)).body).toBe(true);
    const asset = (await list()).at(-1);
    expect(asset).toMatchObject({ name: "Poster", start_date: "2027-01-01", end_date: "", duration: 15 });

    const named = { [field]: Number(id), asset_id: asset?.asset_id };
    expect((await api.delete(`${kind}/asset/${owner}`, named)).body).toBe(true);
    expect(await list()).toEqual(before);
    expect((await api.delete(`${kind}/asset/${owner}`, named)).status).toBe(404);
  });
});

interface Campaign {
  campaign_id: string;
  name: string;
  status: string;
  assets: Asset[];
}

interface Asset {
  asset_id: number;
}

const file = new Blob([Buffer.from("some bytes\r\n--not the end")], { type: "image/png" });

function formOf(fields: Record<string, string | Blob>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

const poster = { group_id: "58429", name: "Poster", file };
it.each<[string, Record<string, string | Blob>, number]>([
  ["complete", poster, 200],
  ["no file", { group_id: "58429", name: "Poster" }, 400],
  ["text instead of a file", { ...poster, file: "text" }, 400],
  ["an empty file", { ...poster, file: new Blob([]) }, 400],
  ["not an integer", { ...poster, group_id: "many" }, 400],
  ["not a date", { ...poster, end_date: "tomorrow" }, 400],
  ["an unknown field", { ...poster, rrule: "FREQ=DAILY" }, 400],
  ["another's group", { ...poster, group_id: "58430" }, 403],
])("an upload: %s", async (_label, fields, status) => {
  const api = await createTestApi(await startSmallEmulator(fourZones));
  expect((await api.upload("signage/asset/group", formOf(fields))).status).toBe(status);
});

it("the world's campaigns and assets can be archived and changed; history is unaffected", async () => {
  const emulator = await startSmallEmulator({ zones: 4 });
  const api = await createTestApi(emulator);
  const query = { kind: "signage", groupId: 58429, visibleAt: emulator.now() } as const;
  const before = [...emulator.world.plays(query)];
  await api.delete("signage/campaign/remove_asset", { campaign_id: 1, asset_id: 3 });
  await api.delete("signage/asset/group", { group_id: 58429, asset_id: 2 });
  await api.delete("signage/campaign/group", { group_id: 58429, campaign_id: 2 });
  await api.post("signage/campaign/add_asset", { campaign_id: 3, asset_id: 1 });
  const campaigns = (await api.get("signage/campaigns/group?group_id=58429")).body as Campaign[];
  const [first, second] = campaigns.map(({ name, assets }) => [name, assets.map((asset) => asset.asset_id)]);
  expect([first, second]).toEqual([
    ["Welcome Loop", [1]],
    ["Weekend Brunch", [6, 1]],
  ]);
  expect([...emulator.world.plays(query)]).toEqual(before);
});

it("a player starts, stops and skips; an override ends", async () => {
  const emulator = await startSmallEmulator({ now: new Date("2026-09-23T16:00:00Z"), playScale: 1 });
  const api = await createTestApi(emulator);
  const state = async () => {
    const { body } = await api.get("music/now_playing?zone_id=81001");
    return body as { status: string; now_playing: { song_id: number }; queue: { song_id: number }[] };
  };
  const before = await state();
  await api.post("music/skip", { zone_id: 81001 });
  expect((await state()).now_playing).toMatchObject({ song_id: before.queue[0]?.song_id });
  await api.post("music/stop", { zone_id: 81001 });
  expect(await state()).toMatchObject({
    status: "stopped",
    now_playing: { song_id: before.queue[0]?.song_id },
  });
  await api.post("music/start", { zone_id: 81001 });
  expect(await state()).toMatchObject({
    status: "active",
    now_playing: { song_id: before.queue[1]?.song_id },
  });

  await api.post("zones/81001/playlists/override", { playlist_id: 6001, duration: 30 });
  const list = async () => (await api.get("zones/81001/playlists/override")).body;
  emulator.setNow(new Date("2026-09-23T16:10:00Z"));
  const override = { playlist: { playlist_id: 6001 }, minutes_remaining: 20 };
  expect(await list()).toMatchObject({ total_count: 1, data: [override] });
  emulator.setNow(new Date("2026-09-23T16:30:00Z"));
  expect(await list()).toMatchObject({ total_count: 0, data: [] });
});
