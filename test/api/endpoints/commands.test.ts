import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import {
  answerJson,
  createTestClient,
  failureOf,
  plainScript,
  startService,
} from "../support/scripted-service.ts";

/** A service that answers everything but token requests this way. */
async function serviceThat(answer: (response: ServerResponse) => void) {
  const service = await startService((request, response, count) => {
    if (request.path.endsWith("/token")) plainScript(request, response, count);
    else answer(response);
  });
  const client = createTestClient({ baseUrl: service.baseUrl });
  return { service, client };
}

it.each([
  ["true", true],
  ["an empty object", {}],
  ["an object with more fields", { status: "accepted" }],
])("succeeds when the response is %s", async (_label, answer) => {
  const { client } = await serviceThat((response) => answerJson(response, answer));
  expect(await client.music.skip({ zoneId: 3 })).toBeUndefined();
  expect(await client.playlists.clearOverrides({ zoneId: 3 })).toBeUndefined();
});

it("succeeds on a response without content", async () => {
  const { client, service } = await serviceThat((response) => response.writeHead(204).end());
  expect(await client.music.skip({ zoneId: 3 })).toBeUndefined();
  expect(await client.playlists.clearOverrides({ zoneId: 3 })).toBeUndefined();
  expect(await client.signage.archiveAssetOfZone({ zoneId: 3, assetId: 5 })).toBeUndefined();
  const error = await failureOf(client.exports.create({ kind: "music", groupId: 7 }));
  expect(error.name).toBe("UnexpectedResponseError");
  // An export request changes nothing and is retried.
  expect(service.seenExt()).toHaveLength(6);
});

it.each<[string, (response: ServerResponse) => void, string]>([
  ["false", (response) => answerJson(response, false), "is neither true nor an empty object"],
  ["a number", (response) => answerJson(response, 1), "is neither true nor an empty object"],
  [
    "an object with an error",
    (response) => answerJson(response, { error: "no such zone" }),
    "is neither true nor an empty object",
  ],
  [
    "an object that reports a failure",
    (response) => answerJson(response, { success: false }),
    "is neither true nor an empty object",
  ],
  ["a list", (response) => answerJson(response, []), "is neither true nor an empty object"],
  [
    "a web page",
    (response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Log in</h1>"),
    "a web page",
  ],
  ["a web page without a content type", (response) => response.end("<html>"), "a web page"],
])("reports an unknown outcome when the response is %s", async (_label, answer, problem) => {
  const { client, service } = await serviceThat(answer);
  for (const failing of [
    client.music.skip({ zoneId: 3 }),
    client.signage.removeAsset({ campaignId: 1, assetId: 2 }),
  ]) {
    const error = await failureOf(failing);
    expect(error).toMatchObject({ name: "UnexpectedResponseError", outcomeUnknown: true });
    expect(error.message).toContain(problem);
    expect(error.message).toContain("It may have been carried out, and was not retried");
  }
  expect(service.seenExt()).toHaveLength(2);
});

it.each<[string, (response: ServerResponse) => void]>([
  ["nothing", (response) => response.destroy()],
  ["an empty body", (response) => response.end()],
  ["half a response", (response) => response.end("tr")],
  [
    "a truncated body",
    (response) => {
      response.writeHead(200, { "content-length": "9" });
      response.write("tr", () => response.destroy());
    },
  ],
  ...[408, 500, 502, 504].map((code): [string, (response: ServerResponse) => void] => [
    `status ${code}`,
    (response) => response.writeHead(code).end(),
  ]),
  ["status 503", (response) => response.writeHead(503, { "retry-after": "0" }).end()],
])("is not retried after %s, nor is a DELETE", async (_label, answer) => {
  const { client, service } = await serviceThat(answer);
  for (const failing of [
    client.music.skip({ zoneId: 3 }),
    client.messaging.archiveAssetOfZone({ zoneId: 3, assetId: 5 }),
  ]) {
    const error = await failureOf(failing);
    expect(error.name).toBe("OutcomeUnknownError");
    expect(error.message).toMatch(
      /^(POST|DELETE) ext\/\S+ was sent, but .*It may have been carried out, and was not/,
    );
  }
  expect(service.seenExt()).toHaveLength(2);
});

it("is retried after 429, as is a DELETE", async () => {
  let answers = 0;
  const { client, service } = await serviceThat((response) => {
    answers += 1;
    if (answers % 2 === 1) response.writeHead(429).end();
    else answerJson(response, true);
  });
  await client.music.skip({ zoneId: 3 });
  await client.messaging.archiveAssetOfZone({ zoneId: 3, assetId: 5 });
  expect(service.seenExt().map(({ method, body }) => `${method} ${body}`)).toEqual([
    ...Array(2).fill('POST {"zone_id":3}'),
    ...Array(2).fill('DELETE {"zone_id":3,"asset_id":5}'),
  ]);
});

it("an invalid response to a read has no unknown outcome", async () => {
  const { client } = await serviceThat((response) => answerJson(response, { volume: 3 }));
  const error = await failureOf(client.music.nowPlaying({ zoneId: 3 }));
  expect(error).toMatchObject({
    name: "UnexpectedResponseError",
    outcomeUnknown: false,
    recordPath: "status",
  });
  expect(error.message).not.toContain("carried out");
});
