import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { type Call, callApi } from "./support/call-api.ts";
import {
  collect,
  createTestClient,
  failureOf,
  plainScript,
  startService,
} from "./support/scripted-service.ts";

const calls = {
  devices: (client) => collect(client.devices.status({ groupId: 7 })),
  "signage assets": (client) => collect(client.signage.assetsOfGroup({ groupId: 7 })),
  "messaging assets": (client) => collect(client.messaging.assetsOfGroup({ groupId: 7 })),
  "signage campaigns": (client) => collect(client.signage.campaignsOfGroup({ groupId: 7 })),
  "messaging campaigns": (client) => collect(client.messaging.campaignsOfGroup({ groupId: 7 })),
  "music history": (client) => client.history.page({ kind: "music", zoneId: 3, limit: 10, offset: 20 }),
  "signage history": (client) => client.history.page({ kind: "signage", zoneId: 3 }),
  "create export": (client) => client.exports.create({ kind: "messaging", groupId: 7 }),
  "get export": (client) => client.exports.get({ jobId: "a/b ?c" }),
} satisfies Record<string, Call>;

const music = { zone_id: 3, duration_secs: 200, play_start: "2026-11-01T10:00:00+01:00", song_id: 5 };

it.each<[keyof typeof calls, unknown, string]>([
  [
    "devices",
    [
      { zone_id: 1, device_id: 2, status: "online" },
      { zone_id: 1, status: "online" },
    ],
    "[1].device_id",
  ],
  ["devices", [{ zone_id: 1, device_id: "2x", status: "online" }], "[0].device_id"],
  ["devices", [{ zone_id: 2 ** 60, device_id: 2, status: "online" }], "[0].zone_id"],
  ["signage assets", [{ name: "a" }], "[0].asset_id"],
  ["signage campaigns", [{ campaign_id: 1, name: "c", assets: [{ name: "a" }] }], "[0].assets[0].asset_id"],
  ["music history", { total_count: 1, data: [{ ...music, song_id: undefined }] }, "data[0].song_id"],
  ["signage history", { data: [] }, "total_count"],
  ["create export", { status: "processing" }, "job_id"],
  ["create export", { job_id: "..", status: "processing" }, "job_id"],
  ["create export", { job_id: "j\ud800", status: "processing" }, "job_id"],
  // Parsed as a number, the id would lose its last digits and could name another job.
  ["create export", { job_id: 2 ** 53 + 2, status: "processing" }, "job_id"],
  ["get export", { job_id: "j" }, "status"],
  ["get export", { status: "completed", download_url: "ftp://host/file" }, "download_url"],
  ["get export", { status: "completed", download_url: "https:a b/file" }, "download_url"],
])("%s rejects an invalid record and names its path: %j", async (name, answer, recordPath) => {
  const { result } = await callApi(calls[name], answer);
  const error = await failureOf(result);
  expect(error).toMatchObject({ name: "UnexpectedResponseError", recordPath, category: "service" });
  expect(error.message).toContain(`the service's documentation: ${recordPath} `);
});

it.each([
  ["gzip", "gzip", gzipSync("[]"), []],
  ["gzip in capitals with a byte order mark", "GZIP", gzipSync("\ufeff[]"), []],
])("reads a compressed response: %s", async (_label, encoding, body, expected) => {
  const service = await startService((request, response, count) => {
    if (request.path.endsWith("/token")) plainScript(request, response, count);
    else response.writeHead(200, { "content-encoding": encoding }).end(body);
  });
  const client = createTestClient({ baseUrl: service.baseUrl });
  expect(await calls.devices(client)).toEqual(expected);
  expect(service.seenExt()[0]?.headers["accept-encoding"]).toBe("gzip");
});

it("retries a truncated compressed response and rejects an unknown encoding", async () => {
  const service = await startService((request, response, count) => {
    if (request.path.endsWith("/token")) plainScript(request, response, count);
    else if (request.path.includes("=8")) response.writeHead(200, { "content-encoding": "zip" }).end("[]");
    else
      response
        .writeHead(200, { "content-encoding": "gzip" })
        .end(gzipSync("[]").subarray(0, count === 1 ? 12 : 99));
  });
  const client = createTestClient({ baseUrl: service.baseUrl });
  expect(await calls.devices(client)).toEqual([]);
  expect((await failureOf(collect(client.devices.status({ groupId: 8 })))).message).toContain(
    "encoded as zip",
  );
  expect(service.seenExt()).toHaveLength(3);
});

it.each([
  ["/files/1?sig=2", /^http:\/\/127\.0\.0\.1:\d+\/files\/1\?sig=2$/],
  ["files/1", /^http:\/\/127\.0\.0\.1:\d+\/v5\/files\/1$/],
  ["https://files.test/1?sig=a%2Fb", /^https:\/\/files\.test\/1\?sig=a%2Fb$/],
])("resolves a link relative to the base URL: %s", async (link, expected) => {
  const { result } = await callApi(calls["get export"], { status: "completed", download_url: link });
  expect(await result).toMatchObject({ download_url: expect.stringMatching(expected) });
});

it("polls bypass every cache", async () => {
  const { result, getRequest } = await callApi(calls["get export"], { status: "processing" });
  await result;
  expect(getRequest()?.headers["cache-control"]).toBe("no-store");
});

it("sends the software version", async () => {
  const { result, getRequest } = await callApi(calls.devices, []);
  await result;
  expect(getRequest()?.headers["user-agent"]).toMatch(/^venue-analytics\/\d+\.\d+\.\d+$/);
});
