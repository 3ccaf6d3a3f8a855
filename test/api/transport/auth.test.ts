import { join } from "node:path";
import { expect, it } from "vitest";
import { openClientState } from "../../../src/state/client/client-state.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import {
  answerJson,
  collect,
  createTestClient,
  failureOf,
  plainScript,
  startService,
} from "../support/scripted-service.ts";

const list = (client: ReturnType<typeof createTestClient>, groupId = 1) =>
  collect(client.devices.status({ groupId }));

it("requests one token with the credentials in the body, and sends it with each request", async () => {
  const service = await startService();
  const client = createTestClient({ baseUrl: service.baseUrl });
  await Promise.all([1, 2, 3].map((groupId) => list(client, groupId)));
  expect(service.seenTokens()).toHaveLength(1);
  expect(service.seenTokens()[0]).toMatchObject({ method: "POST" });
  expect(service.seenTokens()[0]?.headers).toMatchObject({ "content-type": "application/json" });
  expect(service.seenTokens()[0]?.headers).not.toHaveProperty("authorization");
  expect(JSON.parse(service.seenTokens()[0]?.body ?? "")).toEqual({
    client_id: "client-7",
    client_secret: "s3cret-of-client-7",
  });
  expect(service.seenExt().map(({ headers }) => headers.authorization)).toEqual(
    Array(3).fill("Bearer token-1"),
  );
});

it("two clients that start together request one token", async () => {
  const service = await startService();
  const stateFile = join(createTempFolder(), "client.db");
  const clients = [1, 2].map(() => createTestClient({ baseUrl: service.baseUrl, stateFile }));
  await Promise.all(clients.map((client) => list(client)));
  expect(service.seenTokens()).toHaveLength(1);
});

it("keeps the tokens of two API clients separate", async () => {
  const service = await startService();
  const stateFile = join(createTempFolder(), "client.db");
  for (const clientId of ["one", "two"]) {
    const credentials = { clientId, clientSecret: async () => `secret of ${clientId}` };
    await list(createTestClient({ baseUrl: service.baseUrl, stateFile, credentials }));
  }
  expect(service.seenTokens().map(({ body }) => JSON.parse(body).client_secret)).toEqual([
    "secret of one",
    "secret of two",
  ]);
});

it.each([
  ["access_token without a lifetime", { access_token: "t" }, 24 * 3600, 600],
  ["token and a lifetime", { token: "t", expires_in: 7200 }, 7200, 600],
  ["a token one level down", { data: { access_token: "t", expires_in: 7200 } }, 7200, 600],
  ["other names", { status: "ok", data: { accessToken: "t", expiresIn: 7200 } }, 7200, 600],
  ["a lifetime as text", { access_token: "t", expires_in: "7200" }, 7200, 600],
  ["a short lifetime", { access_token: "t", expires_in: 60 }, 60, 30],
  ["a missing lifetime", { access_token: "t", expires_in: 0 }, 24 * 3600, 600],
  ["an invalid lifetime", { access_token: "t", expires_in: "soon" }, 24 * 3600, 600],
  ["a null lifetime", { access_token: "t", expires_in: null, scope: "all" }, 24 * 3600, 600],
])("stores a token with its expiry: %s", async (_label, answer, lifetimeSeconds, earlySeconds) => {
  const service = await startService((request, response) =>
    answerJson(response, request.path.endsWith("/token") ? answer : []),
  );
  const stateFile = join(createTempFolder(), "client.db");
  await list(createTestClient({ baseUrl: service.baseUrl, stateFile }));
  const state = openClientState(stateFile);
  const row = state.get<{ expires_at: number; renew_at: number }>("select expires_at, renew_at from token");
  state.close();
  expect(Math.abs(row.expires_at - Date.now() - lifetimeSeconds * 1000)).toBeLessThan(10_000);
  expect(row.expires_at - row.renew_at).toBeCloseTo(earlySeconds * 1000, 0);
});

/** A client whose stored token expires in this many milliseconds and is due for renewal. */
async function clientWithAgeingToken(baseUrl: string, leftMs: number) {
  const stateFile = join(createTempFolder(), "client.db");
  const client = createTestClient({ baseUrl, stateFile });
  await list(client);
  const state = openClientState(stateFile);
  state.run("update token set renew_at = 1, expires_at = ?", [Date.now() + leftMs]);
  state.close();
  return client;
}

it.each([
  ["early", 300_000],
  ["once it has expired", -1],
])("renews a token %s", async (_label, leftMs) => {
  const service = await startService();
  const client = await clientWithAgeingToken(service.baseUrl, leftMs);
  await list(client);
  expect(service.seenTokens()).toHaveLength(2);
  expect(service.seenExt()[1]?.headers.authorization).toBe("Bearer token-2");
});

it("keeps using a valid token when renewal fails, and delays the next attempt", async () => {
  const service = await startService((request, response, count) => {
    if (request.path.endsWith("/token") && count > 1) response.writeHead(400 + 101).end();
    else plainScript(request, response, count);
  });
  const client = await clientWithAgeingToken(service.baseUrl, 300_000);
  await list(client);
  await list(client);
  expect(service.seenTokens()).toHaveLength(2);
  expect(service.seenExt()[2]?.headers.authorization).toBe("Bearer token-1");
});

it("renews a refused token and resends the request, even a POST", async () => {
  const service = await startService((request, response, count) => {
    if (request.headers.authorization === "Bearer token-1") response.writeHead(401).end("expired");
    else if (request.path.endsWith("/token")) plainScript(request, response, count);
    else answerJson(response, { job_id: "j1", status: "processing" });
  });
  const client = createTestClient({ baseUrl: service.baseUrl });
  await client.exports.create({ kind: "music", groupId: 7 });
  expect(service.seenTokens()).toHaveLength(2);
  expect(service.seenExt().map(({ headers }) => headers.authorization)).toEqual([
    "Bearer token-1",
    "Bearer token-2",
  ]);
  expect(service.seenExt()[1]?.body).toBe('{"group_id":7}');
});

it("uses a token that another client has obtained in the meantime", async () => {
  const stateFile = join(createTempFolder(), "client.db");
  const service = await startService((request, response, count) => {
    if (request.headers.authorization === "Bearer token-1") {
      const state = openClientState(stateFile);
      state.run("update token set access_token = 'of another', generation = generation + 1");
      state.close();
      response.writeHead(401).end();
    } else plainScript(request, response, count);
  });
  await list(createTestClient({ baseUrl: service.baseUrl, stateFile }));
  expect(service.seenTokens()).toHaveLength(1);
  expect(service.seenExt()[1]?.headers.authorization).toBe("Bearer of another");
});

/** A service that rejects some tokens after a while, and a client whose token has this age in minutes. */
async function startForbidding(tokens: RegExp, minutes: number) {
  let isOver = false;
  const service = await startService((request, response, count) => {
    if (isOver && tokens.test(request.headers.authorization ?? "")) response.writeHead(403).end("forbidden");
    else plainScript(request, response, count);
  });
  const stateFile = join(createTempFolder(), "client.db");
  const client = createTestClient({ baseUrl: service.baseUrl, stateFile });
  await list(client);
  const state = openClientState(stateFile);
  state.run("update token set stored_at = ?", [Date.now() - minutes * 60_000]);
  state.close();
  isOver = true;
  return { service, client };
}

it.each([
  ["minutes ago", 11],
  ["in a year, because the clock was set back", -365 * 24 * 60],
])("renews a token received %s when the service answers 403", async (_, minutes) => {
  const { service, client } = await startForbidding(/token-1/, minutes);
  expect(await Promise.all([1, 2, 3].map((groupId) => list(client, groupId)))).toEqual([[], [], []]);
  expect(service.seenTokens()).toHaveLength(2);
});

it("retries once when a request gets 403 with a new token, too", async () => {
  const { service, client } = await startForbidding(/token/, 11);
  for (let request = 1; request <= 3; request++)
    expect(await failureOf(list(client))).toMatchObject({ name: "ServiceRefusedError", status: 403 });
  expect(service.seenTokens()).toHaveLength(2);
  expect(service.seenExt()).toHaveLength(5);
});

it("considers a token that is minutes old valid despite 403", async () => {
  const { service, client } = await startForbidding(/token-1/, 9);
  expect(await failureOf(list(client))).toMatchObject({ name: "ServiceRefusedError", status: 403 });
  expect(service.seen).toHaveLength(3);
});

it("renews short-lived tokens any number of times, with one request each", async () => {
  const uses = new Map<string, number>();
  const service = await startService((request, response, count) => {
    const token = request.headers.authorization;
    const used = (uses.get(token ?? "") ?? 0) + 1;
    if (token) uses.set(token, used);
    if (token && used > 3) response.writeHead(401).end("revoked");
    else plainScript(request, response, count);
  });
  const stateFile = join(createTempFolder(), "client.db");
  // Slow enough that each answer arrives before the next request.
  const options = { baseUrl: service.baseUrl, stateFile, ratePerSecond: 60 };
  const clients = [1, 2].map(() => createTestClient(options));
  const lists = Array.from({ length: 15 }, (_, index) => clients.map((client) => list(client, index)));
  expect(await Promise.all(lists.flat())).toHaveLength(30);
  expect(service.seenTokens()).toHaveLength(10);
  expect(clients.reduce((sum, { requestsSent }) => sum + requestsSent, 0)).toBe(service.seen.length);
});

it("tries a fourth token for one request if each earlier one worked for other requests", async () => {
  let others: ReturnType<typeof createTestClient> | undefined;
  const service = await startService((request, response, count) => {
    const isOdd = request.path.endsWith("=9") && request.headers.authorization !== "Bearer token-4";
    if (!isOdd || !others) return plainScript(request, response, count);
    void list(others, count).then(() => response.writeHead(401).end());
  });
  const stateFile = join(createTempFolder(), "client.db");
  others = createTestClient({ baseUrl: service.baseUrl, stateFile });
  expect(await list(createTestClient({ baseUrl: service.baseUrl, stateFile }), 9)).toEqual([]);
  expect(service.seenTokens()).toHaveLength(4);
});

it("reports refused credentials when a new token is refused and none was ever accepted", async () => {
  const service = await startService((request, response, count) => {
    if (request.path.endsWith("/token")) plainScript(request, response, count);
    else response.writeHead(401).end("who are you?");
  });
  const error = await failureOf(list(createTestClient({ baseUrl: service.baseUrl })));
  expect(error).toMatchObject({ name: "CredentialsRefusedError", status: 401, category: "service" });
  expect(error.message).toContain("who are you?");
  expect(service.seenExt()).toHaveLength(2);
  expect(service.seenTokens()).toHaveLength(2);
});

it("fails a request whose new token is refused on first use, and reports refused credentials on the next one", async () => {
  let isOver = false;
  const service = await startService((request, response, count) => {
    if (isOver && !request.path.endsWith("/token")) response.writeHead(401).end();
    else plainScript(request, response, count);
  });
  const client = createTestClient({ baseUrl: service.baseUrl });
  await list(client);
  isOver = true;
  expect(await failureOf(list(client))).toMatchObject({ name: "ServiceRefusedError", status: 401 });
  expect(await failureOf(list(client))).toMatchObject({ name: "CredentialsRefusedError", status: 401 });
  expect(service.seenExt()).toHaveLength(5);
  expect(service.seenTokens()).toHaveLength(3);
});

it("continues when one scope gets 401, and renews the token for it once", async () => {
  const service = await startService((request, response, count) => {
    if (request.path.includes("/messaging/")) response.writeHead(401).end("not in your scopes");
    else plainScript(request, response, count);
  });
  const client = createTestClient({ baseUrl: service.baseUrl });
  await list(client);
  const lists = [1, 2, 3].flatMap((zoneId) => [
    client.messaging.campaignsOfZone({ zoneId }),
    client.messaging.assetsOfZone({ zoneId }),
  ]);
  for (const refused of lists)
    expect(await failureOf(collect<unknown>(refused))).toMatchObject({
      name: "ServiceRefusedError",
      status: 401,
    });
  expect(await list(client)).toEqual([]);
  expect(service.seenTokens()).toHaveLength(3);
  expect(service.seenExt()).toHaveLength(2 + 6 + 2);
});

it("limits renewals for one request while tokens work for others", async () => {
  let client: ReturnType<typeof createTestClient> | undefined;
  const service = await startService((request, response, count) => {
    if (!client || !(request.path.endsWith("=9") || count > 1)) return plainScript(request, response, count);
    // Another request is accepted during the renewal and before each rejection.
    void list(client, 100 + service.seen.length).then(() =>
      request.path.endsWith("=9")
        ? response.writeHead(401).end("not in your scopes")
        : plainScript(request, response, count),
    );
  });
  client = createTestClient({ baseUrl: service.baseUrl });
  const error = await failureOf(list(client, 9));
  expect(error).toMatchObject({ name: "ServiceRefusedError", status: 401 });
  expect(service.seenTokens()).toHaveLength(2);
  expect(service.seenExt().filter(({ path }) => path.endsWith("=9"))).toHaveLength(2);
});

it("reports refused credentials once", async () => {
  const service = await startService((_request, response) =>
    answerJson(response, { error: "invalid_client" }, 401),
  );
  const error = await failureOf(list(createTestClient({ baseUrl: service.baseUrl })));
  expect(error).toMatchObject({ name: "CredentialsRefusedError", status: 401, category: "service" });
  expect(error.message).toMatchInlineSnapshot(
    `"The service refused the credentials of the API client "client-7" with status 401 (“{"error":"invalid_client"}”). Check the client id, its secret and the base URL; if they are correct, contact the operator."`,
  );
  expect(service.seen).toHaveLength(1);
});

it.each([302, 404, 405, 409, 410])(
  "reports a token request refused with %i as such, and does not send the main request",
  async (status) => {
    const service = await startService((_request, response) =>
      answerJson(response, { error: "off" }, status),
    );
    const error = await failureOf(list(createTestClient({ baseUrl: service.baseUrl })));
    expect(error).toMatchObject({ name: "TokenRequestRefusedError", code: "TOKEN_NOT_GIVEN", status });
    expect(error.message).toContain("it refused POST api-clients/token with status");
    expect(service.seen).toHaveLength(1);
  },
);

it("reports a response without a token", async () => {
  const service = await startService((_request, response) => answerJson(response, { jwt: "s3cret" }));
  const error = await failureOf(list(createTestClient({ baseUrl: service.baseUrl })));
  expect(error.name).toBe("UnexpectedResponseError");
  expect(error.message).toContain("it contains no access token");
});

it.each([
  ["client_secret", { client_secret: "the-secret", client_id: "client-7" }],
  ["secret", { secret: "the-secret" }],
  ["a bare JSON string", "the-secret"],
])("retrieves the secret without a token: %s", async (_label, answer) => {
  const service = await startService((_request, response) => answerJson(response, answer));
  const client = createTestClient({ baseUrl: service.baseUrl, credentials: { clientId: "client 7" } });
  expect(await client.apiClients.retrieveSecret({ oneTimeCode: "code&1" })).toBe("the-secret");
  expect(service.seen).toHaveLength(1);
  expect(service.seen[0]?.path).toBe("/v5/api-clients/client%207/secret?one_time_code=code%261");
  expect(service.seen[0]?.headers).not.toHaveProperty("authorization");
});

it("keeps a secret that is not JSON, and does not retry when the response was lost", async () => {
  const service = await startService((request, response) => {
    if (request.path.endsWith("=good")) response.end("the-secret\n");
    else response.destroy();
  });
  const { apiClients } = createTestClient({ baseUrl: service.baseUrl });
  expect(await apiClients.retrieveSecret({ oneTimeCode: "good" })).toBe("the-secret");
  const error = await failureOf(apiClients.retrieveSecret({ oneTimeCode: "lost-code" }));
  expect(error.name).toBe("OutcomeUnknownError");
  expect(error.message).not.toContain("lost-code");
  expect(service.seen).toHaveLength(2);
});
