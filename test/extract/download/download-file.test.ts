import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { Downloads } from "../../../src/api/download.ts";
import { defaultTimeouts } from "../../../src/api/transport/timeouts.ts";
import { DownloadFailedError, downloadFile } from "../../../src/extract/download/download-file.ts";
import { createClock } from "../../../src/util/clock.ts";
import { silentLogger } from "../../../src/util/logger.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

const content = Buffer.from(
  Array.from(
    { length: 3_000 },
    (_, index) => `${JSON.stringify({ zone_id: 7, index, text: "ü".repeat(index % 40) })}\n`,
  ).join(""),
);

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Serves the responses in turn, the last one from then on; records requests. */
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

/** Breaks off once the client, in this process, had time to read the sent bytes on a busy machine. */
function breakConnection(response: ServerResponse, turns = 3): void {
  setTimeout(() => (turns > 0 ? breakConnection(response, turns - 1) : response.destroy()), 15);
}

interface Misbehaviour {
  /** Length of the body in bytes before it stops. */
  cutAfter?: number;
  /** `cut`: the connection breaks. `end`: the response ends as if complete. */
  how?: "cut" | "end";
  isLengthKnown?: boolean;
  /** Error in the announced length. */
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
      else breakConnection(response);
    });
  };
}

/** Sends an empty part where other servers respond with 416. */
const endingInEmptyPart: Answer = (request, response) => {
  const offset = offsetOf(request);
  if (offset < content.length) return answer()(request, response);
  const range = `bytes ${offset}-${offset - 1}/${content.length}`;
  response.writeHead(206, { "content-range": range, "content-length": 0 }).end();
};

async function download(
  url: string | (() => Promise<string>),
  partial?: Buffer,
  etag: string | null = null,
  onWait: (durationMs: number) => void = () => {},
) {
  const path = join(createTempFolder(), "file.jsonl");
  if (partial) writeFileSync(`${path}.part`, partial);
  const downloads = new Downloads({
    address: { origin: "http://127.0.0.1" },
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
    clock: { ...createClock(), sleep: async (durationMs) => onWait(durationMs) },
    logger: silentLogger,
    signal: new AbortController().signal,
  });
  const file = readFileSync(path);
  expect(size).toBe(file.length);
  return file;
}

describe("completes a download", () => {
  it.each<[string, Answer[]]>([
    ["from a well-behaved server", [answer()]],
    ["without a length", [answer({ isLengthKnown: false })]],
    ["cut once, with a length", [answer({ cutAfter: 10_000 }), answer()]],
    ["cut repeatedly, each time a little further", [answer({ cutAfter: 9_000 })]],
    ["cut without a length", [answer({ cutAfter: 10_000, isLengthKnown: false }), answer()]],
    [
      "ended early at a line end",
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
      "cut, then another file",
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
      "after a stall",
      [
        (_, response) =>
          response.writeHead(200, { "content-length": content.length }).write(content.subarray(0, 500)),
        answer(),
      ],
    ],
    ["after a connection reset", [(request) => request.socket.destroy(), answer()]],
    ["from a server that returns an empty part after the end", [endingInEmptyPart]],
    [
      "compressed although it was not requested for",
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
    ["a gzip file without a content encoding", [answer({ body: gzipSync(content) })]],
    [
      "cut, from a server that answers a Range without Content-Range",
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

  it("resumes from an earlier run, and reads again just enough to verify the part", async () => {
    const { url, requests } = await serve(answer({ etag: '"a"' }));
    expect((await download(url, content.subarray(0, 50_000), '"a"')).equals(content)).toBe(true);
    expect(requests[0]?.headers).toMatchObject({ range: "bytes=45904-", "if-range": '"a"' });
  });

  it("discards a part of another file", async () => {
    const { url } = await serve(answer());
    expect((await download(url, Buffer.alloc(50_000, "x"))).equals(content)).toBe(true);
  });

  it("requests a new link when one is refused", async () => {
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

  it.each([429, 503])("waits as long as the server requests (%i)", async (status) => {
    const busy: Answer = (_, response) => response.writeHead(status, { "retry-after": "60" }).end();
    const { url } = await serve(busy, answer({ cutAfter: 10_000 }), busy, answer());
    const waits: number[] = [];
    expect(
      (await download(url, undefined, null, (durationMs) => waits.push(durationMs))).equals(content),
    ).toBe(true);
    expect(waits).toEqual([60_000, 60_000]);
  });

  it("follows a redirect to another origin", async () => {
    const target = await serve(answer());
    const { url } = await serve((_, response) => response.writeHead(302, { location: target.url }).end());
    expect((await download(url)).equals(content)).toBe(true);
    expect(target.requests[0]?.headers.authorization).toBeUndefined();
  });

  it.each<[string, Answer, number]>([
    ["after a second request", (_, response) => response.writeHead(200, { "content-length": 0 }).end(), 2],
    ["after a third request if there is no length", (_, response) => response.writeHead(200).end(), 3],
    [
      "after a second request, though marked as compressed",
      (_, response) => response.writeHead(200, { "content-encoding": "gzip", "content-length": 0 }).end(),
      2,
    ],
  ])("accepts an empty file %s", async (_label, empty, count) => {
    const { url, requests } = await serve(empty);
    expect(await download(url)).toEqual(Buffer.alloc(0));
    expect(requests).toHaveLength(count);
  });

  it.each([false, true])(
    "accepts a blank line after a second response (Range ignored: %s)",
    async (ignoresRange) => {
      const body = Buffer.from("\n");
      const { url, requests } = await serve(answer({ body, ignoresRange }));
      expect(await download(url)).toEqual(body);
      expect(requests).toHaveLength(2);
    },
  );

  it("accepts a file whose last line is broken at the source", async () => {
    const body = Buffer.concat([content, Buffer.from('{"zone_id":')]);
    const { url } = await serve(answer({ body }));
    expect((await download(url)).equals(body)).toBe(true);
  });

  it("accepts such a file without Range support if its length is announced repeatedly", async () => {
    const body = Buffer.concat([content, Buffer.from('{"zone_id":')]);
    const { url } = await serve(answer({ body, ignoresRange: true }));
    expect((await download(url)).equals(body)).toBe(true);
  });
});

/** Ends as if complete, at a line end in the middle. */
const cutAtLineEnd = { cutAfter: content.indexOf("\n", 60_000) + 1, how: "end" } as const;
/** Ends as if complete, within a line. */
const cutInLine = { cutAfter: content.indexOf("\n", 60_000) + 10, how: "end" } as const;

const status =
  (code: number, headers: Record<string, string | number> = {}, body: string | Buffer = ""): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end(body);

/** Responds to requests with a Range differently from others. */
const byRange =
  (ranged: Answer, plain: Answer): Answer =>
  (request, response) =>
    (request.headers.range === undefined ? plain : ranged)(request, response);

/** Announces the requested part but sends the file from its start. */
const partFromStart =
  (etag?: string): Answer =>
  (request, response) => {
    const offset = offsetOf(request);
    response.writeHead(206, {
      "content-range": `bytes ${offset}-${content.length - 1}/${content.length}`,
      ...(etag ? { etag } : {}),
    });
    response.end(content.subarray(0, content.length - offset));
  };

const blank = { body: Buffer.from("\n"), ignoresRange: true };

describe("does not accept as complete", () => {
  it.each<[string, Answer[]]>([
    ["ended early, then refuses more", [answer(cutAtLineEnd), status(403), answer()]],
    ["ended early, then sends the whole file", [answer(cutAtLineEnd), answer({ ignoresRange: true })]],
    [
      "ended early without a length, then sends the whole file without a length",
      [
        answer({ ...cutAtLineEnd, isLengthKnown: false }),
        answer({ ignoresRange: true, isLengthKnown: false }),
      ],
    ],
    ["cut, then nothing at any offset", [answer({ cutAfter: 60_000 }), byRange(status(416), answer())]],
    ["an empty response with a length", [status(200, { "content-length": 0 }), answer()]],
    [
      "empty responses with a length, after the file had arrived",
      [answer(), ...Array.from({ length: 3 }, () => status(200, { "content-length": 0 })), answer()],
    ],
    [
      "empty responses, after a part of the file and an error",
      [
        answer({ cutAfter: 60_000 }),
        status(416, { "content-range": "bytes */*" }),
        ...Array.from(
          { length: 3 },
          () => (_: IncomingMessage, response: ServerResponse) => response.writeHead(200).end(),
        ),
        answer(),
      ],
    ],
    [
      "blank responses without a length",
      [
        ...Array.from({ length: 2 }, () => answer({ ...blank, isLengthKnown: false })),
        answer({ ignoresRange: true }),
      ],
    ],
    [
      "a compressed blank response, after a part of the file",
      [
        answer({ cutAfter: 60_000 }),
        status(200, { "content-encoding": "gzip" }, gzipSync("\n")),
        answer({ ignoresRange: true }),
      ],
    ],
    [
      "nothing, after an error page and a broken connection",
      [
        ...Array.from({ length: 2 }, () => status(200, {}, '{"error":"not now"}')),
        (request: IncomingMessage) => request.socket.destroy(),
        status(200, { "content-length": 0 }),
        answer(),
      ],
    ],
    [
      "the same part of a line, three times, with a length",
      [
        answer(cutInLine),
        answer({ ...cutInLine, ignoresRange: true }),
        answer({ ...cutInLine, ignoresRange: true }),
        answer({ ignoresRange: true }),
      ],
    ],
    [
      "an error page sent as a file",
      [
        ...Array.from({ length: 2 }, () =>
          answer({ body: Buffer.from("<html>not now</html>\n"), ignoresRange: true }),
        ),
        answer(),
      ],
    ],
    [
      "parts from another offset than stated",
      [answer({ cutAfter: 60_000 }), byRange(partFromStart(), answer())],
    ],
    ["a file that the server refuses to send in parts", [answer(), byRange(status(500), answer())]],
  ])("%s", async (_label, answers) => {
    const { url } = await serve(...answers);
    expect((await download(url)).equals(content)).toBe(true);
  });
});

describe("an expired link", () => {
  it.each<[string, Answer]>([
    ["is refused", status(403)],
    ["fails", status(500)],
    ["breaks the connection", (request) => request.socket.destroy()],
    ["returns a web page", status(200, { "content-type": "text/html" }, "<html>log in</html>")],
    ["redirects to nowhere", status(302, { location: "http://:x" })],
  ])("and %s is replaced by another link for the same export", async (_label, expired) => {
    let links = 0;
    const { url } = await serve(answer({ cutAfter: 60_000 }), (request, response) =>
      (request.url?.endsWith("link=1") ? expired : answer())(request, response),
    );
    const file = await download(async () => `${url}&link=${++links}`);
    expect(file.equals(content)).toBe(true);
    expect(links).toBe(2);
  });
});

/** Ignores Range, and breaks each response a little later. */
function createLaterBreaks(): Answer {
  let cutAfter = 50_000;
  return (request, response) => {
    cutAfter += 100;
    answer({ cutAfter, ignoresRange: true })(request, response);
  };
}

describe("gives up a download", () => {
  it.each<[string, Answer, string]>([
    [
      "parts are wrong and the whole file is cut",
      byRange(partFromStart(), answer({ cutAfter: 60_000 })),
      "broke",
    ],
    ["each response starts at the beginning and breaks a little later", createLaterBreaks(), "broke"],
    [
      "the file always ends within a line, without a length",
      answer({ ...cutInLine, ignoresRange: true, isLengthKnown: false }),
      "disagree on the file's size",
    ],
  ])("when %s, after a bounded number of requests", async (_label, always, reason) => {
    const { url, requests } = await serve(always);
    let links = 0;
    const error = await download(async () => `${url}&link=${++links}`).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DownloadFailedError);
    expect(String(error)).toContain(reason);
    expect(requests.length).toBeLessThan(30);
    expect(links).toBeLessThan(6);
  });

  it("when no new bytes arrive, keeping those received and showing no signature", async () => {
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
