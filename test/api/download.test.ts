import type { ServerResponse } from "node:http";
import { isIP } from "node:net";
import type { Readable } from "node:stream";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished, vi } from "vitest";
import { Downloads } from "../../src/api/download.ts";
import { defaultTimeouts } from "../../src/api/transport/timeouts.ts";
import { startConnectProxy } from "../support/connect-proxy.ts";
import { createTestClient, failureOf, type SeenRequest, startService } from "./support/scripted-service.ts";

const file = "0123456789";
const signature = "Signature=a8f3c2d1e0b9";

type Answer = (response: ServerResponse, request: SeenRequest) => void;

/** Serves `/file` with `answer`; the link carries a signature. */
async function serve(answer: Answer, options = {}) {
  const service = await startService((request, response) => answer(response, request));
  const client = createTestClient({ baseUrl: service.baseUrl, ...options });
  return { service, downloads: client.downloads, client, url: `${service.origin}/file?id=1&${signature}` };
}

async function textOf(body: Readable): Promise<string> {
  let text = "";
  for await (const chunk of body) text += chunk;
  return text;
}

/** A server that supports Range, If-Range and entity tags. */
const ranged =
  (etag: string): Answer =>
  (response, { headers }) => {
    const start = Number(/bytes=(\d+)-/.exec(headers.range ?? "")?.[1] ?? Number.NaN);
    const isPart = !Number.isNaN(start) && (headers["if-range"] ?? etag) === etag;
    if (!isPart) response.writeHead(200, { etag, "content-length": file.length }).end(file);
    else if (start >= file.length)
      response.writeHead(416, { etag, "content-range": `bytes */${file.length}` }).end();
    else {
      const range = `bytes ${start}-${file.length - 1}/${file.length}`;
      response.writeHead(206, { etag, "content-range": range }).end(file.slice(start));
    }
  };

it.each([
  ["the whole file", {}, { status: 200, offset: 0, totalBytes: 10, etag: '"v1"', isEncoded: false }, file],
  [
    "a part",
    { offset: 4, ifRange: '"v1"' },
    { status: 206, offset: 4, totalBytes: 10, etag: '"v1"' },
    "456789",
  ],
  ["a part, without a tag", { offset: 4 }, { status: 206, offset: 4, totalBytes: 10 }, "456789"],
  ["a changed file", { offset: 4, ifRange: '"v0"' }, { status: 200, offset: 0, totalBytes: 10 }, file],
  ["a part beyond its end", { offset: 10, ifRange: '"v1"' }, { status: 416, offset: 10, totalBytes: 10 }, ""],
])("opens %s", async (_label, input, expected, text) => {
  const { downloads, url, service, client } = await serve(ranged('"v1"'));
  const { body, ...rest } = await downloads.open({ url, ...input });
  expect(rest).toMatchObject(expected);
  expect(await textOf(body)).toBe(text);
  expect(service.seen).toHaveLength(1);
  expect(service.seen[0]?.headers).toMatchObject({ "accept-encoding": "identity" });
  expect(service.seen[0]?.headers).not.toHaveProperty("authorization");
  expect(client.requestsSent).toBe(0);
});

it("handles a server that ignores Range", async () => {
  const { downloads, url } = await serve((response) => response.end(file));
  const download = await downloads.open({ url, offset: 4 });
  expect(download).toMatchObject({ status: 200, offset: 0, totalBytes: 10, etag: null });
  expect(await textOf(download.body)).toBe(file);
});

it.each([
  ["weak", 'W/"v1"'],
  ["without quotes", "v1"],
])("does not treat an entity tag as strong: %s", async (_label, etag) => {
  const { downloads, url } = await serve(ranged(etag));
  const download = await downloads.open({ url });
  expect(download.etag).toBeNull();
  await textOf(download.body);
});

it("decompresses a whole compressed file, but not part of one", async () => {
  const { downloads, url, service } = await serve((response, { headers }) => {
    const encoded = { "content-encoding": "gzip" };
    if (headers.range) response.writeHead(206, { ...encoded, "content-range": "bytes 4-9/10" }).end("garble");
    else response.writeHead(200, encoded).end(gzipSync(file));
  });
  const download = await downloads.open({ url });
  expect(download).toMatchObject({ status: 200, offset: 0, totalBytes: undefined, isEncoded: true });
  expect(await textOf(download.body)).toBe(file);
  expect((await failureOf(downloads.open({ url, offset: 4 }))).name).toBe("RangeMismatchError");
  expect(service.seen).toHaveLength(2);
});

it("follows redirects to other origins without the original query", async () => {
  const elsewhere = await startService((_request, response) => response.end(file));
  const { downloads, url } = await serve((response, { path }) => {
    const location = path.startsWith("/file") ? "/moved" : `${elsewhere.origin}/there?${signature}`;
    response.writeHead(302, { location }).end();
  });
  expect(await textOf((await downloads.open({ url })).body)).toBe(file);
  expect(elsewhere.seen.map(({ path }) => path)).toEqual([`/there?${signature}`]);
  expect(elsewhere.seen[0]?.headers).not.toHaveProperty("referer");
});

const status =
  (code: number, headers = {}): Answer =>
  (response, { path }) => {
    response
      .writeHead(code, headers)
      .end(`<Error><Code>Expired</Code><Url>http://store${path}</Url></Error>`);
  };

it.each<[string, Answer, string]>([
  ["400", status(400), "LinkRefusedError"],
  ["401", status(401), "LinkRefusedError"],
  ["403", status(403), "LinkRefusedError"],
  ["404", status(404), "LinkRefusedError"],
  ["410", status(410), "LinkRefusedError"],
  ["429", status(429), "RateLimitedError"],
  ["503", status(503), "ServiceFailedError"],
  ["416 for the whole file", status(416), "LinkRefusedError"],
  ["204", status(204), "UnexpectedResponseError"],
  ["304", status(304), "UnexpectedResponseError"],
  ["a redirect without a valid URL", status(302, { location: "http://:x" }), "UnexpectedResponseError"],
  ["a redirect to a file", status(302, { location: "file:///etc/passwd" }), "UnexpectedResponseError"],
  ["an endless redirect", status(302, { location: `/file?${signature}` }), "UnexpectedResponseError"],
  [
    "a web page",
    (response) => response.writeHead(200, { "content-type": "text/html" }).end("hi"),
    "UnexpectedResponseError",
  ],
  ["no response", (response) => response.destroy(), "ConnectionFailedError"],
])("fails without showing a signature: %s", async (_label, answer, name) => {
  const { downloads, url } = await serve(answer);
  const error = await failureOf(downloads.open({ url }));
  expect(error).toMatchObject({ name, category: "service" });
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain("a8f3c2d1e0b9");
});

it("hides a signature that an error encodes differently from the link", async () => {
  const { downloads, service } = await serve((response) =>
    response.writeHead(403).end(String.raw`{"given":"a8f3\/c2d1+e0b9="}`),
  );
  const error = await failureOf(
    downloads.open({ url: `${service.origin}/file?Signature=a8f3/c2d1+e0b9%3D` }),
  );
  expect(error.message).toContain("[hidden]");
  expect(error.message).not.toContain("a8f3");
});

it.each([
  ["a different range", { "content-range": "bytes 3-9/10" }],
  ["no range", {}],
  ["several ranges", { "content-type": "multipart/byteranges; boundary=x" }],
])("rejects a range other than the requested one: %s", async (_label, headers) => {
  const { downloads, url } = await serve((response) => response.writeHead(206, headers).end("456789"));
  expect(await failureOf(downloads.open({ url, offset: 4 }))).toMatchObject({ code: "UNEXPECTED_RESPONSE" });
});

it.each<[string, Answer]>([
  [
    "is truncated",
    (response) => {
      response.writeHead(200, { "content-length": 10 });
      response.write("0123", () => response.destroy());
    },
  ],
  [
    "is cut off after several chunks",
    (response) => {
      response.write("0123", () => response.destroy());
    },
  ],
  ["stops", (response) => void response.write("0123")],
])("a body that %s fails with the client's own error", async (_label, answer) => {
  const { downloads, url } = await serve(answer, { timeouts: { downloadIdleMs: 300 } });
  const { body } = await downloads.open({ url });
  const error = await failureOf(textOf(body));
  expect(error.name).toBe("ConnectionFailedError");
  expect(inspect(error, { depth: 20 })).not.toContain("a8f3c2d1e0b9");
});

it("a truncated compressed body fails with the client's own error", async () => {
  const { downloads, url } = await serve((response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(file).subarray(0, 15)),
  );
  const { body } = await downloads.open({ url });
  expect(await failureOf(textOf(body))).toMatchObject({
    name: "ConnectionFailedError",
    message: expect.stringContaining("sent compressed data that is damaged or cut"),
  });
});

it("a compressed body that breaks before it is read fails on reading", async () => {
  const { downloads, url } = await serve((response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(file).subarray(0, 15)),
  );
  const { body } = await downloads.open({ url });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await failureOf(textOf(body))).name).toBe("ConnectionFailedError");
});

it("an abort ends a transfer at once; destroying a body closes its connection", async () => {
  const closed: string[] = [];
  const { downloads, url } = await serve((response, { path }) => {
    response.on("close", () => closed.push(path));
    response.write("0123");
  });
  const stop = new AbortController();
  const { body } = await downloads.open({ url, signal: stop.signal });
  const failure = failureOf(textOf(body));
  stop.abort(new Error("stopped by hand"));
  expect((await failure).message).toBe("stopped by hand");
  const other = await downloads.open({ url });
  other.body.destroy();
  while (closed.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
});

it.each([
  ["an IPv4 address", (url: URL) => url.href],
  ["an IPv4 address written as a number", (url: URL) => url.href.replace("127.0.0.1", "2130706433")],
  ["an IPv6 address", (url: URL) => url.href.replace("127.0.0.1", "[::1]")],
  ["an IPv4 address in IPv6", (url: URL) => url.href.replace("127.0.0.1", "[::ffff:127.0.0.1]")],
  ["the unspecified address", (url: URL) => url.href.replace("127.0.0.1", "0.0.0.0")],
  ["a host name", (url: URL) => url.href.replace("127.0.0.1", "localhost")],
  ["link-local addresses", () => "http://169.254.169.254/latest/meta-data/"],
  ["metadata of AWS in IPv6", () => "http://[fd00:ec2::254]/latest/meta-data/"],
  ["Azure metadata", () => "http://168.63.129.16/machine/"],
  ["Alibaba Cloud metadata", () => "http://100.100.100.200/latest/meta-data/"],
])("sends no request to this machine through a remote service's link: %s", async (_label, linkTo) => {
  const { service, url } = await serve((response) => response.end(file));
  const elsewhere = createTestClient({ baseUrl: "https://203.0.113.9/v2/" });
  const failure = await failureOf(elsewhere.downloads.open({ url: linkTo(new URL(url)) }));
  expect(failure.message).toContain("it points to this machine, but the service runs elsewhere");
  expect(inspect(failure)).not.toContain(signature);
  expect(service.seen).toHaveLength(0);
});

it.each([
  ["this machine", "127.0.0.1"],
  ["this machine in IPv6", "::1"],
  ["metadata", "169.254.169.254"],
  ["metadata of AWS in IPv6", "fd00:ec2::254"],
  ["Azure metadata in IPv6", "::ffff:168.63.129.16"],
])("rejects a name that resolves to %s when connecting", async (_label, address) => {
  const { service } = await serve((response) => response.end(file));
  const resolvedNames: string[] = [];
  const downloads = new Downloads({
    address: { origin: "https://203.0.113.9" },
    timeouts: defaultTimeouts,
    userAgent: "test",
    closing: new AbortController().signal,
    // Simulates a name server that answered the first query with another address.
    lookup: (name, _options, done) => {
      resolvedNames.push(name);
      done(null, [
        { address: "203.0.113.10", family: 4 },
        { address, family: isIP(address) },
      ]);
    },
  });
  onTestFinished(() => downloads.close());
  const url = `http://files.example.test:${new URL(service.origin).port}/file?${signature}`;
  const failure = await failureOf(downloads.open({ url }));
  expect(failure.message).toContain("it points to this machine, but the service runs elsewhere");
  expect(inspect(failure)).not.toContain(signature);
  expect(resolvedNames).toEqual(["files.example.test"]);
  expect(service.seen).toHaveLength(0);
});

it.each(["file:///etc/hostname", "ftp://127.0.0.1/a", "data:text/plain,a"])(
  "does not follow a link to %s",
  async (url) => {
    const { downloads } = await serve((response) => response.end(file));
    expect((await failureOf(downloads.open({ url }))).message).toMatch(/it points to a (file|ftp|data): URL/);
  },
);

it("opens a link through the proxy, which resolves its host", async () => {
  const { service, downloads } = await serve((response) => response.end(file));
  const proxy = await startConnectProxy(service.origin);
  vi.stubEnv("HTTP_PROXY", proxy.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { body } = await downloads.open({ url: `http://files.test/file?${signature}` });
  expect([await textOf(body), proxy.requested]).toEqual([file, ["files.test:80"]]);
});

it("refuses a link to this machine also with a proxy", async () => {
  const { service } = await serve((response) => response.end(file));
  const proxy = await startConnectProxy(service.origin);
  vi.stubEnv("HTTP_PROXY", proxy.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { downloads } = createTestClient({ baseUrl: "https://service.test/v5" });
  for (const host of ["127.0.0.1", "localhost", "169.254.169.254", "[::1]"]) {
    const opened = downloads.open({ url: `http://${host}:${new URL(service.origin).port}/file` });
    expect((await failureOf(opened)).message).toContain("it points to this machine");
  }
  expect(proxy.requested).toEqual([]);
});
