import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, it } from "vitest";
import { Secrets } from "../../src/api/transport/secrets.ts";
import { createLogger } from "../../src/util/logger.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import {
  answerJson,
  collect,
  createTestClient,
  failureOf,
  plainScript,
  type Script,
  startService,
} from "./support/scripted-service.ts";

const secret = "s3cret-of-client-7";
const token = "t0ken/of+client-7";

/** Echoes every secret in its answers, except at the token endpoint. */
function echo(status: number): Script {
  return (request, response) => {
    if (request.path.endsWith("/token")) return answerJson(response, { access_token: token });
    const headers = JSON.stringify(request.headers);
    response
      .writeHead(status, { "x-echo": token })
      .end(`${headers} ${secret} ${encodeURIComponent(token)} ${request.path}`);
  };
}

const garbled: Script = (request, response, count) => {
  if (request.path.endsWith("/token")) echo(200)(request, response, count);
  // Not HTTP: the parser keeps the bytes at which it fails.
  else response.socket?.end(`HTTP/9.9 ${token} ${secret}\\r\\n\\r\\n`);
};

const cut: Script = (request, response, count) => {
  if (request.path.endsWith("/token")) return echo(200)(request, response, count);
  response.writeHead(200, { "content-length": "9999" });
  response.write(`${token} ${secret}`, () => response.destroy());
};

const brokenChunk: Script = (request, response, count) => {
  if (request.path.endsWith("/token")) return echo(200)(request, response, count);
  response.socket?.end(
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n[1,2,\r\n${token} ${secret}\r\n`,
  );
};

it.each([
  ["refused", echo(403)],
  ["failed", echo(503)],
  ["not JSON", echo(200)],
  ["moved", echo(307)],
  ["not HTTP", garbled],
  ["cut", cut],
  ["a broken chunk", brokenChunk],
])("hides secrets in errors and logs: %s", async (_label, script) => {
  const service = await startService(script);
  let log = "";
  const write = (line: string) => {
    log += line;
  };
  const logger = createLogger({ write, format: "json", isDebug: true });
  const client = createTestClient({ baseUrl: service.baseUrl, logger });
  for (const fail of [
    () => collect(client.devices.status({ groupId: 7 })),
    () => client.exports.create({ kind: "music", groupId: 7 }),
  ]) {
    const error = await failureOf(fail());
    const shown = `${inspect(error, { depth: 20, showHidden: true })} ${JSON.stringify(error)} ${log}`;
    for (const hidden of [secret, token, encodeURIComponent(token)]) expect(shown).not.toContain(hidden);
  }
  expect(inspect(client, { depth: 20, showHidden: false })).not.toContain(secret);
});

it.each([
  ["JSON with slashes escaped", String.raw`{"error":"bad t0ken\/of+client-7&"}`],
  ["JSON in ASCII", String.raw`{"error":"bad t0ken\u002Fof\u002bclient\u002d7\u0026"}`],
  ["JSON within JSON", String.raw`"{\"error\":\"bad t0ken\\/of+client-7\\u0026\"}"`],
  ["a page", "<p>bad t0ken&#x2F;of&#43;client-7&amp;</p>"],
  ["a URL in lower case", "/login?t0ken%2fof%2bclient-7%26"],
  ["a URL within a URL", "/login?to=%2Fa%3Ft%3Dt0ken%252Fof%252Bclient-7%2526"],
])("hides a token that a response encodes differently: %s", async (_label, body) => {
  const service = await startService((request, response) => {
    if (request.path.endsWith("/token")) answerJson(response, { access_token: "t0ken/of+client-7&" });
    else response.writeHead(400).end(body);
  });
  const client = createTestClient({ baseUrl: service.baseUrl });
  const error = await failureOf(client.music.skip({ zoneId: 3 }));
  expect(error.message).toContain("[hidden]");
  expect(error.message).not.toContain("t0ken");
});

it("hides a secret of any length", () => {
  for (const length of [1, 63, 64, 65, 300, 5000]) {
    const long = Array.from({ length }, (_, index) => `${index}/+`).join("");
    const secrets = new Secrets();
    secrets.add(long);
    expect(secrets.redact(`a ${JSON.stringify(long).replaceAll("/", "\\/")}/ b`)).toBe('a "[hidden]"/ b');
    expect(secrets.occurIn(encodeURIComponent(long))).toBe(true);
    expect(secrets.occurIn("a+b/c")).toBe(false);
  }
});

// Backtracking over each way to match would exceed any test timeout.
it("terminates on text with many near matches of a secret", () => {
  const secrets = new Secrets();
  const almost = "a-/_\\.".repeat(60);
  secrets.add(`${almost}!`);
  expect(secrets.redact(almost.repeat(20))).toBe(almost.repeat(20));
});

it("hides a signed link in an error", async () => {
  const service = await startService((request, response, count) => {
    if (request.path.endsWith("/token")) return echo(200)(request, response, count);
    answerJson(response, { message: "can't read https://bucket/file?X-Sig=abc&X-Exp=1" }, 500);
  });
  const client = createTestClient({ baseUrl: service.baseUrl });
  const error = await failureOf(client.exports.get({ jobId: "j" }));
  expect(error.message).toContain("https://bucket/file?[hidden]");
  expect(error.message).not.toContain("abc");
});

it.each([
  ["refused", 401],
  ["failed", 500],
])("hides secrets when the token is %s", async (_label, status) => {
  const service = await startService((request, response) => response.writeHead(status).end(request.body));
  const client = createTestClient({ baseUrl: service.baseUrl });
  const error = await failureOf(collect(client.devices.status({ groupId: 7 })));
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(secret);
});

it("sends a secret that ends in an unpaired surrogate unchanged", async () => {
  const half = "s3cret\ud83d";
  const service = await startService((request, response) =>
    request.path.endsWith("/token")
      ? answerJson(response, { access_token: token })
      : answerJson(response, { client_secret: half }),
  );
  const { apiClients } = createTestClient({ baseUrl: service.baseUrl });
  const clientSecret = await apiClients.retrieveSecret({ oneTimeCode: "once" });
  expect(await apiClients.requestToken({ clientSecret })).toMatchObject({ accessToken: token });
  expect(JSON.parse(service.seen.at(-1)?.body ?? "")).toMatchObject({ client_secret: half });
});

it("hides a one-time code", async () => {
  const service = await startService((request, response) =>
    response.writeHead(410).end(`used: ${request.path}`),
  );
  const { apiClients } = createTestClient({ baseUrl: service.baseUrl });
  const error = await failureOf(apiClients.retrieveSecret({ oneTimeCode: "once/only" }));
  expect(error.message).toContain("api-clients/client-7/secret");
  const shown = inspect(error, { depth: 20, showHidden: true });
  for (const hidden of ["once/only", "once%2Fonly"]) expect(shown).not.toContain(hidden);
});

it.each([301, 302, 307, 308])(
  "does not send the token to another origin on a redirect: %i",
  async (status) => {
    const elsewhere = await startService();
    const service = await startService((request, response) => {
      if (request.path.endsWith("/token")) answerJson(response, { access_token: token });
      else response.writeHead(status, { location: `${elsewhere.baseUrl}/ext/devices/status` }).end();
    });
    const client = createTestClient({ baseUrl: service.baseUrl });
    const error = await failureOf(collect(client.devices.status({ groupId: 7 })));
    expect(error.name).toBe("ServiceRefusedError");
    expect(elsewhere.seen).toHaveLength(0);
  },
);

it("keeps the secret out of the state file", async () => {
  const service = await startService();
  const folder = createTempFolder();
  const client = createTestClient({ baseUrl: service.baseUrl, stateFile: join(folder, "client.db") });
  await collect(client.devices.status({ groupId: 7 }));
  await client.close();
  const stored = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  expect(stored.join("")).toContain("token-1");
  expect(stored.join("")).not.toContain(secret);
});

it("redacts secrets and signatures in the error of a failed export", async () => {
  const error = `PUT https://bucket/file?X-Sig=abc&X-Exp=1 failed, token ${token}, secret ${secret}`;
  const service = await startService((request, response) => {
    if (request.path.endsWith("/token")) return answerJson(response, { access_token: token });
    answerJson(response, { job_id: "j", status: "FAILED", error });
  });
  const client = createTestClient({ baseUrl: service.baseUrl });
  const job = await client.exports.get({ jobId: "j" });
  expect(job.status).toBe("failed");
  expect(job.error).toBe("PUT https://bucket/file?[hidden] failed, token [hidden], secret [hidden]");
});

it("reads a very long error of a failed export in linear time", async () => {
  const service = await startService((request, response, count) => {
    if (request.path.endsWith("/token")) return plainScript(request, response, count);
    answerJson(response, { job_id: "j", status: "failed", error: "?".repeat(1_000_000) });
  });
  const client = createTestClient({ baseUrl: service.baseUrl });
  const job = await client.exports.get({ jobId: "j" });
  expect(job.error).toBe(`${"?".repeat(200)}…`);
});
