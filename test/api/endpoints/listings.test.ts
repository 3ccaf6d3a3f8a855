import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { itInAll } from "../../support/long-suite.ts";
import { runProcess } from "../../support/run-process.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import {
  answerJson,
  collect,
  createTestClient,
  failureOf,
  plainScript,
  type Script,
  startService,
} from "../support/scripted-service.ts";

/** A device as the service describes it; 5,000 of them are about 3 MB. */
function device(zoneId: number) {
  return {
    zone_id: zoneId,
    device_id: zoneId + 100_000,
    status: "online",
    platform: "player-x",
    model: "MX-4",
    firmware: "4.7.1",
    version: "12.0.3",
    ip_address: "10.0.0.1",
    mac_address: "00:11:22:33:44:55",
    bandwidth_kbps: "51200",
    storage_used_mb: "1024.5",
    storage_total_mb: "32000",
    last_online_date: "2026-11-01 10:00:00",
    last_online_ago: 12,
    last_play_date: "2026-11-01 10:00:00",
    last_sd_error: "x".repeat(200),
    location: { location_id: zoneId, name: `Shop ${zoneId}`, street: "Street", city: "City", zip: "12345" },
  };
}

const devices = Array.from({ length: 5_000 }, (_, index) => device(index + 1));

/** Chunks of about 64 KB that form a JSON array. */
function* pieces(count: number): Generator<string> {
  for (let from = 0; from < count; from += 100) {
    const records = Array.from({ length: Math.min(100, count - from) }, (_, index) =>
      device(from + index + 1),
    );
    yield (from === 0 ? "[" : ",") + records.map((record) => JSON.stringify(record)).join(",");
  }
  yield "]";
}

async function send(response: ServerResponse, count: number): Promise<void> {
  response.writeHead(200, { "content-type": "application/json" });
  for (const piece of pieces(count)) {
    if (!response.write(piece)) await once(response, "drain");
  }
  response.end();
}

const afterToken =
  (script: Script): Script =>
  (request, response, count) =>
    (request.path.endsWith("/token") ? plainScript : script)(request, response, count);

itInAll("yields records of 5,000 zones before the response is complete", async () => {
  const text = JSON.stringify(devices);
  let sendRest = () => {};
  const service = await startService(
    afterToken((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write(text.slice(0, text.length / 2));
      sendRest = () => response.end(text.slice(text.length / 2));
    }),
  );
  const client = createTestClient({ baseUrl: service.baseUrl });
  const records = client.devices.status({ groupId: 7 });
  expect((await records.next()).value).toEqual(devices[0]);
  sendRest();
  expect(await collect(records)).toEqual(devices.slice(1));
});

itInAll("needs no more memory for a list 20 times as long", { retry: 1 }, async () => {
  const service = await startService(
    afterToken((request, response) => void send(response, request.path.endsWith("=1") ? 5_000 : 100_000)),
  );
  const script = fileURLToPath(new URL("../support/read-devices.child.mjs", import.meta.url));
  const result = JSON.parse(
    await runProcess(script, [service.baseUrl, join(createTempFolder(), "client.db")]),
  );
  expect(result).toMatchObject({ short: 5_000, long: 100_000 });
  // The text alone is 70 MB; as objects it is larger.
  expect(result.grownBytes).toBeLessThan(50 * 1024 ** 2);
});

it.each<[string, (response: ServerResponse, text: string) => void]>([
  [
    "the connection breaks",
    (response, text) => response.write(text, () => setTimeout(() => response.destroy(), 50)),
  ],
  ["the text ends early", (response, text) => response.end(text)],
])("a truncated long list fails and is not retried: %s", async (_label, cut) => {
  const service = await startService(
    afterToken((_request, response) => cut(response, JSON.stringify(devices).slice(0, 2_000_000))),
  );
  const client = createTestClient({ baseUrl: service.baseUrl });
  const records: unknown[] = [];
  const reading = (async () => {
    for await (const record of client.devices.status({ groupId: 7 })) records.push(record);
  })();
  const error = await failureOf(reading);
  expect(error).toMatchObject({ name: "TruncatedListError", code: "ANSWER_CUT", records: records.length });
  expect(error.message).toBe(
    `The response to GET ext/devices/status?group_id=7 was cut off after ${records.length} records. Read it again from the start.`,
  );
  expect(records).toEqual(devices.slice(0, records.length));
  expect(service.seenExt()).toHaveLength(1);
});

it("a truncated short list is retried before any record is yielded", async () => {
  const text = JSON.stringify(devices.slice(0, 3));
  const service = await startService(
    afterToken((_request, response, count) => response.end(count === 1 ? text.slice(0, -20) : text)),
  );
  const client = createTestClient({ baseUrl: service.baseUrl });
  expect(await collect(client.devices.status({ groupId: 7 }))).toEqual(devices.slice(0, 3));
  expect(service.seenExt()).toHaveLength(2);
});

it.each([
  ["no content", {}],
  ["no content, compressed", { "content-encoding": "gzip" }],
])("reads %s as an empty list", async (_label, headers) => {
  const service = await startService(
    afterToken((_request, response) => response.writeHead(204, headers).end()),
  );
  const { devices, signage, playlists, history } = createTestClient({ baseUrl: service.baseUrl });
  const empty = { total_count: 0, data: [] };
  expect(await collect(devices.status({ groupId: 7 }))).toEqual([]);
  expect(await collect(signage.campaignsOfZone({ zoneId: 3 }))).toEqual([]);
  expect(await devices.screenshots({ zoneId: 3 })).toEqual([]);
  expect(await playlists.page({ zoneId: 3 })).toEqual(empty);
  expect(await playlists.overridesPage({ zoneId: 3 })).toEqual(empty);
  expect(await history.page({ kind: "music", zoneId: 3 })).toEqual(empty);
});

it.each([
  ["short", 0],
  ["long", 5_000],
])("names the invalid record of a %s list", async (_label, before) => {
  const service = await startService(
    afterToken((_request, response) => answerJson(response, [...devices.slice(0, before), { zone_id: 1 }])),
  );
  const client = createTestClient({ baseUrl: service.baseUrl });
  const error = await failureOf(collect(client.devices.status({ groupId: 7 })));
  expect(error).toMatchObject({ name: "UnexpectedResponseError", recordPath: `[${before}].device_id` });
});

it.each([
  ["short", ""],
  ["long", "x".repeat(1_500_000)],
])("keeps every digit of ids beyond 2^53 in a %s list", async (_label, filling) => {
  const [big, exact] = ["9007199254740993", "9007199254740991"];
  const record = `{"campaign_id": ${big}, "name": "c", "more": [${big}, ${exact}, 1.5, "${exact}"], "f": "${filling}"}`;
  const service = await startService(
    afterToken((request, response) => {
      if (request.path.includes("campaigns")) response.end(`[${record}]`);
      else response.end(`[{"asset_id": ${exact}, "name": "${filling}"}, {"asset_id": ${big}, "name": "a"}]`);
    }),
  );
  const { signage } = createTestClient({ baseUrl: service.baseUrl });
  expect(await collect(signage.campaignsOfGroup({ groupId: 7 }))).toEqual([
    { campaign_id: big, name: "c", more: [big, Number(exact), 1.5, exact], f: filling },
  ]);
  const assets = signage.assetsOfGroup({ groupId: 7 });
  expect((await assets.next()).value).toMatchObject({ asset_id: Number(exact) });
  expect(await failureOf(assets.next())).toMatchObject({ recordPath: "[1].asset_id" });
});

it.each([
  ["a web page", "text/html", `<h1>${"x".repeat(2_000_000)}</h1>`],
  ["a web page without a content type", "application/json", `<h1>${"x".repeat(2_000_000)}</h1>`],
  ["an object", "application/json", JSON.stringify({ devices })],
])("rejects %s of any length", async (_label, type, body) => {
  const service = await startService(
    afterToken((_request, response) => response.writeHead(200, { "content-type": type }).end(body)),
  );
  const client = createTestClient({ baseUrl: service.baseUrl });
  const error = await failureOf(collect(client.devices.status({ groupId: 7 })));
  expect(error).toMatchObject({ name: "UnexpectedResponseError" });
  expect(service.seenExt()).toHaveLength(1);
});

it("omits invalid records if a callback receives them, but fails if all are invalid", async () => {
  const service = await startService(
    afterToken((request, response) =>
      answerJson(response, request.path.endsWith("=7") ? [{ zone_id: 1 }, device(2), 5] : [{ zone_id: 1 }]),
    ),
  );
  const client = createTestClient({ baseUrl: service.baseUrl });
  const reported: unknown[] = [];
  const onInvalidRecord = (record: unknown, { recordPath }: Error & { recordPath: string | undefined }) =>
    reported.push([record, recordPath]);
  expect(await collect(client.devices.status({ groupId: 7, onInvalidRecord }))).toEqual([device(2)]);
  expect(reported).toEqual([
    [{ zone_id: 1 }, "[0].device_id"],
    [5, "[2]"],
  ]);
  const error = await failureOf(collect(client.devices.status({ groupId: 8, onInvalidRecord })));
  expect(error).toMatchObject({ name: "UnexpectedResponseError", recordPath: "[0].device_id" });
});

it.each(["a reader that stops early", "an abort"])("%s ends the transfer", async (label) => {
  let hasClosed: Promise<unknown> = Promise.resolve();
  const service = await startService(
    afterToken((_request, response) => {
      hasClosed = once(response, "close");
      response.write(JSON.stringify(devices).slice(0, 2_000_000));
    }),
  );
  const client = createTestClient({ baseUrl: service.baseUrl });
  const stop = new AbortController();
  const reading = (async () => {
    for await (const _record of client.devices.status({ groupId: 7, signal: stop.signal })) {
      if (label === "an abort") stop.abort(new Error("stopped by hand"));
      else break;
    }
  })();
  if (label === "an abort") expect((await failureOf(reading)).message).toBe("stopped by hand");
  else await reading;
  await hasClosed;
});
