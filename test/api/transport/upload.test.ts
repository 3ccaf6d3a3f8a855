import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isAll } from "../../support/long-suite.ts";
import { canWatchProcesses, watchPeak } from "../../support/peak-of-process.ts";
import { startVenue } from "../../support/run-venue.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import {
  answerJson,
  createTestClient,
  failureOf,
  plainScript,
  type Script,
  startService,
} from "../support/scripted-service.ts";

const afterToken =
  (script: Script): Script =>
  (request, response, count) =>
    (request.path.endsWith("/token") ? plainScript : script)(request, response, count);

/** The parts of a multipart body: headers and content. */
function partsOf(body: string, contentType: string | undefined): { head: string; content: string }[] {
  const boundary = /boundary=(.+)$/.exec(contentType ?? "")?.[1] ?? "none";
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [head = "", ...content] = part.slice(2, -2).split("\r\n\r\n");
      return { head, content: content.join("\r\n\r\n") };
    });
}

function createFile(name: string, content: string): string {
  const path = join(createTempFolder(), name);
  writeFileSync(path, content);
  return path;
}

it("uploads a group's asset as a form, with its length", async () => {
  const service = await startService(afterToken((_request, response) => answerJson(response, true)));
  const { signage } = createTestClient({ baseUrl: service.baseUrl });
  const file = createFile("spring “sale”.mp4", "the\r\n\r\nvideo");
  const period = { startDate: "2026-11-01", endDate: "2026-11-30" };
  expect(await signage.uploadAssetToGroup({ groupId: 7, name: "Frühling", file, ...period })).toBeUndefined();
  const [request] = service.seenExt();
  expect(`${request?.method} ${request?.path}`).toBe("POST /v5/ext/signage/asset/group");
  expect(Number(request?.headers["content-length"])).toBe(Buffer.byteLength(request?.body ?? ""));
  expect(partsOf(request?.body ?? "", request?.headers["content-type"])).toEqual([
    { head: 'Content-Disposition: form-data; name="group_id"', content: "7" },
    { head: 'Content-Disposition: form-data; name="name"', content: "Frühling" },
    { head: 'Content-Disposition: form-data; name="start_date"', content: "2026-11-01" },
    { head: 'Content-Disposition: form-data; name="end_date"', content: "2026-11-30" },
    {
      head: 'Content-Disposition: form-data; name="file"; filename="spring “sale”.mp4"\r\nContent-Type: video/mp4',
      content: "the\r\n\r\nvideo",
    },
  ]);
});

it("uploads a zone's asset without optional fields", async () => {
  const service = await startService(afterToken((_request, response) => answerJson(response, {})));
  const { messaging } = createTestClient({ baseUrl: service.baseUrl });
  await messaging.uploadAssetToZone({ zoneId: 3, name: "a", file: createFile("a.MP3", "audio") });
  const [request] = service.seenExt();
  expect(request?.path).toBe("/v5/ext/messaging/asset/zone");
  const heads = partsOf(request?.body ?? "", request?.headers["content-type"]).map(({ head }) => head);
  expect(heads.map((head) => /name="(\w+)"/.exec(head)?.[1])).toEqual(["zone_id", "name", "file"]);
  expect(heads[2]).toContain("audio/mpeg");
});

it("resends the whole file after 429 and after a refused token", async () => {
  const service = await startService(
    afterToken((request, response, count) => {
      if (request.headers.authorization === "Bearer token-1") response.writeHead(401).end();
      else if (count === 2) response.writeHead(429).end();
      else answerJson(response, true);
    }),
  );
  const { signage } = createTestClient({ baseUrl: service.baseUrl });
  await signage.uploadAssetToZone({ zoneId: 3, name: "a", file: createFile("a.png", "x".repeat(200_000)) });
  const sizes = service
    .seenExt()
    .map(({ body, headers }) => partsOf(body, headers["content-type"]).at(-1)?.content.length);
  expect(sizes).toEqual([200_000, 200_000, 200_000]);
});

it("does not resend a file if the response was lost", async () => {
  const service = await startService(afterToken((_request, response) => response.destroy()));
  const { signage } = createTestClient({ baseUrl: service.baseUrl });
  const upload = signage.uploadAssetToZone({ zoneId: 3, name: "a", file: createFile("a.png", "x") });
  expect((await failureOf(upload)).name).toBe("OutcomeUnknownError");
  expect(service.seenExt()).toHaveLength(1);
});

it.each<[string, (folder: string) => string, RegExp]>([
  [
    "missing",
    (folder) => join(folder, "a.png"),
    /a\.png can't be uploaded: it does not exist\. Specify an existing/,
  ],
  [
    "empty",
    (folder) => {
      writeFileSync(join(folder, "a.png"), "");
      return join(folder, "a.png");
    },
    /a\.png can't be uploaded: it is empty/,
  ],
  [
    "a folder",
    (folder) => {
      mkdirSync(join(folder, "a.png"));
      return join(folder, "a.png");
    },
    /it is not a regular file/,
  ],
  [
    "inside a file",
    (folder) => {
      writeFileSync(join(folder, "a"), "x");
      return join(folder, "a", "b.png");
    },
    /it does not exist/,
  ],
])("sends nothing when the file is %s", async (_label, create, message) => {
  const service = await startService();
  const { signage } = createTestClient({ baseUrl: service.baseUrl });
  const path = create(createTempFolder());
  const error = await failureOf(signage.uploadAssetToGroup({ groupId: 7, name: "a", file: path }));
  expect(error).toMatchObject({
    code: "UPLOAD_FILE_UNUSABLE",
    category: "usage",
  });
  expect(error.message).toContain(path);
  expect(error.message).toMatch(message);
  expect(service.seen).toHaveLength(0);
});

it.skipIf(process.getuid?.() === 0)("sends nothing when the file can't be read", async () => {
  const service = await startService();
  const { signage } = createTestClient({ baseUrl: service.baseUrl });
  const file = createFile("a.png", "x");
  chmodSync(file, 0);
  const error = await failureOf(signage.uploadAssetToGroup({ groupId: 7, name: "a", file }));
  expect(error.message).toContain("this user may not read it");
  expect(service.seen).toHaveLength(0);
});

/** A service that discards what it receives; the scripted one would hold it in memory. */
async function startSink() {
  let uploadedBytes = 0;
  const server = createServer((message: IncomingMessage, response: ServerResponse) => {
    const isToken = message.url?.endsWith("/token") === true;
    message.on("data", (chunk: Buffer) => {
      if (!isToken) uploadedBytes += chunk.length;
    });
    message.on("end", () => answerJson(response, isToken ? { access_token: "token-1" } : true));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v5`, uploadedBytes: () => uploadedBytes };
}

const limitBytes = 150e6;

it.runIf(isAll && canWatchProcesses)("uploads 300 MB using less than 150 MB of memory", async () => {
  const sizeBytes = 300 * 1024 ** 2;
  const sink = await startSink();
  const file = createFile("long.mp4", "");
  truncateSync(file, sizeBytes);
  const workingFolder = createTempFolder();
  const environment = {
    VENUE_BASE_URL: sink.baseUrl,
    VENUE_CLIENT_ID: "client-7",
    VENUE_CLIENT_SECRET: "s3cret-of-client-7",
    VENUE_HOME: workingFolder,
    VENUE_RATE_PER_SECOND: "1000",
  };
  const flags = ["--group-id", "7", "--name", "long", "--file", file, "--yes"];
  const { child } = startVenue(["api", "signage", "upload-asset", ...flags], { environment, workingFolder });
  const peakBytes = watchPeak(child.pid ?? 0);
  const [code] = await once(child, "close");
  expect(code).toBe(0);
  expect(sink.uploadedBytes()).toBeGreaterThan(sizeBytes);
  expect(peakBytes()).toBeGreaterThan(30e6);
  expect(peakBytes()).toBeLessThan(limitBytes);
});

/** A service where the test decides how each upload ends. */
async function startReceiver(receive: (message: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer((message, response) => {
    if (message.url?.endsWith("/token")) answerJson(response, { token: "token-1" });
    else receive(message, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v5`;
}

function createLongFile(): string {
  const file = createFile("long.mp4", "");
  truncateSync(file, 20_000_000);
  return file;
}

it("a file truncated while it is sent fails, and no file is left open", async () => {
  const content = "x".repeat(5_000_000);
  const file = createFile("a.png", content);
  const baseUrl = await startReceiver((message) => {
    message.once("data", () => truncateSync(file, 300_000)).on("error", () => {});
    message.resume();
  });
  const { signage } = createTestClient({ baseUrl });
  const error = await failureOf(signage.uploadAssetToZone({ zoneId: 3, name: "a", file }));
  expect(error).toMatchObject({ code: "UPLOAD_FILE_UNUSABLE" });
  expect(error.message).toContain("it was truncated while being sent");
});

it.skipIf(process.platform === "win32")("sends nothing for a pipe and does not wait", async () => {
  const service = await startService();
  const { signage } = createTestClient({ baseUrl: service.baseUrl });
  const path = join(createTempFolder(), "a.png");
  execFileSync("mkfifo", [path]);
  const error = await failureOf(signage.uploadAssetToGroup({ groupId: 7, name: "a", file: path }));
  expect(error.message).toContain("it is not a regular file");
  expect(service.seen).toHaveLength(0);
});

it("escapes names with quotes and line breaks", async () => {
  const service = await startService(afterToken((_request, response) => answerJson(response, true)));
  const { signage } = createTestClient({ baseUrl: service.baseUrl });
  const file = createFile('a"b.png', "x");
  await signage.uploadAssetToZone({ zoneId: 3, name: "one\ntwo", file });
  const [request] = service.seenExt();
  const parts = partsOf(request?.body ?? "", request?.headers["content-type"]);
  expect(parts[1]?.content).toBe("one\r\ntwo");
  expect(parts[2]?.head).toContain('filename="a%22b.png"');
});

describe("if the connection breaks before the whole file is sent, nothing was carried out", () => {
  const breakOff = (message: IncomingMessage) =>
    message.on("error", () => {}).once("data", () => message.socket.resetAndDestroy());

  it("once: the file is resent", async () => {
    let attempts = 0;
    const baseUrl = await startReceiver((message, response) => {
      attempts += 1;
      if (attempts === 1) return void breakOff(message);
      message.resume().on("end", () => answerJson(response, true));
    });
    const { signage } = createTestClient({ baseUrl });
    await signage.uploadAssetToZone({ zoneId: 3, name: "a", file: createLongFile() });
    expect(attempts).toBe(2);
  });

  it("always: an error that does not report an unknown outcome", async () => {
    let attempts = 0;
    const baseUrl = await startReceiver((message) => {
      attempts += 1;
      breakOff(message);
    });
    const { signage } = createTestClient({ baseUrl });
    const upload = signage.uploadAssetToZone({ zoneId: 3, name: "a", file: createLongFile() });
    expect(await failureOf(upload)).toMatchObject({ name: "ConnectionFailedError" });
    expect(attempts).toBe(3);
  });
});
