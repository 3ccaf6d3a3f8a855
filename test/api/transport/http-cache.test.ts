import { readdirSync, readFileSync } from "node:fs";
import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openClientState } from "../../../src/state/client/client-state.ts";
import { itInAll } from "../../support/long-suite.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import {
  collect,
  createTestClient,
  failureOf,
  plainScript,
  type Script,
  startService,
} from "../support/scripted-service.ts";
import { createTestStatusClient } from "../support/status-service.ts";

const afterToken =
  (script: Script): Script =>
  (request, response, count) =>
    (request.path.endsWith("/token") ? plainScript : script)(request, response, count);

const aMinute = { "cache-control": "private, max-age=60", "content-type": "application/json" };
const answer = (response: ServerResponse, body: unknown, headers: object = aMinute) =>
  response.writeHead(200, { ...headers }).end(JSON.stringify(body));
const playing = { status: "active", volume: 40, song: "Straße ♥" };

/** A service that numbers its answers, and two clients that share a state file. */
async function setUp(headers: object, onlyOnce = false) {
  const service = await startService(
    afterToken((_request, response, count) =>
      answer(response, { ...playing, volume: count }, onlyOnce && count > 1 ? {} : headers),
    ),
  );
  const stateFile = join(createTempFolder(), "client.db");
  const clients = [1, 2].map(() => createTestClient({ baseUrl: service.baseUrl, stateFile }));
  const readVolume = async (index: number) => (await clients[index]?.music.nowPlaying({ zoneId: 3 }))?.volume;
  return { service, stateFile, clients, readVolume };
}

it("requests a cacheable response once for all processes", async () => {
  const { service, readVolume } = await setUp(aMinute);
  expect([await readVolume(0), await readVolume(0), await readVolume(1)]).toEqual([1, 1, 1]);
  expect(service.seenExt()).toHaveLength(1);
});

it.each([
  ["no Cache-Control", {}],
  ["no-store", { "cache-control": "no-store" }],
  ["max-age=0", { "cache-control": "private, max-age=0" }],
  ["varying by anything", { ...aMinute, vary: "*" }],
  ["an old response from an intermediate cache", { ...aMinute, age: "60" }],
  ["only when it last changed", { "last-modified": "Sun, 01 Jan 2023 00:00:00 GMT" }],
  [
    "when it last changed, and private",
    { "last-modified": "Sun, 01 Jan 2023 00:00:00 GMT", "cache-control": "private" },
  ],
  [
    "when it last changed, with a header that must not be stored",
    { "last-modified": "Sun, 01 Jan 2023 00:00:00 GMT", "cache-control": 'no-cache="set-cookie"' },
  ],
])("requests again if the response has: %s", async (_label, headers) => {
  const { service, readVolume } = await setUp(headers);
  expect([await readVolume(0), await readVolume(1)]).toEqual([1, 2]);
  expect(service.seenExt()).toHaveLength(2);
});

it.each([
  ["public", { "cache-control": "public, max-age=60" }],
  ["by its expiry date", { expires: new Date(Date.now() + 60_000).toUTCString() }],
  ["varying by a constant header", { ...aMinute, vary: "Accept, Accept-Encoding" }],
  ["varying by this client's own credentials", { ...aMinute, vary: "Authorization" }],
  ["without a date", { ...aMinute, date: [] }],
])("caches a response: %s", async (_label, headers) => {
  const { service, readVolume } = await setUp(headers);
  expect([await readVolume(0), await readVolume(1)]).toEqual([1, 1]);
  expect(service.seenExt()).toHaveLength(1);
});

/** Makes all cached answers stale but keeps them. */
function age(stateFile: string): void {
  const state = openClientState(stateFile);
  state.run("update kept_answer set kept_at = kept_at - 61000, stale_at = stale_at - 61000");
  state.close();
}

async function startWithStaleAnswer(handle: Parameters<typeof afterToken>[0]) {
  const service = await startService(afterToken(handle));
  const stateFile = join(createTempFolder(), "client.db");
  const { music } = createTestClient({ baseUrl: service.baseUrl, stateFile });
  await music.nowPlaying({ zoneId: 3 });
  age(stateFile);
  return { service, music };
}

it("revalidates a stale response and reuses it if unchanged", async () => {
  const { service, music } = await startWithStaleAnswer((request, response) => {
    if (request.headers["if-none-match"] === '"v1"') response.writeHead(304, { etag: '"v1"' }).end();
    else answer(response, playing, { ...aMinute, etag: '"v1"' });
  });
  expect(await music.nowPlaying({ zoneId: 3 })).toEqual(playing);
  expect(service.seenExt()[1]?.headers).toMatchObject({
    "if-none-match": '"v1"',
    authorization: "Bearer token-1",
  });
});

it.each<[string, OutgoingHttpHeaders]>([
  ["for the confirmation's lifetime", { "cache-control": "max-age=60" }],
  ["for its earlier lifetime if the confirmation has none", {}],
  ["although its tag became weak", { etag: 'W/"v1"', "cache-control": "max-age=60" }],
  ["although it has a length and an encoding", { "content-length": 0, "content-encoding": "gzip" }],
])("keeps a confirmed response %s", async (_label, headers) => {
  const { service, music } = await startWithStaleAnswer((request, response) => {
    if (request.headers["if-none-match"] === '"v1"') response.writeHead(304, headers).end();
    else answer(response, playing, { ...aMinute, etag: '"v1"' });
  });
  for (let count = 0; count < 3; count += 1) expect(await music.nowPlaying({ zoneId: 3 })).toEqual(playing);
  expect(service.seenExt()).toHaveLength(2);
});

it.each(["no-cache", "max-age=60, no-cache", "max-age=0"])(
  "revalidates a response on each use: %s",
  async (control) => {
    let bodies = 0;
    const service = await startService(
      afterToken((request, response) => {
        if (request.headers["if-none-match"] === '"v1"') return void response.writeHead(304).end();
        bodies += 1;
        answer(response, playing, { "cache-control": control, etag: '"v1"' });
      }),
    );
    const { music } = createTestClient({ baseUrl: service.baseUrl });
    for (let count = 0; count < 3; count += 1) expect(await music.nowPlaying({ zoneId: 3 })).toEqual(playing);
    expect(service.seenExt()).toHaveLength(3);
    expect(bodies).toBe(1);
  },
);

it("does not cache a response if a command ran while it was read", async () => {
  const service = await startService(
    afterToken((request, response, count) =>
      request.method === "POST"
        ? response.end("true")
        : answer(
            response,
            [1, 2].map((id) => ({ asset_id: id, name: `version ${count}` })),
          ),
    ),
  );
  const { music, signage } = createTestClient({ baseUrl: service.baseUrl });
  for await (const _asset of signage.assetsOfZone({ zoneId: 3 })) await music.skip({ zoneId: 3 });
  expect(await collect(signage.assetsOfZone({ zoneId: 3 }))).toMatchObject([
    { name: "version 2" },
    { name: "version 2" },
  ]);
});

it("fetches a new response if a different version is confirmed", async () => {
  const { music } = await startWithStaleAnswer((request, response, count) => {
    if (request.headers["if-none-match"]) response.writeHead(304, { etag: '"v2"' }).end();
    else answer(response, { ...playing, volume: count }, { ...aMinute, etag: '"v1"' });
  });
  expect(await music.nowPlaying({ zoneId: 3 })).toMatchObject({ volume: 3 });
});

it("serves no stale response if the service fails", async () => {
  const service = await startService(
    afterToken((_request, response, count) =>
      count === 1
        ? answer(response, playing, { "cache-control": "max-age=60, stale-if-error=600" })
        : response.writeHead(500).end(),
    ),
  );
  const stateFile = join(createTempFolder(), "client.db");
  const client = createTestClient({ baseUrl: service.baseUrl, stateFile });
  await client.music.nowPlaying({ zoneId: 3 });
  await client.music.nowPlaying({ zoneId: 3 });
  expect(service.seenExt()).toHaveLength(1);
  age(stateFile);
  expect(await failureOf(client.music.nowPlaying({ zoneId: 3 }))).toMatchObject({ code: "SERVICE_FAILED" });
});

it("bypasses the cache on request and for each poll", async () => {
  const { service, clients, readVolume } = await setUp(aMinute);
  await readVolume(0);
  expect((await clients[0]?.music.nowPlaying({ zoneId: 3, isFresh: true }))?.volume).toBe(2);
  for (let poll = 0; poll < 2; poll++) await clients[0]?.exports.get({ jobId: "j" }).catch(() => undefined);
  expect(service.seenExt()).toHaveLength(4);
});

it("neither two API clients nor two services share responses", async () => {
  const { service, stateFile, readVolume } = await setUp(aMinute);
  await readVolume(0);
  const credentials = { clientId: "client-8", clientSecret: "s3cret-of-client-8" };
  const other = createTestClient({ baseUrl: service.baseUrl, stateFile, credentials });
  expect((await other.music.nowPlaying({ zoneId: 3 })).volume).toBe(2);
});

it.each([
  ["its response arrives", (response: ServerResponse) => response.end("true")],
  ["its response is lost", (response: ServerResponse) => response.destroy()],
])("a command clears the cache: %s", async (_label, reply) => {
  const service = await startService(
    afterToken((request, response, count) => {
      if (request.method === "POST") reply(response);
      else answer(response, { ...playing, volume: count });
    }),
  );
  const { music, devices } = createTestClient({ baseUrl: service.baseUrl });
  await music.nowPlaying({ zoneId: 3 });
  await devices.reboot({ zoneId: 9 }).catch(() => undefined);
  expect((await music.nowPlaying({ zoneId: 3 })).volume).toBe(2);
});

it.each([
  ["its response", () => undefined],
  [
    "the end of its response",
    (response: ServerResponse) => response.writeHead(200, { "content-length": 4 }).write("tr"),
  ],
])("a command clears the cache even if nobody awaits %s", async (_label, reply) => {
  const abort = new AbortController();
  const service = await startService(
    afterToken((request, response, count) => {
      if (request.method === "POST") {
        reply(response);
        setTimeout(() => abort.abort(), 50);
      } else answer(response, { ...playing, volume: count });
    }),
  );
  const { music, devices } = createTestClient({ baseUrl: service.baseUrl });
  await music.nowPlaying({ zoneId: 3 });
  await devices.reboot({ zoneId: 9, signal: abort.signal }).catch(() => undefined);
  expect((await music.nowPlaying({ zoneId: 3 })).volume).toBe(2);
});

it.each([
  ["its response arrives", (response: ServerResponse) => answer(response, { job_id: "j" })],
  ["its response is lost", (response: ServerResponse) => response.destroy()],
  ["its response is invalid", (response: ServerResponse) => answer(response, {})],
])("requesting an export does not clear the cache: %s", async (_label, reply) => {
  const service = await startService(
    afterToken((request, response, count) => {
      if (request.method === "POST") reply(response);
      else answer(response, { ...playing, volume: count });
    }),
  );
  const { music, exports } = createTestClient({ baseUrl: service.baseUrl });
  await music.nowPlaying({ zoneId: 3 });
  await exports.create({ kind: "music", groupId: 1 }).catch(() => undefined);
  expect((await music.nowPlaying({ zoneId: 3 })).volume).toBe(1);
});

it.each<[string, Script]>([
  [
    "a web page",
    (_request, response) => response.writeHead(200, { ...aMinute, "content-type": "text/html" }).end("<p>"),
  ],
  ["a web page without a content type", (_request, response) => response.writeHead(200, aMinute).end("<p>")],
  [
    "half a document",
    (_request, response, count) =>
      response.writeHead(200, aMinute).end('{"status":"a"'.slice(0, count < 3 ? 9 : 99)),
  ],
  [
    "a truncated body",
    (_request, response) => {
      response.writeHead(200, { ...aMinute, "content-length": "99" });
      response.write('{"status":"a"}', () => response.destroy());
    },
  ],
  ["a refusal", (_request, response) => response.writeHead(404, aMinute).end("{}")],
  ["a failure", (_request, response) => response.writeHead(500, aMinute).end("{}")],
])("does not cache %s", async (_label, script) => {
  const service = await startService(afterToken(script));
  const stateFile = join(createTempFolder(), "client.db");
  const { music } = createTestClient({ baseUrl: service.baseUrl, stateFile });
  for (let turn = 0; turn < 2; turn++) await failureOf(music.nowPlaying({ zoneId: 3 }));
  const state = openClientState(stateFile);
  expect(state.all("select url from kept_answer")).toEqual([]);
  state.close();
  expect(service.seenExt().length).toBeGreaterThanOrEqual(2);
});

it("caches listings, but streams long ones past the cache", async () => {
  const list = (length: number) =>
    Array.from({ length }, (_, index) => ({
      asset_id: index,
      name: `Poster ${index}`,
      note: "x".repeat(300),
    }));
  const service = await startService(
    afterToken((request, response) => answer(response, list(request.path.endsWith("=1") ? 10 : 10_000))),
  );
  const { signage } = createTestClient({ baseUrl: service.baseUrl });
  for (const groupId of [1, 1, 2, 2]) {
    expect(await collect(signage.assetsOfGroup({ groupId }))).toHaveLength(groupId === 1 ? 10 : 10_000);
  }
  expect(service.seenExt()).toHaveLength(3);
});

it("caches neither tokens nor secrets nor responses that contain one", async () => {
  const token = "t0ken/of+client-7";
  const secret = "s3cret-of-client-7";
  const service = await startService((request, response) => {
    const headers = { ...aMinute, "set-cookie": "session=c00kie", "x-echo": token };
    if (request.path.endsWith("/token")) answer(response, { access_token: token }, headers);
    else if (request.path.includes("/secret")) answer(response, { secret: "the-0ther-secret" }, headers);
    else if (request.path.endsWith("=1"))
      answer(response, { ...playing, echo: request.headers.authorization }, headers);
    else answer(response, playing, headers);
  });
  const folder = createTempFolder();
  const client = createTestClient({ baseUrl: service.baseUrl, stateFile: join(folder, "client.db") });
  for (let turn = 0; turn < 2; turn++) {
    await client.apiClients.retrieveSecret({ oneTimeCode: "0ne-time" });
    for (const zoneId of [1, 2]) await client.music.nowPlaying({ zoneId });
  }
  expect(service.seen.map(({ path }) => path.replace(/.*\//, ""))).toEqual([
    "secret?one_time_code=0ne-time",
    "token",
    "now_playing?zone_id=1",
    "now_playing?zone_id=2",
    "secret?one_time_code=0ne-time",
    "now_playing?zone_id=1",
  ]);
  const state = openClientState(join(folder, "client.db"));
  const kept = state
    .all("select *, cast(body as text) as text from kept_answer")
    .map(({ text, ...others }) => `${JSON.stringify(others)} ${text}`)
    .join();
  state.close();
  expect(kept).toContain("zone_id=2");
  expect(kept).toContain(JSON.stringify(playing));
  for (const hidden of [token, secret, "0ne-time", "0ther-secret", "Bearer", "c00kie"])
    expect(kept).not.toContain(hidden);
  await client.close();
  const stored = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  expect(stored.join("")).not.toContain(secret);
});

itInAll("does not send a request whose response was cached while it waited", async () => {
  const service = await startService((_request, response) =>
    answer(response, { page: { state: "operational" } }),
  );
  const stateFile = join(createTempFolder(), "client.db");
  // The answer must arrive before the next turn, even on a busy machine.
  const clients = [1, 2, 3].map(() =>
    createTestStatusClient({ statusUrl: service.origin, stateFile, ratePerSecond: 0.2 }),
  );
  const pages = await Promise.all(clients.flatMap((client) => [client.page(), client.page()]));
  expect(pages).toEqual(Array(6).fill({ state: "operational" }));
  expect(service.seen).toHaveLength(1);
  expect(clients.reduce((sum, { requestsSent }) => sum + requestsSent, 0)).toBe(1);
});

it("works if a response can't be cached", async () => {
  const { service, stateFile, readVolume } = await setUp(aMinute);
  const state = openClientState(stateFile);
  state.script("drop table kept_answer");
  state.close();
  expect([await readVolume(0), await readVolume(0)]).toEqual([1, 2]);
  expect(service.seenExt()).toHaveLength(2);
});

it("removes an invalid response from the cache", async () => {
  const service = await startService(
    afterToken((request, response, count) => {
      const isList = request.path.includes("assets");
      if (count === 1) answer(response, isList ? [{}] : { nothing: true });
      else answer(response, isList ? [] : playing);
    }),
  );
  const { music, signage } = createTestClient({ baseUrl: service.baseUrl });
  expect((await failureOf(music.nowPlaying({ zoneId: 3 }))).name).toBe("UnexpectedResponseError");
  expect(await music.nowPlaying({ zoneId: 3 })).toEqual(playing);
  const list = () => collect(signage.assetsOfZone({ zoneId: 3 }));
  expect((await failureOf(list())).name).toBe("UnexpectedResponseError");
  expect(await list()).toEqual([]);
});
