import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { Downloads } from "../../src/api/download.ts";
import { defaultTimeouts } from "../../src/api/transport/timeouts.ts";
import { DownloadFailedError, downloadFile } from "../../src/extract/download-file.ts";
import { createClock } from "../../src/util/clock.ts";
import { silentLogger } from "../../src/util/logger.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const content = Buffer.from(
  Array.from(
    { length: 3_000 },
    (_, index) => `${JSON.stringify({ zone_id: 7, index, text: "ü".repeat(index % 40) })}\n`,
  ).join(""),
);

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Serves the answers one after the other, the last one from then on; counts requests. */
async function serve(...answers: Answer[]) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    (answers.length > 1 ? (answers.shift() as Answer) : (answers[0] as Answer))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/file?signature=x`, requests };
}

function offsetOf(request: IncomingMessage): number {
  return Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
}

interface Misbehaviour {
  /** Bytes of this answer's body that are sent before it stops. */
  cutAfter?: number;
  /** `cut`: the connection breaks. `end`: the answer ends as if it were whole. */
  how?: "cut" | "end";
  isLengthKnown?: boolean;
  /** Added to the length that is announced. */
  lie?: number;
  etag?: string;
  ignoresRange?: boolean;
  body?: Buffer;
}

function answer({
  cutAfter,
  how = "cut",
  isLengthKnown = true,
  lie = 0,
  etag,
  ignoresRange,
  body = content,
}: Misbehaviour = {}): Answer {
  return (request, response) => {
    const offset = ignoresRange ? 0 : offsetOf(request);
    if (offset >= body.length && offset > 0) {
      response.writeHead(416, { "content-range": `bytes */${body.length}` }).end();
      return;
    }
    const rest = body.subarray(offset);
    const sent = rest.subarray(0, cutAfter ?? rest.length);
    response.writeHead(offset > 0 ? 206 : 200, {
      ...(isLengthKnown ? { "content-length": (how === "end" ? sent.length : rest.length) + lie } : {}),
      ...(offset > 0 ? { "content-range": `bytes ${offset}-${body.length - 1}/${body.length}` } : {}),
      ...(etag ? { etag } : {}),
    });
    response.write(sent, () => {
      if (cutAfter === undefined || how === "end") response.end();
      else setTimeout(() => response.destroy(), 60);
    });
  };
}

async function download(url: string | (() => Promise<string>), partial?: Buffer, etag: string | null = null) {
  const path = join(createTempFolder(), "file.jsonl");
  if (partial) writeFileSync(`${path}.part`, partial);
  const downloads = new Downloads({
    timeouts: { ...defaultTimeouts, downloadIdleMs: 500 },
    userAgent: "test",
    closing: new AbortController().signal,
  });
  onTestFinished(() => downloads.close());
  const size = await downloadFile({
    downloads,
    getLink: typeof url === "string" ? async () => url : url,
    path,
    etag,
    onEtag: () => {},
    onBytes: () => {},
    clock: { ...createClock(), sleep: async () => {} },
    logger: silentLogger,
    signal: new AbortController().signal,
  });
  const file = readFileSync(path);
  expect(size).toBe(file.length);
  return file;
}

describe("a download ends whole", () => {
  it.each<[string, Answer[]]>([
    ["from a server that behaves", [answer()]],
    ["without a length", [answer({ isLengthKnown: false })]],
    ["cut with a length, once", [answer({ cutAfter: 10_000 }), answer()]],
    [
      "cut with a length and a strong entity tag",
      [answer({ cutAfter: 10_000, etag: '"a"' }), answer({ etag: '"a"' })],
    ],
    ["cut again and again, each time a little further", [answer({ cutAfter: 9_000 })]],
    ["cut without a length", [answer({ cutAfter: 10_000, isLengthKnown: false }), answer()]],
    [
      "ended too early in the middle of a line",
      [answer({ cutAfter: 10_001, how: "end", isLengthKnown: false }), answer()],
    ],
    [
      "ended too early at the end of a line",
      [answer({ cutAfter: content.indexOf("\n", 9_000) + 1, how: "end", isLengthKnown: false }), answer()],
    ],
    [
      "with a length that is too short",
      [answer({ cutAfter: content.indexOf("\n", 9_000) + 1, how: "end" }), answer()],
    ],
    ["with a length that is too long, always", [answer({ lie: 17 })]],
    [
      "cut, from a server that ignores Range",
      [answer({ cutAfter: 10_000, ignoresRange: true }), answer({ ignoresRange: true })],
    ],
    [
      "cut, and another file since",
      [
        answer({
          cutAfter: 10_000,
          etag: '"old"',
          body: Buffer.from(content.toString().replaceAll("zone", "none")),
        }),
        answer({ etag: '"new"' }),
      ],
    ],
    [
      "cut, and another file since, without an entity tag",
      [
        answer({ cutAfter: 10_000, body: Buffer.from(content.toString().replaceAll("zone", "none")) }),
        answer(),
      ],
    ],
    [
      "after a stall",
      [
        (_, response) =>
          response.writeHead(200, { "content-length": content.length }).write(content.subarray(0, 500)),
        answer(),
      ],
    ],
    [
      "after 500 and 503",
      [
        (_, response) => response.writeHead(500).end(),
        (_, response) => response.writeHead(503).end(),
        answer(),
      ],
    ],
    ["after a connection that was reset", [(request) => request.socket.destroy(), answer()]],
    [
      "compressed although it was not asked for",
      [(_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(content))],
    ],
    [
      "compressed and cut",
      [
        (_, response) =>
          response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(content).subarray(0, 5_000)),
        (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(content)),
      ],
    ],
  ])("%s", async (_label, answers) => {
    const { url } = await serve(...answers);
    expect((await download(url)).equals(content)).toBe(true);
  });

  it.each<[string, Answer[]]>([
    ["a gzip file that is not said to be one", [answer({ body: gzipSync(content) })]],
    [
      "such a file, cut as if it were whole, then whole",
      [
        answer({ body: gzipSync(content).subarray(0, 5_000) }),
        answer({ body: gzipSync(content).subarray(0, 5_000) }),
        answer({ body: gzipSync(content) }),
      ],
    ],
    [
      "cut, from a server that answers a Range without saying which",
      [
        answer({ cutAfter: 10_000 }),
        (request, response) =>
          request.headers.range === undefined
            ? answer()(request, response)
            : response.writeHead(206).end(content),
      ],
    ],
  ])("%s", async (_label, answers) => {
    const { url } = await serve(...answers);
    expect((await download(url)).equals(content)).toBe(true);
  });

  it("goes on with what an earlier run has brought, and reads no more than needed", async () => {
    const { url, requests } = await serve(answer({ etag: '"a"' }));
    expect((await download(url, content.subarray(0, 50_000), '"a"')).equals(content)).toBe(true);
    expect(requests[0]?.headers).toMatchObject({ range: "bytes=50000-", "if-range": '"a"' });
  });

  it("takes what an earlier run has brought for nothing when it is of another file", async () => {
    const { url } = await serve(answer());
    expect((await download(url, Buffer.alloc(50_000, "x"))).equals(content)).toBe(true);
  });

  it("asks for a new link when one is refused", async () => {
    const { url } = await serve(
      (_, response) => response.writeHead(403).end(),
      answer({ cutAfter: 10_000 }),
      (_, response) => response.writeHead(410).end(),
      answer(),
    );
    let links = 0;
    const file = await download(async () => {
      links += 1;
      return url;
    });
    expect(file.equals(content)).toBe(true);
    expect(links).toBe(3);
  });

  it("follows a redirect to another origin", async () => {
    const target = await serve(answer());
    const { url } = await serve((_, response) => response.writeHead(302, { location: target.url }).end());
    expect((await download(url)).equals(content)).toBe(true);
    expect(target.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("takes an empty file", async () => {
    const { url } = await serve((_, response) => response.writeHead(200, { "content-length": 0 }).end());
    expect(await download(url)).toEqual(Buffer.alloc(0));
  });

  it("takes a file whose last line is broken at its source", async () => {
    const body = Buffer.concat([content, Buffer.from('{"zone_id":')]);
    const { url } = await serve(answer({ body }));
    expect((await download(url)).equals(body)).toBe(true);
  });
});

describe("a download gives up", () => {
  it("when nothing more comes, keeps what came, and names no signature", async () => {
    const { url, requests } = await serve(answer({ cutAfter: 10_000 }), (request) =>
      request.socket.destroy(),
    );
    const error = await download(url).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DownloadFailedError);
    expect(String(error)).not.toContain("signature");
    expect(String(error)).toContain("run the same command again");
    expect(requests.length).toBeLessThan(20);
  });
});
