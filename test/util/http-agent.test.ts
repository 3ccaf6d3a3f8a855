import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { createHttpAgent } from "../../src/util/http-agent.ts";

vi.setConfig({ testTimeout: 30_000 });

/** The reader's stream fills only at the end with the first size, and earlier with the second. */
const sizes = [70_000, 200_000];
const head = (...lines: string[]) => ["HTTP/1.1 200 OK", ...lines, "", ""].join("\r\n");
const close = "Connection: close";
const chunked = "Transfer-Encoding: chunked";

/** Bytes of the body that reach a reader starting after the server closed, and the outcome. */
async function readLate(answer: (socket: Socket) => void): Promise<{ bytes: number; failed: boolean }> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const agent = createHttpAgent({ connect: { timeout: 10_000 } });
  onTestFinished(() => {
    // After an assertion of undici stopped its reading, this never ends.
    void agent.destroy();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let bytes = 0;
  try {
    const { body } = await agent.request({ origin, path: "/", method: "GET" });
    body.on("error", () => {});
    await delay(200);
    for await (const part of body) {
      bytes += (part as Buffer).length;
      await delay(20);
    }
    return { bytes, failed: false };
  } catch {
    return { bytes, failed: true };
  }
}

const whole: [string, (body: string) => string][] = [
  ["of a known length", (body) => head(`Content-Length: ${body.length}`, close) + body],
  ["without a declared length", (body) => head(close) + body],
  ["of an old server", (body) => `HTTP/1.0 200 OK\r\n\r\n${body}`],
  ["in chunks", (body) => `${head(chunked, close)}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
  ["on a keep-alive connection", (body) => head(`Content-Length: ${body.length}`) + body],
];

it.each(whole.flatMap(([label, answer]) => sizes.map((size) => [label, size, answer] as const)))(
  "reads a whole response %s (%i bytes) late, after its connection ended",
  async (_label, size, answer) => {
    const sent = answer("a".repeat(size));
    expect(await readLate((socket) => socket.end(sent))).toEqual({ bytes: size, failed: false });
  },
);

const cut: [string, (body: string) => string][] = [
  ["of a known length", (body) => head("Content-Length: 300000", close) + body],
  ["in chunks", (body) => `${head(chunked, close)}${(300_000).toString(16)}\r\n${body}`],
  ["between chunks", (body) => `${head(chunked, close)}${body.length.toString(16)}\r\n${body}\r\n`],
  ["on a keep-alive connection", (body) => head("Content-Length: 300000") + body],
];

it.each(cut.flatMap(([label, answer]) => sizes.map((size) => [label, size, answer] as const)))(
  "fails if a response %s ends early (%i bytes) and its reader is late",
  async (_label, size, answer) => {
    const sent = answer("a".repeat(size));
    expect(await readLate((socket) => socket.end(sent))).toMatchObject({ failed: true });
  },
);

it.each(sizes)("fails if the connection breaks (%i bytes) while the reader is late", async (size) => {
  const answer = (socket: Socket) => {
    socket.write(head("Content-Length: 300000", close) + "a".repeat(size));
    setTimeout(() => socket.resetAndDestroy(), 50);
  };
  expect(await readLate(answer)).toMatchObject({ failed: true });
});
