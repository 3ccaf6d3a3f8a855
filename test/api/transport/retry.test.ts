import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { VenueClientOptions } from "../../../src/api/client.ts";
import { openClientState } from "../../../src/state/client/client-state.ts";
import { TokenStore } from "../../../src/state/client/token-store.ts";
import type { Logger } from "../../../src/util/logger.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import {
  answerJson,
  collect,
  createTestClient,
  failureOf,
  findFreePort,
  plainScript,
  type Script,
  type ScriptedService,
  startService,
} from "../support/scripted-service.ts";

/** Grants tokens; `answer` handles everything else. */
function afterToken(answer: Script): Script {
  return (request, response, count) =>
    request.path.endsWith("/token")
      ? plainScript(request, response, count)
      : answer(request, response, count);
}

const cut = (response: ServerResponse) => response.destroy();
const noHttp = (response: ServerResponse) => response.socket?.end("220 mail.example.com ESMTP\r\n");
const cutInBody = (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "50" });
  response.write('{"job_id":"j1",', () => response.destroy());
};
const status =
  (code: number, headers = {}) =>
  (response: ServerResponse) => {
    response.writeHead(code, headers).end("no");
  };
const good = (response: ServerResponse) => answerJson(response, { job_id: "j1", status: "processing" });

/** Returns the answers in turn, and the last one from then on. */
async function serviceThat(...answers: ((response: ServerResponse) => void)[]): Promise<ScriptedService> {
  return await startService(
    afterToken((_request, response, count) => answers[Math.min(count, answers.length) - 1]?.(response)),
  );
}

const get = (service: ScriptedService, options: Partial<VenueClientOptions> = {}) =>
  createTestClient({ baseUrl: service.baseUrl, ...options }).exports.get({ jobId: "j1" });
const create = (service: ScriptedService, options: Partial<VenueClientOptions> = {}) =>
  createTestClient({ baseUrl: service.baseUrl, ...options }).exports.create({ kind: "music", groupId: 7 });

it.each([
  ["429", status(429)],
  ["429 with a negative wait", status(429, { "retry-after": "-3" })],
  ["429, with a wait of 0", status(429, { "retry-after": "0" })],
  ["408", status(408)],
  ["500", status(500)],
  ["502", status(502)],
  ["503", status(503)],
  ["504", status(504)],
  ["507", status(507)],
  ["520, as CDNs send it", status(520)],
  ["599", status(599)],
  ["a broken connection", cut],
  ["a response that is not HTTP", noHttp],
  ["a truncated body", cutInBody],
  ["an empty body", (response: ServerResponse) => response.writeHead(200).end()],
  [
    "a web page",
    (response: ServerResponse) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>"),
  ],
  ["a web page without a content type", (response: ServerResponse) => response.end(" <!doctype html>")],
  [
    "half a document with a matching length",
    (response: ServerResponse) => response.writeHead(200).end('{"job_id":'),
  ],
])("a GET is retried after %s", async (_label, failure) => {
  const service = await serviceThat(failure, failure, good);
  expect(await get(service)).toMatchObject({ status: "processing" });
  expect(service.seenExt()).toHaveLength(3);
});

it.each([
  ["400", status(400), "ServiceRefusedError"],
  ["403", status(403), "ServiceRefusedError"],
  ["404", status(404), "NotFoundError"],
  ["422", status(422), "ServiceRefusedError"],
  ["501", status(501), "ServiceFailedError"],
  ["505", status(505), "ServiceFailedError"],
  ["511", status(511), "ServiceFailedError"],
  ["a redirect", status(302, { location: "https://elsewhere.test/" }), "ServiceRefusedError"],
  ["304, although nothing is cached", status(304), "UnexpectedResponseError"],
])("a GET is not retried after %s", async (_label, failure, name) => {
  const service = await serviceThat(failure);
  expect((await failureOf(get(service))).name).toBe(name);
  expect(service.seenExt()).toHaveLength(1);
});

it.each([
  ["429", status(429), "RateLimitedError"],
  ["408", status(408), "ServiceFailedError"],
  ["503", status(503), "ServiceFailedError"],
  ["a broken connection", cut, "ConnectionFailedError"],
  ["a truncated body", cutInBody, "UnexpectedResponseError"],
  ["a web page", (response: ServerResponse) => response.end("<html>"), "UnexpectedResponseError"],
])("a GET fails after the maximum number of attempts: %s", async (_label, failure, name) => {
  const service = await serviceThat(failure);
  expect(await failureOf(get(service))).toMatchObject({ name, category: "service" });
  expect(service.seenExt()).toHaveLength(3);
});

it("reports a server that does not speak HTTP", async () => {
  const service = await serviceThat(noHttp);
  expect((await failureOf(get(service))).message).toMatch(
    /127\.0\.0\.1:\d+ does not speak HTTP \(.*\)\. Check /,
  );
});

it.each([
  ["its connection broke", cut],
  ["its response was truncated", cutInBody],
  ["500", status(500)],
  ["503", status(503, { "retry-after": "0" })],
  ["a web page", (response: ServerResponse) => response.end("<html>")],
])("a request for an export is harmless and is retried: %s", async (_label, failure) => {
  const service = await serviceThat(failure, failure, good);
  expect(await create(service)).toMatchObject({ job_id: "j1" });
  expect(service.seenExt()).toHaveLength(3);
});

it.each([
  ["its connection broke", cut, "ConnectionFailedError"],
  ["503", status(503), "ServiceFailedError"],
])("a request for an export is retried at most five times: %s", async (_label, failure, name) => {
  const service = await serviceThat(failure);
  const error = await failureOf(create(service, { retry: { attempts: 8, firstDelayMs: 1 } }));
  expect(error.name).toBe(name);
  expect(service.seenExt()).toHaveLength(6);
});

it("a POST is retried if no connection was made", async () => {
  const port = await findFreePort();
  const seen: string[] = [];
  const client = createClientWithToken(port, (message) => {
    // The service starts after the first attempt.
    if (seen.push(message) === 1) void startService((_request, response) => good(response), port);
  });
  await client.music.skip({ zoneId: 7 });
  expect(seen[0]).toMatch(/^POST ext\/music\/skip failed: the service refuses connections; attempt 2/);
});

it("a POST that can't connect certainly has not been carried out", async () => {
  const client = createClientWithToken(await findFreePort(), () => {});
  const error = await failureOf(client.music.skip({ zoneId: 7 }));
  expect(error.name).toBe("ConnectionFailedError");
});

it("a POST always uses a new connection, because a stale one could lose it", async () => {
  const sockets: unknown[] = [];
  const service = await startService((request, response, count) => {
    const isStale = sockets.includes(response.socket) && request.method === "POST";
    sockets.push(response.socket);
    if (isStale) cut(response);
    else afterToken((_request, answer) => good(answer))(request, response, count);
  });
  const client = createTestClient({ baseUrl: service.baseUrl });
  for (let round = 0; round < 2; round++) {
    await client.exports.get({ jobId: "j1" });
    await client.music.skip({ zoneId: 7 });
  }
});

function createClientWithToken(port: number, warn: Logger["warn"]) {
  const baseUrl = `http://127.0.0.1:${port}/v5`;
  const stateFile = join(createTempFolder(), "client.db");
  const state = openClientState(stateFile);
  new TokenStore(state, `client-7 at ${baseUrl}`).claim(0)?.store("token", 9e15, 9e15);
  state.close();
  return createTestClient({
    baseUrl,
    stateFile,
    logger: { debug: () => {}, info: () => {}, warn },
    retry: { attempts: 8, connectionAttempts: 8, firstDelayMs: 10, random: () => 1 },
  });
}

it("logs every retry in one line", async () => {
  const lines: string[] = [];
  const logger: Logger = { debug: () => {}, info: () => {}, warn: (message) => void lines.push(message) };
  const service = await serviceThat(status(503), cut, cutInBody, good);
  await get(service, { logger, retry: { attempts: 3, firstDelayMs: 0 } });
  expect(lines).toEqual([
    "GET ext/data/history/exports/j1 got status 503; attempt 2 of 3 follows in 0.0 s",
    "GET ext/data/history/exports/j1 failed: the service broke the connection; attempt 3 of 3 follows in 0.0 s",
    "the response to GET ext/data/history/exports/j1 can't be read: it was cut off in the middle; attempt 2 of 3 follows in 0.0 s",
  ]);
});

it("an abort ends the wait before a retry at once", async () => {
  const service = await serviceThat(status(503));
  const client = createTestClient({
    baseUrl: service.baseUrl,
    retry: { firstDelayMs: 3_600_000, longestDelayMs: 3_600_000, totalMs: 9e9, random: () => 1 },
  });
  const stop = new AbortController();
  const failure = failureOf(client.exports.get({ jobId: "j1", signal: stop.signal }));
  while (service.seenExt().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  setTimeout(() => stop.abort(new Error("stopped by hand")), 30);
  expect((await failure).message).toBe("stopped by hand");
});

it("explains why a service can't be reached", async () => {
  const port = await findFreePort();
  const client = createTestClient({ baseUrl: `http://127.0.0.1:${port}/v5` });
  const error = await failureOf(collect(client.devices.status({ groupId: 1 })));
  expect(error.name).toBe("ConnectionFailedError");
  expect(error.message).toBe(
    `POST api-clients/token failed: 127.0.0.1:${port} refuses connections. ` +
      "Check the base URL, and whether the service is up.",
  );
  expect(client.requestsSent).toBe(0);
});

it("reports an unknown host name", async () => {
  const client = createTestClient({ baseUrl: "https://no-such-host.invalid/v5", retry: { attempts: 1 } });
  const error = await failureOf(client.exports.create({ kind: "music", groupId: 7 }));
  expect(error.message).toMatch(/no-such-host\.invalid (is not a known host name|can't be looked up now)/);
});
