import { describe, expect, it } from "vitest";
import { bearer, fetchToken, postJson, startSmallEmulator } from "../small-emulator.ts";

describe("credentials", () => {
  it("shows the secret once", async () => {
    const { baseUrl, clientId, clientSecret, oneTimeCode } = await startSmallEmulator();
    const secretAt = (id: string, code: string) =>
      fetch(`${baseUrl}/api-clients/${id}/secret?one_time_code=${code}`);
    expect((await secretAt("nobody", oneTimeCode)).status).toBe(404);
    expect((await secretAt(clientId, "guess")).status).toBe(403);
    expect((await secretAt(clientId, "")).status).toBe(400);
    expect(await (await secretAt(clientId, oneTimeCode)).json()).toEqual({ client_secret: clientSecret });
    const again = await secretAt(clientId, oneTimeCode);
    expect([again.status, await again.json()]).toEqual([
      410,
      { error: { code: "code_used", message: "The secret was already retrieved." } },
    ]);
  });

  it("issues tokens for the right secret only", async () => {
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
  });

  it("requires a valid token", async () => {
    const emulator = await startSmallEmulator();
    const url = `${emulator.baseUrl}/ext/devices/status?group_id=58429`;
    for (const headers of [{}, bearer("made-up")]) {
      expect((await fetch(url, { headers })).status).toBe(401);
    }
  });
});

describe("input rules", () => {
  it.each([
    ["devices/status?group_id=58429", 200],
    ["devices/status", 400],
    ["devices/status?group_id=", 400],
    ["devices/status?group_id=1.5", 400],
    ["devices/status?group_id=58430", 403],
    ["devices/status?group_id=1", 404],
    ["devices/screenshots?zone_id=81001", 200],
    ["devices/screenshots", 400],
    ["devices/screenshots?zone_id=81004", 403],
    ["devices/screenshots?zone_id=5", 404],
    ["music/now_playing?zone_id=81001", 200],
    ["music/now_playing?zone_id=81004", 403],
    ["music/now_playing", 400],
    ["zones/81001/playlists", 200],
    ["zones/81001/playlists?limit=0", 400],
    ["zones/81004/playlists", 403],
    ["zones/5/playlists", 404],
    ["zones/x/playlists", 400],
    ["zones/81001/playlists/override", 200],
    ["zones/81004/playlists/override", 403],
    ["signage/campaigns/zone?zone_id=81001", 200],
    ["messaging/campaigns/zone?zone_id=81004", 403],
    ["messaging/assets/zone?zone_id=5", 404],
    ["signage/assets/group?group_id=58429", 200],
    ["messaging/assets/group?group_id=x", 400],
    ["signage/campaigns/group?group_id=58429", 200],
    ["messaging/campaigns/group?group_id=58430", 403],
    ["data/music/history?zone_id=81001", 200],
    ["data/music/history?zone_id=81004", 403],
    ["data/music/history?zone_id=5", 404],
    ["data/music/history", 400],
    ["data/music/history?zone_id=81001&limit=0", 400],
    ["data/music/history?zone_id=81001&limit=ten", 400],
    ["data/music/history?zone_id=81001&offset=-1", 400],
    ["data/history/exports/unknown", 404],
    ["nothing/here", 404],
  ])("GET %s: %i", async (path, status) => {
    const emulator = await startSmallEmulator({ zones: 4, readableGroupIds: [58429] });
    const token = await fetchToken(emulator);
    const answer = await fetch(`${emulator.baseUrl}/ext/${path}`, { headers: bearer(token) });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual(
      status === 200
        ? expect.anything()
        : { error: { code: expect.any(String), message: expect.any(String) } },
    );
  });

  it.each([
    [{ group_id: 58429 }, 200],
    [{}, 400],
    [{ group_id: "58429" }, 400],
    [{ group_id: 1.5 }, 400],
    [[], 400],
    [{ group_id: 58429, kind: "music" }, 400],
    [{ group_id: 58430 }, 403],
    [{ group_id: 7 }, 404],
  ])("POST of an export with %j: %i", async (body, status) => {
    const emulator = await startSmallEmulator({ readableGroupIds: [58429] });
    const url = `${emulator.baseUrl}/ext/data/music/history/export`;
    expect((await postJson(url, body, await fetchToken(emulator))).status).toBe(status);
  });
});

describe("rate", () => {
  it("rejects requests beyond it, and counts token and secret requests", async () => {
    const { baseUrl, clientId, oneTimeCode, requests } = await startSmallEmulator({ ratePerSecond: 1 });
    const secret = await fetch(`${baseUrl}/api-clients/${clientId}/secret?one_time_code=${oneTimeCode}`);
    expect(secret.status).toBe(200);
    const refused = await postJson(`${baseUrl}/api-clients/token`, { client_id: clientId });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await refused.json()).toEqual({ error: { code: "rate_limited", message: expect.any(String) } });
    expect(requests.map(({ status }) => status)).toEqual([200, 429]);
  });
});

describe("responses", () => {
  it("pages have the envelope, clamp the limit and state their lifetime", async () => {
    const emulator = await startSmallEmulator({ pageLimit: 20 });
    const token = await fetchToken(emulator);
    const url = `${emulator.baseUrl}/ext/data/music/history?zone_id=81001`;
    const read = async (query: string) => (await fetch(url + query, { headers: bearer(token) })).json();
    expect(await read("&limit=10&offset=20")).toMatchObject({ page: 3, page_size: 10, data: { length: 10 } });
    expect(await read("&limit=1000")).toMatchObject({ page: 1, page_size: 20, data: { length: 20 } });
    expect(await read("&offset=100000")).toMatchObject({ data: [] });
    const { headers } = await fetch(url, { headers: bearer(token) });
    expect(headers.get("cache-control")).toBe("private, max-age=5");
  });

  it("only the status API works without a token", async () => {
    const { statusUrl } = await startSmallEmulator();
    const answer = await fetch(`${statusUrl}/api/v1/status`);
    expect(await answer.json()).toMatchObject({ page: { state: "operational" } });
    expect((await fetch(`${statusUrl}/api/v1/unheard-of`)).status).toBe(404);
  });
});
